"""The table: board left, panel right, one sentence and the actions below."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import arcade
from pyglet.window import key

from cloakboard.client import theme
from cloakboard.client.boards import wec_geometry as geometry
from cloakboard.client.boards.wec import Board
from cloakboard.client.boards.wec_effects import Effects, sound_of
from cloakboard.client.boards.wec_figures import Style
from cloakboard.client.canvas import Box
from cloakboard.client.choose import Click, marks
from cloakboard.client.marks import Mark
from cloakboard.client.play import Play
from cloakboard.client.steps import Verb
from cloakboard.client.views.table_cursor import KeyPointer
from cloakboard.client.views.table_layout import TableLayout, arrange
from cloakboard.client.views.table_looks import Looks
from cloakboard.client.views.table_loop import TableLoop
from cloakboard.client.views.table_marks import PointerBadge, underlay
from cloakboard.client.views.table_match import MatchDialogs, save_name
from cloakboard.client.views.table_menus import TITLES, TOOLS, VERBS, TableActs, entries, press
from cloakboard.client.views.table_overlays import Chooser, Curtain
from cloakboard.client.views.table_panel import SidePanel
from cloakboard.client.views.table_parts import ActionButton
from cloakboard.client.views.table_view import QUARTERS, TableView, ViewPrefs
from cloakboard.client.widgets import IconButton, Label, Look, MenuBar, StatusLine, Tone
from cloakboard.client.words import SIDES
from cloakboard.engine.wec.state import SQUARES, Piece, State

if TYPE_CHECKING:
    from cloakboard.client.session import Session
    from cloakboard.client.window import CloakWindow
    from cloakboard.engine.events import Event


class TableScreen(TableLoop):
    """A match. `on_leave` is called when the player leaves the table; `on_rematch`, if there
    can be one, starts another with the same players; `acts` lead elsewhere, `prefs` are how
    the player likes to look at a table."""

    session: Session
    acts: TableActs
    looks: Looks
    pointer: KeyPointer
    play: Play
    view: TableView
    match: MatchDialogs
    panel: SidePanel

    def __init__(
        self,
        window: CloakWindow,
        session: Session,
        on_leave: Callable[[], None],
        on_rematch: Callable[[], None] | None = None,
        style: Style | None = None,
        acts: TableActs | None = None,
        prefs: ViewPrefs | None = None,
    ) -> None:
        self.play = Play(session)
        super().__init__(window, session, self.play)
        self.acts = acts or TableActs()
        self.looks = Looks(self)
        self.view = TableView(self.play, prefs or ViewPrefs())
        style = style or Style()
        self.board = Board(self.canvas, style)
        self.effects = Effects(self.board, window.animator)
        self.match = MatchDialogs(
            self, self.play, on_leave, on_rematch, self.look_back if self.acts.look_back else None
        )
        self.pointer = KeyPointer(self)
        self._layout: TableLayout | None = None
        self._placed: tuple[object, ...] | None = None
        self._mouse = (0.0, 0.0)
        self._hovered: Piece | None = None
        self._hovered_square: int | None = None
        self._chooser: Chooser | None = None
        self._curtain: Curtain | None = None
        self._make_widgets(style)
        self._badge = PointerBadge(self.stage)
        self.stage.on_cancel = self._back

    def _make_widgets(self, style: Style) -> None:
        stage = self.stage
        self.title = Label(stage, "", theme.SUBHEADING)
        self.menus = MenuBar(stage, TITLES, lambda title: entries(self, title))
        self.tools = {
            name: IconButton(stage, icon, hint, lambda act=act: act(self))  # type: ignore[misc]  # bound now
            for name, icon, hint, act in TOOLS
        }
        self.tools["history"].show(self.acts.look_back is not None)
        self.tools["talk"].show(self.match.talk is not None)
        self.crosses = {
            quarter: IconButton(
                stage,
                "ui.search",
                "Enlarge this quarter, or show the whole board (Q)",
                lambda quarter=quarter: self.looks.zoom(quarter),  # type: ignore[misc]  # bound now
            )
            for quarter in QUARTERS
        }
        self.panel = self.make_panel(style)
        self.status = StatusLine(stage)
        self.buttons = {
            verb: ActionButton(
                stage,
                text,
                lambda verb=verb: self.choose_verb(verb),  # type: ignore[misc]  # bound now
                icon=icon,
                key_name=key_name,
                look=Look.PRIMARY if verb is Verb.END else Look.NORMAL,
            )
            for verb, (text, icon, key_name, _) in VERBS.items()
        }
        for button in self.buttons.values():
            button.on_dead = button.on_click

    @property
    def cursor(self) -> int | None:
        """The cell of the keyboard's cursor, None while there is none."""
        return self.pointer.cell

    def make_panel(self, style: Style) -> SidePanel:
        """What stands at the right side."""
        return SidePanel(self.stage, self.play, style, self.click)

    def extra_marks(self) -> tuple[tuple[int, Mark], ...]:
        """Squares that are marked besides what the table itself marks."""
        return ()

    def after_sync(self) -> None:
        """The table has been shown as it is now."""

    # Placing ------------------------------------------------------------------------------

    def arrange(self, box: Box) -> None:
        """Places everything for the window's box."""
        self._layout = layout = arrange(box, self.scale)
        self._placed = None
        size = self.px(34)
        right = layout.top.right - self.px(12)
        for tool in reversed([tool for tool in self.tools.values() if tool.is_visible]):
            tool.place(Box(right - size, layout.top.y + (layout.top.height - size) / 2, size, size))
            right -= size + self.px(4)
        left = layout.top.x + self.px(8)
        rest = self.menus.place(Box(left, layout.top.y, right - left, layout.top.height))
        self.title.place(rest.cut_left(self.px(12))[1])
        self.match.place_status(self.status, layout.status)
        widths = layout.bar.columns(len(self.buttons), self.px(6))
        for button, room in zip(self.buttons.values(), widths, strict=True):
            button.place(room)
        self.rebuild()

    def rebuild(self) -> None:
        """Shows the table as it is, whatever was being shown; places it anew if the window or
        the viewer changed."""
        if self._layout is None:
            return
        self.window.animator.skip()
        view, viewer = self.view, self.play.viewer
        placed = (self._layout, self.scale, viewer, view.quarter, view.lighting, view.is_single)
        if placed != self._placed:
            self._placed = placed
            self.panel.is_single = view.is_single
            self.panel.arrange(self._layout.panel)
            self.toasts.area = self.panel.below_boards(self._layout.panel)
            self.match.arrange_talk(self.panel.info, self.panel.history)
            self.board.place(
                self._layout.board,
                self.scale,
                viewer,
                quarter=view.quarter,
                lighting=view.lighting,
            )
            self._place_crosses(self._layout.board)
        self.board.show(self.play.state, self.play.viewer)
        self.sync()

    def show_anew(self, is_restyled: bool = False) -> None:
        """The way of looking changed; `is_restyled`: everything is drawn anew."""
        if is_restyled:
            self._placed = None
        self.rebuild()

    def _place_crosses(self, room: Box) -> None:
        """A cross at each corner of the board's frame."""
        size = self.px(20)
        seen = self.board.seen_box.inset(-self.px(21))
        for (right, up), cross in self.crosses.items():
            x = seen.right - size if right else seen.x
            y = seen.top - size if up else seen.y
            cross.place(Box(x, y, size, size))

    # Time ---------------------------------------------------------------------------------

    def comes_first(self) -> bool:
        """A device changes hands before anything is shown."""
        if self._curtain is None and self.play.curtain is not None:
            self._draw_curtain()
        return self._curtain is not None

    def show_event(self, before: State, event: Event, after: State) -> float:
        """An event that has led to a state."""
        self.board.show(after, self.play.viewer)
        sound = sound_of(event)
        if sound:
            self.window.sounds.play(sound)
        return self.effects.play(before, event, self.play.following())

    def _draw_curtain(self) -> None:
        seat = self.play.curtain
        assert seat is not None
        name = self.session.names[seat]
        self._curtain = Curtain(self.stage, SIDES[seat], name, self._raise_curtain)
        self.window.invalidate()

    def _raise_curtain(self) -> None:
        self._curtain = None
        self.play.raise_curtain()
        self.pointer.cell = None
        self.rebuild()

    # What the screen says -------------------------------------------------------------------

    def sync(self) -> None:
        """Marks, sentence, buttons and panel as they are now."""
        play = self.play
        self._hovered, self._hovered_square = self._pointed_at()
        shown = marks(play.menu, play.choosing) if play.may_act else ()
        view = self.view
        below = underlay(play, self._hovered, view.threats, view.reserves)
        below = (*self.extra_marks(), *view.possible(), *below)
        self.board.mark(shown, self.cursor, below, view.ghosts())
        self.panel.sync(shown, self.cursor)
        self.match.sync()
        self._say_status()
        hiding = () if self._hovered_square is None else view.hiding(self._hovered_square)
        self.panel.tell_about(self._hovered, self._hovered_square, hiding)
        self.title.say(f"{self.session.game.title} · Turn {play.state.turn}")
        for verb, button in self.buttons.items():
            is_chosen = verb is play.choosing.verb and play.may_act
            button.switch(is_chosen and verb is not Verb.END)
            button.enable(play.may_act and (verb is Verb.MOVE or play.menu.can(verb)))
        self.tools["undo"].enable(self.session.can_undo() and play.result is None)
        self.tools["threats"].switch(view.threats)
        self.tools["places"].switch(view.places)
        for quarter, cross in self.crosses.items():
            cross.switch(quarter == view.quarter)
        if play.asking is not None and self._chooser is None:
            self._ask()
        self._show_badge()
        self.after_sync()
        self.window.invalidate()

    def _say_status(self) -> None:
        play = self.play
        if "," in self.pointer.typing:
            self.status.say(f"Square {self.pointer.typing} … Enter chooses it.", Tone.ACT)
        elif play.refusal:
            self.status.say(play.refusal, Tone.REFUSED)
        else:
            self.status.say(play.status(), Tone.ACT if play.may_act else Tone.FRIEND)

    def _ask(self) -> None:
        asking = self.play.asking
        assert asking is not None
        near = self._mouse
        if self.cursor is not None:
            near = geometry.centre(self.board.frame, self.cursor % SQUARES)

        def choose(index: int) -> None:
            self._chooser = None
            self.play.answer(asking.steps[index])
            self._after_intent()

        def cancel() -> None:
            self._chooser = None
            self.play.back()
            self._after_intent()

        texts = [step.text for step in asking.steps]
        self._chooser = Chooser(self.stage, asking.question, texts, near, choose, cancel)

    # Mouse --------------------------------------------------------------------------------

    def on_mouse(self, x: float, y: float) -> None:
        """The piece and the articles under the pointer are told in the panel."""
        self._mouse = (x, y)
        self._show_badge()
        if self.cursor is None and self._pointed_at() != (self._hovered, self._hovered_square):
            self.sync()

    def on_shown(self) -> None:
        """The pointer is followed over widgets too, where `on_mouse` is not told."""
        self.window.push_handlers(on_mouse_motion=self._follow)

    def on_hidden(self) -> None:
        """Another screen comes: the pointer is its own."""
        self.window.remove_handlers(on_mouse_motion=self._follow)
        self._badge.say(None, 0, 0)

    def _follow(self, x: float, y: float, dx: float, dy: float) -> None:
        self._mouse = (x, y)
        self._show_badge()

    def _show_badge(self) -> None:
        """Shows beside the pointer what the left button does."""
        is_on_board = self.board.square_under(*self._mouse) is not None and not self.stage.has_modal
        icon = VERBS[self.play.choosing.verb][1] if is_on_board and self.play.may_act else None
        self._badge.say(icon, *self._mouse)

    def _pointed_at(self) -> tuple[Piece | None, int | None]:
        """The piece and the square under the cursor, or else under the pointer."""
        if self.cursor is not None:
            square = self.cursor % SQUARES
            pieces = self.board.pieces_at(square)
            on_level = [piece for piece in pieces if piece.level == self.pointer.level]
            return (on_level[0] if on_level else None), square
        under = self.board.square_under(*self._mouse)
        if under is None:
            return None, None
        piece = self.board.piece_at(*self._mouse)
        pieces = self.board.pieces_at(under)
        return (piece or (pieces[0] if len(pieces) == 1 else None)), under

    def on_press(self, x: float, y: float, button: int, modifiers: int) -> None:
        """Left does the current action, right fires; Shift asks for a chopper's route."""
        self._mouse = (x, y)
        self.stage.set_focus(None)
        if self.skip():
            return
        at = self.board.click_at(x, y)
        if at is None:
            return
        self.pointer.cell = None
        self.play.all_routes = bool(modifiers & key.MOD_SHIFT)
        self.click(at, button == arcade.MOUSE_BUTTON_RIGHT)

    def click(self, at: Click, fire: bool) -> None:
        """A cell was pointed at, here or on the level boards."""
        if self.skip():
            return
        self.play.click(at, fire)
        self._after_intent()

    def _after_intent(self) -> None:
        """Something was chosen: shows it, or what follows from it."""
        if self.play.refusal:
            self.window.sounds.play("refuse")
        elif self.play.choosing.picked:
            self.window.sounds.play("select")
        if self.play.is_behind:
            self.show_events()
        self.sync()

    def choose_verb(self, verb: Verb) -> None:
        """An action was chosen from the bar, the menu or by its key."""
        self.stage.set_focus(None)
        if self.skip():
            return
        self.pointer.typing = ""
        self.play.choose_verb(verb)
        self._after_intent()

    # Keys ---------------------------------------------------------------------------------

    def on_key(self, symbol: int, modifiers: int) -> bool:
        """Arrows and levels move the cursor, Enter acts, letters choose an action."""
        if self.skip():
            return True
        if press(self, symbol, modifiers):
            return True
        if modifiers & key.MOD_CTRL:
            return False
        if symbol in (key.LALT, key.RALT):
            self.looks.threats()
        elif symbol == key.F10:
            self.menus.open(0)
        else:
            return self.pointer.press(symbol, modifiers)
        return True

    def on_key_up(self, symbol: int, modifiers: int) -> None:
        """Alt shows threats while it is held."""
        if symbol in (key.LALT, key.RALT) and self.view.threats:
            self.looks.threats()

    def leave(self) -> None:
        """Leaves the table, after a question."""
        self.match.leave()

    def look_back(self) -> None:
        """Shows the match so far as the viewer may know it."""
        recording = self.session.recording(self.play.viewer)
        if recording is None or self.acts.look_back is None:
            self.toasts.tell("There is nothing to look back on yet.")
            return
        name = save_name(self.session.names, self.play.state.turn)
        self.acts.look_back(recording, name, self.play.viewer)

    def confirm(self) -> None:
        """Enter without a square."""
        self.play.confirm()
        self._after_intent()

    def _back(self) -> None:
        """Escape: one step back; with nothing to go back from, the way out."""
        pointer = self.pointer
        if pointer.typing:
            pointer.typing = ""
        elif self.skip() or self.play.back():
            pass
        elif pointer.cell is not None:
            pointer.cell = None
        else:
            self.leave()
            return
        self.sync()
