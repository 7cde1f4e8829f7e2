"""What the View and File menus of the table do: marks, light, zoom, words, notation."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cloakboard.client.reel import Reel
from cloakboard.client.status import rules, status
from cloakboard.client.tokens import PieceSet
from cloakboard.client.views.guide import GuideScreen
from cloakboard.client.views.status_page import TextPage
from cloakboard.client.words import outcome, value_text

if TYPE_CHECKING:
    from cloakboard.client.views.table import TableScreen


class Looks:
    """Ways to look at a table."""

    def __init__(self, screen: TableScreen) -> None:
        self._screen = screen

    def places(self) -> None:
        """Possible places of unseen enemies, or not."""
        self.switch("places")

    def threats(self) -> None:
        """Shows or hides the squares that the enemy threatens."""
        self.switch("threats")

    def switch(self, name: str) -> None:
        """Turns a switch of the view on or off."""
        setattr(self._screen.view, name, not getattr(self._screen.view, name))
        self._look_anew()

    def switch_last_seen(self) -> None:
        """Shows or hides where enemies were last seen."""
        self._screen.view.switch_last_seen()
        self._look_anew()

    def switch_single(self) -> None:
        """One board, or the level boards beside it."""
        self._screen.view.switch_single()
        self._look_anew()

    def next_lighting(self) -> None:
        """The next kind of light."""
        self._screen.view.next_lighting()
        self._screen.toasts.tell(f"Lighting: {self._screen.view.lighting.value}")
        self._look_anew()

    def next_pieces(self) -> None:
        """The other set of pieces."""
        sets = list(PieceSet)
        style = self._screen.board.style
        following = sets[(sets.index(style.set) + 1) % len(sets)]
        self._screen.board.style = replace(style, set=following)
        self._screen.view.keep("piece_set", following.value)
        self._look_anew(is_restyled=True)

    def zoom(self, quarter: tuple[int, int]) -> None:
        """Enlarges a quarter of the board, or shows all of it."""
        self._screen.view.zoom(quarter)
        self._look_anew()

    def next_quarter(self) -> None:
        """The next quarter, or all of the board."""
        self._screen.view.next_quarter()
        self._look_anew()

    def _look_anew(self, is_restyled: bool = False) -> None:
        self._screen.stage.set_focus(None)
        self._screen.show_anew(is_restyled)

    def toggle_notation(self) -> None:
        """Words or notation in the history."""
        self._screen.panel.toggle_notation()
        self._screen.sync()

    def show_status(self) -> None:
        """The status of the match in words."""
        play = self._screen.play
        if play.curtain is not None:
            return
        over = ": ".join(outcome(play.result, self._screen.session.names)) if play.result else ""
        text = status(self._screen.session.game, play.state, self._screen.view.suspects(), over)
        self._screen.window.open_screen(TextPage(self._screen.window, "Game status", text))

    def show_guide(self) -> None:
        """What there is to look up, with the moves by the options of this match."""
        screen = self._screen
        options = dict(screen.play.state.options)
        screen.window.open_screen(GuideScreen(screen.window, screen.session.game.id, options))

    def show_rules(self) -> None:
        """The rules of this match in words."""
        values = dict(self._screen.play.state.options)
        lines = [
            f"{option.text}: {value_text(values[option.name])}"
            for option in self._screen.session.game.options.options
        ]
        text = "\n".join([rules(self._screen.session.game, values), "", *lines])
        self._screen.window.open_screen(TextPage(self._screen.window, "Rules of this match", text))

    def keep_rules(self) -> None:
        """Makes the rules of this match the player's own."""
        if self._screen.acts.keep_rules is None:
            return
        standard = self._screen.session.game.options.defaults()
        values = dict(self._screen.play.state.options)
        self._screen.acts.keep_rules({n: v for n, v in values.items() if v != standard[n]})
        self._screen.toasts.tell("The rules of this match are kept as yours.")

    def ask_square(self) -> None:
        """How a square is typed."""
        self._screen.toasts.tell("Type row, comma, column, such as 4,7 and then Enter.")
        self._screen.pointer.appear()

    def copy_notation(self) -> None:
        """The match in notation, as far as the viewer may know it."""
        recording = self._screen.session.recording(self._screen.play.viewer)
        if recording is not None:
            seat = None if recording.is_whole else self._screen.play.viewer
            self._screen.window.write_clipboard(Reel(recording, seat).notation())
            self._screen.toasts.tell("The notation is in the clipboard.")
