"""What an event looks like on WEC's board. Nothing here changes what is true.

The board already shows the state after the event; each effect starts from how it looked
before and ends there.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from cloakboard.client import motion, theme
from cloakboard.client.boards import wec_geometry as geometry
from cloakboard.engine.events import Event
from cloakboard.engine.wec.events import Article, Changed, Flew, LockMade, Thwarted
from cloakboard.engine.wec.state import AIR, SUB, Piece, State

if TYPE_CHECKING:
    from cloakboard.client.boards.wec import Board
    from cloakboard.client.motion import Animator
    from cloakboard.client.shapes import Shape

MOVE_MS: Final = 220
FADE_MS: Final = 250
FLASH_MS: Final = 200
TOGETHER: Final = frozenset({"carried", "dozed", "marked", "released"})
"""Causes that are shown at the same time as the event before them."""

LOSSES: Final = frozenset({"taken", "burnt", "rocket", "sam", "torpedo", "crushed"})
SOUNDS: Final = MappingProxyType(
    {
        "moves": "move",
        "carried": "",
        "dozed": "move",
        "takes_off": "rise",
        "flies": "move",
        "lands": "drop",
        "falls": "drop",
        "shown": "reveal",
        "taken": "capture",
        "burnt": "flame",
        "rocket": "hit",
        "sam": "hit",
        "torpedo": "hit",
        "crushed": "hit",
        "stunned": "stun",
        "converted": "convert",
        "hit": "hit",
        "fires": "launch",
        "picks_up": "pick_up",
        "drops": "drop",
        "gives": "pick_up",
        "receives": "",
        "reinforces": "reinforce",
        "locks": "lock",
        "locked": "",
        "released": "",
        "marked": "",
    }
)
BEAMS: Final = MappingProxyType(
    {
        "burnt": theme.colour("#FF9A3D"),
        "stunned": theme.colour("#FFE14D"),
        "converted": theme.colour("#C79BFF"),
        "hit": theme.colour("#FFD9A8"),
    }
)


def sound_of(event: Event) -> str:
    """The sound that goes with an event; empty for none."""
    match event:
        case Changed(cause="moves", before=before, after=after):
            if before is not None and after is not None and before.level != after.level:
                return "dive" if after.level == SUB else "rise"
            return "move" if after is not None else "vanish"
        case Changed(cause=cause):
            return SOUNDS[cause]
        case Flew(before=None):
            return "launch"
        case Flew(after=None):
            return "hit"
        case LockMade():
            return "lock"
        case Thwarted():
            return "reveal"
        case _:
            return ""


class Effects:
    """Plays events on a board. It remembers who fired last, so that a hit knows where from."""

    def __init__(self, board: Board, animator: Animator) -> None:
        self._board = board
        self._animator = animator
        self._fired_from: int | None = None

    def play(self, before: State, event: Event, following: Event | None) -> float:
        """Starts an event's effect; the milliseconds until the next event may follow."""
        length = self._start(before, event)
        if isinstance(following, Changed) and following.cause in TOGETHER:
            return 0.0
        if isinstance(event, Flew) and isinstance(following, Flew) and following.after is not None:
            return 0.0
        return length * motion.SPEED[self._animator.amount]

    def _start(self, before: State, event: Event) -> float:
        match event:
            case Changed(cause="fires", after=piece) if piece is not None:
                self._fired_from = piece.cell
                return self._pulse(piece)
            case Changed(before=old, after=None) if old is not None:
                return self._leave(before, old, event.cause)
            case Changed(before=None, after=new) if new is not None:
                return self._appear(new)
            case Changed(before=old, after=new) if old is not None and new is not None:
                if old.cell != new.cell:
                    return self._travel(before, old, new)
                return self._change(new, event.cause)
            case Flew():
                return self._fly(event)
            case Article(square=square, came=True):
                return self._flash(square, theme.AMBER, 0.4)
            case LockMade() | Thwarted():
                return FLASH_MS
            case _:
                return 0.0

    def _travel(self, before: State, old: Piece, new: Piece) -> float:
        figure = self._board.figure(new)
        if figure is None:
            return 0.0
        start = self._was_at(before, old)
        end = (figure.look.spot.x, figure.look.spot.y)
        lift = self._board.frame.unit * (0.28 if AIR in (old.level, new.level) else 0.05)

        def step(share: float) -> None:
            figure.move(
                start[0] + (end[0] - start[0]) * share,
                start[1] + (end[1] - start[1]) * share,
                lift * motion.there_and_back(min(max(share, 0.0), 1.0)),
            )

        self._animator.add(MOVE_MS, step, ease=motion.ease_in_out, is_essential=True)
        return MOVE_MS

    def _was_at(self, before: State, piece: Piece) -> tuple[float, float]:
        pieces = [other for other in before.pieces if other.square == piece.square]
        if piece not in pieces:
            pieces.append(piece)
        spots = geometry.spots(self._board.frame, piece.square, tuple(p.level for p in pieces))
        spot = spots[pieces.index(piece)]
        return spot.x, spot.y

    def _leave(self, before: State, old: Piece, cause: str) -> float:
        x, y = self._was_at(before, old)
        width = self._board.frame.unit * geometry.TOKEN_BY_LEVELS[1]
        ghost = self._board.copy(old, geometry.Spot(x, y, width))
        is_lost = cause in LOSSES

        def step(share: float) -> None:
            ghost.fade(1 - share)
            ghost.move(x, y, 0 if is_lost else self._board.frame.unit * 0.15 * share)

        self._animator.add(
            FADE_MS, step, ease=motion.linear, is_essential=True, on_done=ghost.remove
        )
        if is_lost:
            self._beam(old.square, cause)
            self._flash(old.square, theme.CORAL, 1.0)
        return FADE_MS

    def _appear(self, new: Piece) -> float:
        figure = self._board.figure(new)
        if figure is not None:
            self._animator.add(FADE_MS, figure.fade, is_essential=True)
        return FADE_MS

    def _change(self, piece: Piece, cause: str) -> float:
        if cause in ("marked", "released"):
            return 0.0
        self._beam(piece.square, cause)
        if cause in BEAMS:
            return self._flash(piece.square, BEAMS[cause], 0.9)
        if cause in ("locked", "shown"):
            return self._flash(piece.square, theme.TEAL, 0.9)
        return self._pulse(piece)

    def _pulse(self, piece: Piece) -> float:
        figure = self._board.figure(piece)
        if figure is None:
            return 0.0
        x, y, lift = figure.look.spot.x, figure.look.spot.y, self._board.frame.unit * 0.08
        self._animator.add(
            FLASH_MS, lambda share: figure.move(x, y, lift * share), ease=motion.there_and_back
        )
        return FLASH_MS

    def _fly(self, event: Flew) -> float:
        board = self._board
        if event.after is None:
            return self._flash(event.square, theme.AMBER, 0.8)
        shot = board.shot(event.after)
        if shot is None:
            return 0.0
        if event.before is None or event.before.square == event.after.square:
            self._animator.add(FLASH_MS, shot.fade)
            return FLASH_MS
        start = board.shot_at(event.before.kind, event.before.square)
        end = board.shot_at(event.after.kind, event.after.square)

        def step(share: float) -> None:
            shot.move(
                start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
            )

        self._animator.add(MOVE_MS, step, ease=motion.ease_in_out, is_essential=True)
        return MOVE_MS

    def _beam(self, square: int, cause: str) -> None:
        """A streak from whoever fired last to a square that was hit."""
        if cause not in BEAMS or self._fired_from is None:
            return
        start = geometry.centre(self._board.frame, self._fired_from % 100)
        end = geometry.centre(self._board.frame, square)
        unit = self._board.frame.unit
        glow = self._board.above.shapes.line(start, end, unit * 0.16, BEAMS[cause].faded(0.5))
        core = self._board.above.shapes.line(start, end, unit * 0.05, theme.WARM)
        self._fade_out((glow, BEAMS[cause].faded(0.5)), (core, theme.WARM))

    def _flash(self, square: int, paint: theme.Colour, size: float) -> float:
        """A ring that opens and fades."""
        x, y = geometry.centre(self._board.frame, square)
        unit = self._board.frame.unit * size
        ring = self._board.above.shapes.box(0, 0, 0, 0)

        def step(share: float) -> None:
            width = unit * (0.3 + 0.75 * share)
            ring.set(
                x=x - width / 2,
                y=y - width / 2,
                width=width,
                height=width,
                radius=width / 2,
                border=max(2.0, unit * 0.09 * (1 - share)),
                edge=paint.faded(1 - share),
                fill=paint.faded(0.35 * (1 - share)),
            )

        self._animator.add(FLASH_MS, step, is_essential=True, on_done=ring.remove)
        return FLASH_MS

    def _fade_out(self, *lines: tuple[Shape, theme.Colour]) -> None:
        def step(share: float) -> None:
            for shape, paint in lines:
                shape.set(fill=paint.faded(1 - share))

        def done() -> None:
            for shape, _ in lines:
                shape.remove()

        self._animator.add(FADE_MS, step, ease=motion.ease_in, is_essential=True, on_done=done)
