"""The right side of the table: players, levels, what is pointed at, history, allowance."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from cloakboard.client import theme
from cloakboard.client.boards.wec_figures import SIDES as PAINTS
from cloakboard.client.boards.wec_figures import token_of
from cloakboard.client.boards.wec_levels import LevelBoards, boards_height
from cloakboard.client.canvas import Box
from cloakboard.client.play import Line
from cloakboard.client.reel import Reel
from cloakboard.client.session import Quality
from cloakboard.client.texts import BETWEEN
from cloakboard.client.tokens import wec_token
from cloakboard.client.views.table_parts import (
    LINK_PAINTS,
    History,
    InfoCard,
    PlayerCard,
    link_text,
)
from cloakboard.client.views.table_talk import audience_of, note_of
from cloakboard.client.watch_session import WatchSession
from cloakboard.client.widgets import Chip, Label, Panel
from cloakboard.client.words import ARTICLES, SIDES, abilities, condition, piece_name, place

if TYPE_CHECKING:
    from cloakboard.client.boards.wec_figures import Style
    from cloakboard.client.choose import Click, Mark
    from cloakboard.client.play import Play
    from cloakboard.client.widgets import Stage
    from cloakboard.engine.wec.state import Piece

CHIP_ICONS: Final = (
    "ui.move",
    "ui.fire",
    "ui.pick_up",
    "ui.drop",
    "ui.exchange",
    "ui.reinforce",
)
CARD: Final = 52  # heights in design pixels
CHIP: Final = 30
INFO: Final = 112
GAP: Final = 8


class SidePanel:
    """The widgets of the panel. `on_click` gets clicks on the level boards."""

    def __init__(
        self, stage: Stage, play: Play, style: Style, on_click: Callable[[Click, bool], None]
    ) -> None:
        self._play = play
        self._style = style
        self._stage = stage
        self.cards = {
            seat: PlayerCard(stage, wec_token("K", PAINTS[seat]))
            for seat in range(len(play.session.names))
        }
        self._turn_panel = Panel(stage)
        self._turn_label = Label(stage, "", theme.STRONG)
        self.chips = [
            Chip(stage, chip.label, icon)
            for chip, icon in zip(play.chips(), CHIP_ICONS, strict=True)
        ]
        self.levels = LevelBoards(stage, on_click)
        self.info = InfoCard(stage)
        self.history = History(stage)
        self.shows_notation = False
        self.is_single = False
        self._notation: tuple[tuple[int, int], list[Line]] | None = None  # kept for (viewer, Turn)

    def arrange(self, panel: Box) -> None:
        """Places everything: the far player above, the near one below."""
        px = self._stage.scale.px
        gap = px(GAP)
        near = self._play.viewer
        far = next(seat for seat in self.cards if seat != near)
        box, rest = panel.cut_top(px(CARD), gap)
        self.cards[far].place(box)
        box, rest = rest.cut_bottom(px(CARD), gap)
        self.cards[near].place(box)
        rest = self.place_turn(rest)
        self.levels.show(not self.is_single)
        if not self.is_single:
            height = min(boards_height(rest.width, self._stage.scale), rest.height * 0.5)
            box, rest = rest.cut_top(height, gap)
            self.levels.place(box)
        box, rest = rest.cut_top(px(INFO), gap)
        self.info.place(box)
        self.history.place(rest)

    def below_boards(self, panel: Box) -> Box:
        """The part of the panel in which nothing covers a board."""
        top = panel.top if self.is_single else self.levels.box.y
        return Box(panel.x, panel.y, panel.width, top - panel.y)

    def place_turn(self, box: Box) -> Box:
        """Places what the Turn still allows at the foot of a box; what is left of it."""
        px = self._stage.scale.px
        foot, rest = box.cut_bottom(px(50) + 2 * px(CHIP), px(GAP))
        self._turn_panel.place(foot)
        label, chips = foot.inset(px(10), px(8)).cut_top(px(26))
        self._turn_label.place(label)
        rows = chips.rows(2, px(6))
        for chip, room in zip(
            self.chips, (b for row in rows for b in row.columns(3, px(6))), strict=True
        ):
            chip.place(room)
        return rest

    def sync(self, marks: tuple[Mark, ...], cursor: int | None) -> None:
        """Shows the table as it is now, with the highlights of the large board."""
        play, state = self._play, self._play.state
        self.levels.show_state(state, play.viewer, marks, -1 if cursor is None else cursor)
        is_over = play.result is not None
        is_own = state.side == play.viewer and not is_over
        for left, chip in zip(play.chips(), self.chips, strict=True):
            chip.set_count(left.left if is_own else 0)
        whose = "Your Turn" if is_own else f"{SIDES[state.side]}'s Turn"
        if is_over:
            whose = "The match is over"
        self._turn_label.say(f"Turn {state.turn} · {whose}")
        for seat, card in self.cards.items():
            self._say_player(seat, card)
        self.history.say(self._lines())

    def toggle_notation(self) -> None:
        """Words or notation in the history."""
        self.shows_notation = not self.shows_notation
        self._notation = None

    def _lines(self) -> list[Line]:
        """What the history says. Notation is written anew at the end of each Turn."""
        play = self._play
        if not self.shows_notation:
            return play.history[play.viewer]
        place = (play.viewer, play.state.turn)
        if self._notation is None or self._notation[0] != place:
            recording = play.session.recording(play.viewer)
            if recording is None:
                return play.history[play.viewer]
            reel = Reel(recording, play.viewer)
            lines = [Line(line.turn, line.side, line.text) for line in reel.notation_lines]
            self._notation = place, lines
        return self._notation[1]

    def _say_player(self, seat: int, card: PlayerCard) -> None:
        play = self._play
        if isinstance(play.session, WatchSession):
            presence, paint = "playing", theme.TEAL
        elif seat in play.session.seats_here:
            presence, paint = ("you" if seat == play.viewer else "at this table"), theme.TEAL
        else:
            presence, paint = link_text(play.link), LINK_PAINTS[play.link.quality]
            if play.link.quality is Quality.HOME:
                presence = "computer"
        is_to_play = play.result is None and play.state.side == seat
        note = note_of(play.session, seat, is_to_play=is_to_play)
        watching, card.hint = audience_of(play.session, seat)
        presence = BETWEEN.join(filter(None, (presence, watching)))
        card.say(play.name(seat), presence, paint, is_to_play, note)

    def tell_about(
        self, piece: Piece | None, square: int | None, more: tuple[str, ...] = ()
    ) -> None:
        """Tells what is pointed at: a piece, or a square and what lies there; `more` lines
        below it."""
        play = self._play
        lying = tuple(
            f"Lies here: {ARTICLES[item.gear.kind]}"
            for item in play.state.lying
            if item.square == square
        )
        if piece is not None:
            lines = (
                condition(play.state, piece) + unseen(play, piece) + abilities(piece) + lying + more
            )
            title = f"{SIDES[piece.side]} {piece_name(piece)}"
            self.info.say(title, lines, token_of(piece, self._style))
        elif square is not None:
            self.info.say(f"Square {place(square)}", (lying or ("Nothing lies here",)) + more)
        else:
            self.info.say("Point at a square", ("What stands and lies there is told here.",))


def unseen(play: Play, piece: Piece) -> tuple[str, ...]:
    """A line about who sees a piece that is not public (WEC-97)."""
    if piece.handle:
        return ()
    if piece.side == play.viewer:
        return ("The enemy does not see it",)
    return ("Only you see it; its owner does not know",)
