"""The replay of Weaponized Chess, with what was hidden."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from pyglet.window import key

from cloakboard.client import theme
from cloakboard.client.boards import wec_geometry as geometry
from cloakboard.client.boards.wec import Board
from cloakboard.client.boards.wec_effects import Effects, sound_of
from cloakboard.client.boards.wec_figures import Style, token_of
from cloakboard.client.boards.wec_levels import LevelBoards, boards_height
from cloakboard.client.canvas import Box
from cloakboard.client.marks import Mark
from cloakboard.client.reel import Reel
from cloakboard.client.views.replay import GAP, ReplayActs, ReplayScreen
from cloakboard.client.widgets import Tone
from cloakboard.client.words import ARTICLES, SIDES, abilities, condition, piece_name, place
from cloakboard.engine.wec.state import BLACK, WHITE, Piece, State

if TYPE_CHECKING:
    from cloakboard.client.recording import Recording
    from cloakboard.client.shapes import Shape
    from cloakboard.client.window import CloakWindow
    from cloakboard.engine.events import Event

FADE_MS: Final = 900  # of what was hidden
EYES: Final = MappingProxyType({None: "Everything", BLACK: "Black's eyes", WHITE: "White's eyes"})
EYES_KEYS: Final = MappingProxyType({key.A: None, key.B: BLACK, key.W: WHITE})


class WecReplay(ReplayScreen):
    """A whole recording begins as `near` saw it; then what was hidden comes into view."""

    def __init__(
        self,
        window: CloakWindow,
        recording: Recording,
        acts: ReplayActs,
        *,
        near: int = BLACK,
        style: Style | None = None,
        name: str = "match",
        step: int | None = None,
    ) -> None:
        self.style = style or Style()
        self._fades_in = recording.is_whole
        self._arrows: list[Shape] = []
        self._begins = near if recording.seat is None else recording.seat
        super().__init__(window, recording, acts, near=near, name=name, step=step)

    @property
    def reel(self) -> Reel:
        """What is seen now."""
        film = self.projector.film
        assert isinstance(film, Reel)
        return film

    @property
    def _shown(self) -> State:
        shown: State = self.projector.shown
        return shown

    @property
    def _viewer(self) -> int:
        return self.near if self.reel.eyes is None else self.reel.eyes

    def make_film(self, eyes: int | None) -> Reel:
        """The recording as a seat saw it, or all of it."""
        return Reel(self.recording, eyes)

    def first_eyes(self) -> int:
        """Those of the near seat."""
        return self._begins

    def kinds_of_eyes(self) -> Mapping[int | None, str]:
        """Those of both seats and everything; of a running match those of its one seat."""
        return EYES if self.recording.is_whole else {self.near: EYES[self.near]}

    def make_board(self) -> None:
        """The board and what happens on it."""
        self.board = Board(self.canvas, self.style)
        self.effects = Effects(self.board, self.window.animator)

    def make_parts(self) -> None:
        """The three levels."""
        self.levels = LevelBoards(self.stage, lambda click, right: None)

    def place_board(self) -> None:
        """The board with `near` at the bottom."""
        self.board.place(self.board_box, self.scale, self.near)
        self.levels.near = self.near

    def place_parts(self, panel: Box) -> Box:
        """The levels at the top of the panel."""
        height = min(boards_height(panel.width, self.scale), panel.height * 0.5)
        at, panel = panel.cut_top(height, self.px(GAP))
        self.levels.place(at)
        return panel

    def update(self, passed_ms: float) -> None:
        """At first what was hidden comes into view."""
        if self._fades_in and not self.window.animator.is_active:
            self._fades_in = False
            self.see(None)
            return
        super().update(passed_ms)

    def see(self, eyes: int | None) -> None:
        """What comes into view with other eyes fades in."""
        if eyes not in self.eyes:
            return
        before = {look.piece for look in self.board.looks}
        stays = eyes is None or eyes == self.near
        super().see(eyes)
        if not stays:
            return
        for look, figure in self.board.figures():
            if look.piece not in before:
                self.window.animator.add(FADE_MS, figure.fade, is_essential=True)

    def show_state(self) -> None:
        """The pieces that these eyes see."""
        self.board.show(self._shown, self._viewer, is_unmasked=self.reel.eyes is None)

    def show_event(self, before: State, event: Event) -> tuple[float, str]:
        """An event as at the table."""
        length = self.effects.play(before, event, self.projector.following())
        return length, sound_of(event)

    def show_marks(self) -> None:
        """The squares of the step, and where a Move went otherwise than it was meant to."""
        reel, step = self.reel, self.projector.step
        below = [(square, Mark.LAST) for square in reel.touched(step)]
        self._draw_arrows()
        parted = reel.parted(step)
        if parted is not None:
            below.append((parted.goal % 100, Mark.GHOST))
        self.board.mark((), None, below)
        is_unmasked = reel.eyes is None
        self.levels.show_state(self._shown, self._viewer, (), -1, is_unmasked=is_unmasked)

    def tone(self) -> Tone:
        """What was not as it was meant to be is told louder."""
        return Tone.FRIEND if self.reel.parted(self.projector.step) is None else Tone.ACT

    def _draw_arrows(self) -> None:
        """Where a Move went, and where it was meant to go (WEC-49)."""
        for shape in self._arrows:
            shape.remove()
        self._arrows.clear()
        parted = self.reel.parted(self.projector.step)
        if parted is None or self.projector.is_behind:
            return
        start, end, goal = (
            geometry.centre(self.board.frame, cell % 100)
            for cell in (parted.start, parted.end, parted.goal)
        )
        unit = self.board.frame.unit
        line = self.board.above.shapes.line
        self._arrows = [
            line(end, goal, unit * 0.07, theme.CORAL.faded(0.75)),
            line(start, end, unit * 0.09, theme.AMBER.faded(0.9)),
        ]

    def tell_about(self, x: float, y: float) -> None:
        """Who stands under the pointer, and what lies there."""
        square = geometry.square_under(self.board.frame, x, y)
        if square is None:
            self.info.say("Point at a square", ("What stands and lies there is told here.",))
            return
        pieces = self.board.pieces_at(square)
        piece = self.board.piece_at(x, y) or (pieces[0] if len(pieces) == 1 else None)
        state = self._shown
        lying = tuple(
            f"Lies here: {ARTICLES[item.gear.kind]}"
            for item in state.lying
            if item.square == square
        )
        if piece is None:
            self.info.say(f"Square {place(square)}", lying or ("Nothing lies here",))
            return
        lines = condition(state, piece) + _hidden(piece) + abilities(piece) + lying
        title = f"{SIDES[piece.side]} {piece_name(piece)}"
        self.info.say(title, lines, token_of(piece, self.style))

    def press(self, symbol: int) -> bool:
        """A, B and W choose the eyes."""
        if symbol not in EYES_KEYS:
            return False
        self.see(EYES_KEYS[symbol])
        return True


def _hidden(piece: Piece) -> tuple[str, ...]:
    return () if piece.handle else ("The enemy does not see it",)
