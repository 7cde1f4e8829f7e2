"""The table of tri-dimensional chess: a flat view or a scene left, panel right, one sentence and
the actions below."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from cloakboard.client import theme
from cloakboard.client.boards import trid_choose as choose
from cloakboard.client.boards.trid_flat import FlatBoard
from cloakboard.client.boards.trid_look import Hit, look
from cloakboard.client.boards.trid_play import TridPlay
from cloakboard.client.boards.trid_scene import SceneBoard
from cloakboard.client.views.guide import GuideScreen
from cloakboard.client.views.table_layout import PANEL_LEAST, arrange
from cloakboard.client.views.table_loop import TableLoop
from cloakboard.client.views.table_match import MatchDialogs, save_name
from cloakboard.client.views.table_menus import TableActs, switch_stand_in, why_no_stand_in
from cloakboard.client.views.table_overlays import Chooser
from cloakboard.client.views.table_parts import ActionButton
from cloakboard.client.views.trid_panel import TridPanel
from cloakboard.client.widgets import IconButton, Label, StatusLine, Tone
from cloakboard.engine.trid.events import BoardMoved, Castled, Moved, Promoted, Taken

if TYPE_CHECKING:
    from cloakboard.client.canvas import Box
    from cloakboard.client.session import Session
    from cloakboard.client.window import CloakWindow
    from cloakboard.engine.events import Event
    from cloakboard.engine.trid.state import State

SOUNDS: Final = MappingProxyType(
    {
        Taken: "capture",
        Moved: "move",
        Castled: "move",
        BoardMoved: "rise",
        Promoted: "convert",
    }
)


class Press(NamedTuple):
    """A mouse button that is held: where it went down, what was there, which button."""

    x: float
    y: float
    hit: Hit
    button: int
    waits: bool = False  # what it means is settled when it is let go


class TridScreen(TableLoop):
    """A match on the screen, and what can be done there; `TridTable` brings it to hand.

    `on_leave` is called when the player leaves the table; `on_rematch`, if there
    can be one, starts another with the same players. Of `acts` it offers the look back and the
    settings.
    """

    def __init__(
        self,
        window: CloakWindow,
        session: Session,
        on_leave: Callable[[], None],
        on_rematch: Callable[[], None] | None = None,
        acts: TableActs | None = None,
    ) -> None:
        self.play = TridPlay(session)
        super().__init__(window, session, self.play)
        self.near = self.play.viewer
        self.flat = FlatBoard(self.canvas)
        self.scene = SceneBoard(window.ctx, self.canvas)
        self.is_deep = True
        self.acts = acts or TableActs()
        look_back = self.look_back if self.acts.look_back is not None else None
        self.match = MatchDialogs(self, self.play, on_leave, on_rematch, look_back)
        self.cursor: int | None = None
        self.pin_cursor: int | None = None
        self._box: Box | None = None
        self._mouse = (0.0, 0.0)
        self._at = Hit()
        self._press: Press | None = None
        self._chooser: Chooser | None = None
        self._make_widgets()
        self._choose_view()
        self.stage.on_cancel = self._back

    @property
    def board(self) -> FlatBoard | SceneBoard:
        """The view that is shown."""
        return self.scene if self.is_deep else self.flat

    def _make_widgets(self) -> None:
        stage = self.stage
        self.title = Label(stage, "", theme.SUBHEADING)
        self.tools = {
            name: IconButton(stage, icon, hint, act)
            for name, icon, hint, act in (
                ("guide", "ui.help", "Guide to the rules (F1)", self.guide),
                ("undo", "ui.undo", "Take back the last move (Ctrl+Z)", self.undo),
                ("draw", "ui.draw", "Offer a draw", self.match.offer_draw),
                ("resign", "ui.flag", "Resign", self.match.resign),
                ("save", "ui.save", "Save the match (Ctrl+S)", self.save),
                ("history", "ui.replay", "Look back at the match (H)", self.look_back),
                ("edit", "ui.editor", "Edit this position (Ctrl+E)", self.edit),
                ("talk", "ui.friends", "Talk and requests (Ctrl+T)", self.match.toggle_talk),
                ("computer", "ui.computer", "The computer plays for me (F9)", self.stand_in),
                ("settings", "ui.settings", "Settings, colours among them", self.settings),
                ("full", "ui.expand", "Full screen (F11)", self.window.toggle_fullscreen),
                ("leave", "ui.exit", "Leave the table", self.match.leave),
            )
        }
        self.tools["talk"].show(self.match.talk is not None)
        self.tools["computer"].show(self.session.stand_in is not None)
        self.tools["computer"].hint = why_no_stand_in(self.session) or self.tools["computer"].hint
        self.tools["history"].show(self.acts.look_back is not None)
        self.tools["edit"].show(self.acts.editor is not None)
        self.tools["settings"].show(self.acts.settings is not None)
        self.panel = TridPanel(stage, self.play, self.look)
        self.status = StatusLine(stage)
        rows = (
            ("view", "Flat view", "ui.levels", "V", self.switch_view),
            ("board", "Move a board", "ui.move", "B", self.next_board),
            ("turn", "Turn it", "ui.exchange", "R", self.turn_board),
            ("near", "Castle O-O", "ui.crown", "K", lambda: self.castle(False)),
            ("far", "Castle O-O-O", "ui.crown", "L", lambda: self.castle(True)),
            ("flip", "Other side", "ui.exchange", "F", self.flip),
            ("earlier", "Back", "ui.previous", ",", lambda: self.step(-1)),
            ("later", "Forward", "ui.next", ".", lambda: self.step(1)),
        )
        self.buttons = {
            name: ActionButton(stage, text, act, icon=icon, key_name=key_name)
            for name, text, icon, key_name, act in rows
        }
        for name in ("board", "turn", "near", "far"):
            self.buttons[name].on_dead = self.buttons[name].on_click

    def stand_in(self) -> None:
        """The computer plays in the player's place, or no longer; or why it cannot."""
        why = why_no_stand_in(self.session)
        if why:
            self.toasts.tell(why)
        elif self.play.result is None:
            switch_stand_in(self.session)
            self.rebuild()

    def guide(self) -> None:
        """What there is to look up about the game."""
        self.window.open_screen(GuideScreen(self.window, self.session.game.id))

    # Placing ------------------------------------------------------------------------------

    def arrange(self, box: Box) -> None:
        """Places everything for the window's box."""
        layout = arrange(box, self.scale, PANEL_LEAST)
        size = self.px(34)
        right = layout.top.right - self.px(12)
        for tool in reversed([tool for tool in self.tools.values() if tool.is_visible]):
            right -= size
            tool.place(layout.top._replace(
                x=right, y=layout.top.y + (layout.top.height - size) / 2, width=size, height=size
            ))  # fmt: skip
            right -= self.px(4)
        left = layout.top.x + self.px(16)
        self.title.place(layout.top._replace(x=left, width=right - left))
        self.match.place_status(self.status, layout.status)
        widths = layout.bar.columns(len(self.buttons), self.px(6))
        for button, room in zip(self.buttons.values(), widths, strict=True):
            button.place(room)
        self._box = layout.board
        self._panel_box = layout.panel
        self.toasts.area = layout.panel
        self.rebuild()

    def rebuild(self) -> None:
        """Shows the table as it is, whatever was being shown."""
        if self._box is None:
            return
        self.window.animator.skip()
        for board in (self.flat, self.scene):
            board.place(self._box, self.scale, self.near)
        self.panel.arrange(self._panel_box, self.near)
        self.match.arrange_talk(self.panel.info, self.panel.moves)
        self.sync()

    def _choose_view(self) -> None:
        self.flat.show(not self.is_deep)
        self.scene.show(self.is_deep)
        self.buttons["view"].say("Flat view" if self.is_deep else "3-D view")

    def show_event(self, before: State, event: Event, after: State) -> float:
        """An event that the drawn position is the outcome of."""
        self.sync()
        length = self.board.play(event, self.window.animator)
        if type(event) in SOUNDS:
            self.window.sounds.play(SOUNDS[type(event)])
        return length

    # What the screen says -----------------------------------------------------------------

    def _pointed(self) -> Hit:
        """What the keyboard's cursor, or else the pointer, is on."""
        if self.play.choosing.pin is not None and self.pin_cursor is not None:
            return Hit(pin=self.pin_cursor)
        if self.cursor is not None:
            return Hit(self.cursor)
        if self.stage.has_modal:
            return Hit()
        return self.board.hit(*self._mouse)

    def sync(self) -> None:
        """Board, sentence, buttons and panel as they are now."""
        play = self.play
        if self.cursor is not None and not choose.stands(play.sight, self.cursor):
            self.cursor = choose.first_square(play.sight)
        self._at = self._pointed()
        self.board.set(look(play, self._at, self.cursor))
        self.panel.sync(self._at)
        self.match.sync()
        tone = Tone.REFUSED if play.refusal else Tone.ACT if play.may_act else Tone.FRIEND
        self.status.say(play.status(), tone)
        self.title.say(f"{self.session.game.title} · Move {play.sight.number}")
        self._sync_buttons()
        if play.asking is not None and self._chooser is None:
            self._ask()
        self.window.invalidate()

    def _sync_buttons(self) -> None:
        play, buttons = self.play, self.buttons
        castlings = [action.queenside for action in play.menu.castlings()]
        buttons["board"].enable(bool(play.menu.boards))
        buttons["board"].switch(play.choosing.pin is not None)
        buttons["turn"].enable(play.choosing.pin is not None)
        buttons["turn"].switch(play.choosing.turned)
        buttons["near"].enable(False in castlings)
        buttons["far"].enable(True in castlings)
        place = len(play.plies) if play.looking is None else play.looking
        buttons["earlier"].enable(place > 0)
        buttons["later"].enable(play.looking is not None)
        self.tools["undo"].enable(self.session.can_undo() and play.result is None)
        stand_in = self.session.stand_in
        can_stand_in = stand_in is not None and stand_in.is_allowed and play.result is None
        self.tools["computer"].enable(can_stand_in)
        self.tools["computer"].switch(stand_in is not None and stand_in.is_on)
        for name in ("draw", "resign"):
            self.tools[name].enable(play.result is None)

    def _ask(self) -> None:
        asking = self.play.asking
        assert asking is not None

        def answer(index: int) -> None:
            self._chooser = None
            self.play.answer(index)
            self._after()

        def cancel() -> None:
            self._chooser = None
            self.play.back()
            self._after()

        texts = [text for text, _ in asking.choices]
        self._chooser = Chooser(self.stage, asking.question, texts, self._mouse, answer, cancel)

    def _after(self) -> None:
        """Something was chosen: shows it, or what follows from it."""
        if self.play.refusal:
            self.window.sounds.play("refuse")
        elif self.play.choosing != choose.Choosing():
            self.window.sounds.play("select")
        if self.play.choosing.pin is None:
            self.pin_cursor = None
        if self.play.is_behind:
            self.show_events()
        self.sync()

    # Actions ------------------------------------------------------------------------------

    def switch_view(self) -> None:
        """From the flat view to the scene, or back."""
        self.stage.set_focus(None)
        self.is_deep = not self.is_deep
        self._choose_view()
        self.rebuild()

    def flip(self) -> None:
        """Looks from the other side."""
        self.stage.set_focus(None)
        self.near = 1 - self.near
        self.rebuild()

    def next_board(self) -> None:
        """Picks the next attack board that can move, and its first pin."""
        self.stage.set_focus(None)
        self.play.next_board()
        pins = choose.pins_for(self.play.menu, self.play.choosing)
        self.pin_cursor = pins[0] if pins else None
        self._after()

    def turn_board(self) -> None:
        """The picked board is turned by half while it moves, or not."""
        self.stage.set_focus(None)
        self.play.turn_board()
        self._after()

    def castle(self, queenside: bool) -> None:
        """Castles."""
        self.stage.set_focus(None)
        self.play.castle(queenside)
        self._after()

    def step(self, by: int) -> None:
        """Looks a move back or on."""
        self.stage.set_focus(None)
        place = len(self.play.plies) if self.play.looking is None else self.play.looking
        self.look(place + by)

    def look(self, place: int) -> None:
        """Looks at the position after so many moves."""
        self.play.look(place)
        self.rebuild()

    def zoom(self, steps: float) -> None:
        """Brings the scene nearer."""
        self.scene.zoom(steps)
        self.window.invalidate()

    def centre(self) -> None:
        """Looks at the scene as at the beginning."""
        self.scene.reset()
        self.window.invalidate()

    def look_back(self) -> None:
        """Shows the match so far step by step, to be written or copied there, too."""
        recording = self.session.recording(self.play.viewer)
        if self.acts.look_back is not None and recording is not None:
            name = save_name(self.session.names, self.play.turn)
            self.acts.look_back(recording, name, self.near)

    def edit(self) -> None:
        """The position in the board editor, from which one comes back to the table."""
        if self.acts.editor is not None:
            self.acts.editor(self.play.state)

    def settings(self) -> None:
        """The settings, from which one comes back to the table."""
        if self.acts.settings is not None:
            self.acts.settings()

    def _back(self) -> None:
        """Escape: one step back; with nothing to go back from, the way out."""
        if self.skip() or self.play.back():
            self.pin_cursor = None
        elif self.cursor is not None:
            self.cursor = None
        else:
            self.match.leave()
            return
        self.sync()
