"""The table: board, players, allowance, levels, history, actions, and one sentence."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import arcade
from pyglet.window import key

from cloakboard.client import theme
from cloakboard.client.boards import wec_geometry as geometry
from cloakboard.client.boards.wec import Board
from cloakboard.client.boards.wec_effects import Effects, sound_of
from cloakboard.client.boards.wec_figures import Style
from cloakboard.client.boards.wec_levels import LevelBoards, boards_height, exact_click
from cloakboard.client.canvas import Box
from cloakboard.client.choose import Choosing, Click, marks
from cloakboard.client.marks import Mark
from cloakboard.client.play import Play
from cloakboard.client.session import Quality
from cloakboard.client.steps import Verb, Who
from cloakboard.client.tokens import PieceSet
from cloakboard.client.typed import square_typed, typed
from cloakboard.client.views.table_layout import TableLayout, arrange
from cloakboard.client.views.table_parts import (
    LINK_PAINTS,
    ActionButton,
    Chooser,
    Curtain,
    History,
    HoverCard,
    PlayerCard,
    link_text,
)
from cloakboard.client.widgets import (
    Chip,
    Choice,
    Dialog,
    IconButton,
    Label,
    Look,
    Panel,
    StatusLine,
    Tone,
    confirm,
)
from cloakboard.client.window import Screen
from cloakboard.client.words import ARTICLES, LEVELS, SIDES, condition, outcome, piece_name, place
from cloakboard.engine.wec.board import ref_of
from cloakboard.engine.wec.state import AIR, GROUND, SQUARES, SUB, Piece

if TYPE_CHECKING:
    from cloakboard.client.session import Session
    from cloakboard.client.window import CloakWindow

VERBS: Final = MappingProxyType(
    {
        Verb.MOVE: ("Move", "ui.move", "M", key.M),
        Verb.DOZE: ("Doze", "piece.DO", "Z", key.Z),
        Verb.FIRE: ("Fire", "ui.fire", "F", key.F),
        Verb.PICK_UP: ("Pick up", "ui.pick_up", "P", key.P),
        Verb.DROP: ("Drop", "ui.drop", "D", key.D),
        Verb.EXCHANGE: ("Exchange", "ui.exchange", "X", key.X),
        Verb.REINFORCE: ("Reinforce", "ui.reinforce", "R", key.R),
        Verb.END: ("End Turn", "ui.end_turn", "E", key.E),
    }
)
CHIP_ICONS: Final = (
    "ui.move",
    "ui.fire",
    "ui.pick_up",
    "ui.drop",
    "ui.exchange",
    "ui.reinforce",
)
ARROWS: Final = MappingProxyType(
    {key.LEFT: (-1, 0), key.RIGHT: (1, 0), key.UP: (0, 1), key.DOWN: (0, -1)}
)
LEVEL_KEYS: Final = MappingProxyType({key._1: GROUND, key._2: AIR, key._3: SUB})
HIGHER: Final = MappingProxyType({SUB: GROUND, GROUND: AIR, AIR: AIR})
LOWER: Final = MappingProxyType({AIR: GROUND, GROUND: SUB, SUB: SUB})
ACT_KEYS: Final = frozenset({key.RETURN, key.ENTER, key.NUM_ENTER, key.SPACE})


class TableScreen(Screen):
    """A match. `on_leave` is called when the player leaves the table; `on_rematch`, if there can
    be one, starts another with the same players."""

    def __init__(
        self,
        window: CloakWindow,
        session: Session,
        on_leave: Callable[[], None],
        on_rematch: Callable[[], None] | None = None,
        style: Style | None = None,
    ) -> None:
        super().__init__(window)
        self.session = session
        self.play = Play(session)
        self.on_leave = on_leave
        self.on_rematch = on_rematch
        self.board = Board(self.canvas, style or Style(PieceSet.DETAILED))
        self.effects = Effects(self.board, window.animator)
        self.cursor: int | None = None
        self.level = GROUND
        self.typing = ""
        self._wait_ms = 0.0
        self._layout: TableLayout | None = None
        self._mouse = (0.0, 0.0)
        self._hovered: Piece | None = None
        self._chooser: Chooser | None = None
        self._curtain: Curtain | None = None
        self._has_told_end = False
        self._make_widgets()
        self.stage.on_cancel = self._back

    def _make_widgets(self) -> None:
        stage, play = self.stage, self.play
        self.title = Label(stage, "", theme.SUBHEADING)
        self.tools = {
            name: IconButton(stage, icon, hint, act)
            for name, icon, hint, act in (
                ("undo", "ui.undo", "Take back the last action (Ctrl+Z)", self.undo),
                ("draw", "ui.draw", "Offer a draw", self.offer_draw),
                ("resign", "ui.flag", "Resign", self.resign),
                ("save", "ui.save", "Save the match (Ctrl+S)", self.save),
                ("full", "ui.expand", "Full screen (F11)", self.window.toggle_fullscreen),
                ("leave", "ui.exit", "Leave the table", self.leave),
            )
        }
        self.cards = {seat: PlayerCard(stage, seat) for seat in range(session_seats(play))}
        self.turn_panel = Panel(stage)
        self.turn_label = Label(stage, "", theme.STRONG)
        self.chips = [
            Chip(stage, chip.label, icon)
            for chip, icon in zip(play.chips(), CHIP_ICONS, strict=True)
        ]
        self.levels = LevelBoards(stage, self._click)
        self.history = History(stage)
        self.status = StatusLine(stage)
        self.buttons = {
            verb: ActionButton(
                stage,
                text,
                lambda verb=verb: self._choose_verb(verb),  # type: ignore[misc]  # bound now
                icon=icon,
                key_name=key_name,
                look=Look.PRIMARY if verb is Verb.END else Look.NORMAL,
            )
            for verb, (text, icon, key_name, _) in VERBS.items()
        }
        self.card = HoverCard(stage)

    # Placing ------------------------------------------------------------------------------

    def arrange(self, box: Box) -> None:
        """Places everything for the window's box."""
        self._layout = layout = arrange(box, self.scale)
        self._arrange_top(layout.top)
        self._arrange_panel(layout.panel)
        self.status.place(layout.status)
        widths = layout.bar.columns(len(self.buttons), self.px(6))
        for button, room in zip(self.buttons.values(), widths, strict=True):
            button.place(room)
        self._rebuild()
        for overlay in (self._chooser, self._curtain):
            if overlay is not None:
                overlay.arrange()

    def _arrange_top(self, top: Box) -> None:
        size = self.px(34)
        right = top.right - self.px(12)
        for button in reversed(self.tools.values()):
            button.place(Box(right - size, top.y + (top.height - size) / 2, size, size))
            right -= size + self.px(4)
        left = top.x + self.px(16)
        self.title.place(Box(left, top.y, right - left, top.height))

    def _arrange_panel(self, panel: Box) -> None:
        px, gap = self.px, self.px(8)
        far, near = self._seats_in_order()
        card_height = px(52)
        far_box, rest = panel.cut_top(card_height, gap)
        self.cards[far].place(far_box)
        near_box, rest = rest.cut_bottom(card_height, gap)
        self.cards[near].place(near_box)
        chip = px(30)
        turn_height = px(34) + 2 * chip + px(6) + px(10)
        turn_box, rest = rest.cut_bottom(turn_height, gap)
        self.turn_panel.place(turn_box)
        inner = turn_box.inset(px(10), px(8))
        label, chips = inner.cut_top(px(26))
        self.turn_label.place(label)
        rows = chips.rows(2, px(6))
        places = [box for row in rows for box in row.columns(3, px(6))]
        for widget, place_ in zip(self.chips, places, strict=True):
            widget.place(place_)
        height = min(boards_height(rest.width, self.scale), rest.height * 0.5)
        levels, rest = rest.cut_top(height, gap)
        self.levels.place(levels)
        self.history.place(rest)

    def _seats_in_order(self) -> tuple[int, int]:
        """The seat shown far away, and the one whose eyes the screen has."""
        near = self.play.viewer
        return next(seat for seat in self.cards if seat != near), near

    def _rebuild(self) -> None:
        """Draws the board anew: another size, another viewer, another past."""
        if self._layout is None:
            return
        self.window.animator.skip()
        self.board.place(self._layout.board, self.scale, self.play.viewer)
        self.board.show(self.play.state, self.play.viewer)
        self._sync()

    # Time ---------------------------------------------------------------------------------

    def update(self, passed_ms: float) -> None:
        """Shows what happened, one event after the other; then asks for more."""
        self._wait_ms -= passed_ms
        if self._curtain is not None or self._wait_ms > 0:
            return
        if self.play.is_behind:
            self._show_events()
        elif not self.window.animator.is_active:
            self._take_in()

    def _show_events(self) -> None:
        """Shows events until one takes time."""
        self._wait_ms = 0.0
        while self._wait_ms <= 0 and (shown := self.play.next_event()) is not None:
            before, event, after = shown
            self.board.show(after, self.play.viewer)
            self._wait_ms = self.effects.play(before, event, self.play.following())
            sound = sound_of(event)
            if sound:
                self.window.sounds.play(sound)
        self._sync()

    def _take_in(self) -> None:
        viewer, was_acting = self.play.viewer, self.play.may_act
        happenings = self.play.poll()
        if self.play.curtain is not None:
            self._draw_curtain()
        elif not self.play.is_behind and self.play.result is not None and not self._has_told_end:
            self._tell_end()
        elif happenings and not self.play.is_behind:
            self._rebuild()
        if self.play.notice:
            self.toasts.tell(self.play.notice)
            self.play.notice = ""
        if self.play.offer is not None:
            self._tell_offer()
        if self.play.may_act and not was_acting and viewer == self.play.viewer:
            self.window.sounds.play("turn")
        if happenings:
            self._sync()

    def _draw_curtain(self) -> None:
        seat = self.play.curtain
        assert seat is not None
        self.card.show(False)
        self._curtain = Curtain(
            self.stage,
            f"{SIDES[seat]} to play",
            f"Hand the device to {self.session.names[seat]}. "
            "Nobody else should look at the screen now.",
            self._raise_curtain,
        )

    def _raise_curtain(self) -> None:
        self._curtain = None
        self.play.raise_curtain()
        self.cursor = None
        if self._layout is not None:
            self._arrange_panel(self._layout.panel)
        self._rebuild()

    def _skip(self) -> bool:
        """Ends what is being shown; True if anything was."""
        was_moving = self.play.skip()
        if was_moving:
            self._wait_ms = 0.0
            self._rebuild()
        return was_moving

    # What the screen says -------------------------------------------------------------------

    def _sync(self) -> None:
        """Marks, sentence, chips, buttons, players and history as they are now."""
        play = self.play
        state = play.state
        shown = marks(play.menu, play.choosing) if play.may_act else ()
        self.board.mark(shown, self.cursor, self._hover_marks())
        self.levels.show_state(
            state, play.viewer, shown, -1 if self.cursor is None else self.cursor
        )
        self._say_status()
        for chip, widget in zip(play.chips(), self.chips, strict=True):
            widget.set_count(chip.left if state.side == play.viewer else 0)
        whose = "Your Turn" if state.side == play.viewer else f"{SIDES[state.side]}'s Turn"
        self.turn_label.say(f"Turn {state.turn} · {whose}")
        self.title.say(f"{self.session.game.title} · Turn {state.turn}")
        for verb, button in self.buttons.items():
            button.switch(verb is play.choosing.verb and play.may_act and verb is not Verb.END)
            button.enable(play.may_act and (verb is Verb.MOVE or play.menu.can(verb)))
        self.tools["undo"].enable(self.session.can_undo() and play.result is None)
        for name in ("draw", "resign"):
            self.tools[name].enable(play.result is None)
        for seat, card in self.cards.items():
            self._say_player(seat, card)
        self.history.say(play.history[play.viewer])
        if play.asking is not None and self._chooser is None:
            self._ask()
        self.window.invalidate()

    def _say_status(self) -> None:
        play = self.play
        if self.typing:
            self.status.say(f"Square {self.typing} … Enter chooses it.", Tone.ACT)
        elif play.refusal:
            self.status.say(play.refusal, Tone.REFUSED)
        elif play.may_act:
            self.status.say(play.status(), Tone.ACT)
        else:
            self.status.say(play.status(), Tone.FRIEND)

    def _say_player(self, seat: int, card: PlayerCard) -> None:
        play = self.play
        is_here = seat in self.session.seats_here
        if is_here:
            presence, paint = ("you" if seat == play.viewer else "at this table"), theme.TEAL
        else:
            presence, paint = link_text(play.link), LINK_PAINTS[play.link.quality]
            if play.link.quality is Quality.HOME:
                presence = "computer"
        is_to_play = play.result is None and play.state.side == seat
        card.say(play.name(seat), presence, paint, is_to_play, "to play" if is_to_play else "")

    def _hover_marks(self) -> tuple[tuple[int, Mark], ...]:
        """Where the own piece under the pointer could go or act, before it is chosen."""
        play, piece = self.play, self._hovered
        if piece is None or not play.may_act or play.choosing.picked or piece.side != play.viewer:
            return ()
        ref = ref_of(play.state, piece)
        verb = play.choosing.verb
        for path in play.menu.paths(verb):
            if path and isinstance(path[0], Who) and path[0].ref == ref:
                hovered = Choosing(verb, path[:1])
                found = marks(play.menu, hovered)
                kinds = {"go": Mark.REACH, "take": Mark.THREAT, "aim": Mark.THREAT}
                return tuple(
                    (mark.cell % SQUARES, kinds[mark.kind]) for mark in found if mark.kind in kinds
                )
        return ()

    def _ask(self) -> None:
        asking = self.play.asking
        assert asking is not None
        square = self.cursor % SQUARES if self.cursor is not None else None
        near = self._mouse
        if square is not None:
            near = geometry.centre(self.board.frame, square)

        def choose(index: int) -> None:
            self._chooser = None
            self.play.answer(asking.steps[index])
            self._after_intent()

        def cancel() -> None:
            self._chooser = None
            self.play.back()
            self._after_intent()

        self._chooser = Chooser(
            self.stage,
            asking.question,
            [step.text for step in asking.steps],
            near,
            choose,
            cancel,
        )

    # Mouse --------------------------------------------------------------------------------

    def on_mouse(self, x: float, y: float) -> None:
        """The piece and the articles under the pointer are named."""
        self._mouse = (x, y)
        piece = self.board.piece_at(x, y)
        if piece != self._hovered:
            self._hovered = piece
            self._sync()
        self._say_hover(x, y)

    def _say_hover(self, x: float, y: float) -> None:
        square = geometry.square_under(self.board.frame, x, y)
        if square is None or self._curtain is not None:
            self.card.show(False)
            return
        state = self.play.state
        lying = tuple(
            f"Lies here: {ARTICLES[item.gear.kind]}"
            for item in state.lying
            if item.square == square
        )
        if self._hovered is not None:
            piece = self._hovered
            title = f"{SIDES[piece.side]} {piece_name(piece)}"
            self.card.say(title, condition(state, piece) + unseen(self.play, piece) + lying, x, y)
        elif lying:
            self.card.say(f"Square {place(square)}", lying, x, y)
        else:
            self.card.show(False)

    def on_press(self, x: float, y: float, button: int, modifiers: int) -> None:
        """Left does the current action, right fires."""
        self._mouse = (x, y)
        self.stage.set_focus(None)
        if self._skip():
            return
        at = self.board.click_at(x, y)
        if at is None:
            return
        self.cursor = None
        self.play.all_routes = bool(modifiers & key.MOD_SHIFT)
        self._click(at, button == arcade.MOUSE_BUTTON_RIGHT)

    def _click(self, at: Click, fire: bool) -> None:
        if self._skip():
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
            self._show_events()
        self._sync()

    def _choose_verb(self, verb: Verb) -> None:
        self.stage.set_focus(None)
        if self._skip():
            return
        self.typing = ""
        self.play.choose_verb(verb)
        self._after_intent()

    # Keys ---------------------------------------------------------------------------------

    def on_key(self, symbol: int, modifiers: int) -> bool:
        """Arrows and levels move the cursor, Enter acts, letters choose an action."""
        if self._skip():
            return True
        if modifiers & key.MOD_CTRL:
            commands = {key.Z: self.undo, key.S: self.save}
            if symbol in commands:
                commands[symbol]()
            return symbol in commands
        if symbol in ARROWS:
            self._move_cursor(*ARROWS[symbol])
        elif symbol in (key.PAGEUP, key.PAGEDOWN):
            self._set_level((HIGHER if symbol == key.PAGEUP else LOWER)[self.level])
        elif symbol in ACT_KEYS:
            self._act_at_cursor(bool(modifiers & key.MOD_SHIFT))
        elif key._0 <= symbol <= key._9 or symbol in (key.COMMA, key.PERIOD):
            self._type(symbol)
        else:
            for verb, (_, _, _, shortcut) in VERBS.items():
                if symbol == shortcut:
                    self._choose_verb(verb)
                    return True
            return False
        return True

    def _move_cursor(self, right: int, up: int) -> None:
        self.typing = ""
        near = self.play.viewer
        if self.cursor is None:
            square = geometry.moved(44, 0, 0, near)
        else:
            square = geometry.moved(self.cursor % SQUARES, right, up, near)
        self._put_cursor(square)

    def _put_cursor(self, square: int) -> None:
        self.stage.set_focus(None)
        self.cursor = self.level * SQUARES + square
        pieces = self.board.pieces_at(square)
        on_level = [piece for piece in pieces if piece.level == self.level]
        self._hovered = on_level[0] if on_level else None
        x, y = geometry.centre(self.board.frame, square)
        self._say_hover(x + self.board.frame.unit / 2, y)
        self._sync()

    def _set_level(self, level: int) -> None:
        self.level = level
        if self.cursor is not None:
            self._put_cursor(self.cursor % SQUARES)
        self.play.refusal = ""
        self.toasts.tell(f"Level: {LEVELS[level]}")

    def _type(self, symbol: int) -> None:
        text = "," if symbol in (key.COMMA, key.PERIOD) else chr(symbol)
        if text == "," and not self.typing:
            return
        self.typing = typed(self.typing, text)
        if self.typing == text and symbol in LEVEL_KEYS and self.cursor is not None:
            self.level = LEVEL_KEYS[symbol]
            self._put_cursor(self.cursor % SQUARES)
        self._sync()

    def _act_at_cursor(self, fire: bool) -> None:
        square = square_typed(self.typing)
        self.typing = ""
        if square is not None:
            self._put_cursor(square)
        if self.cursor is None:
            self.play.confirm()
            self._after_intent()
            return
        square, level = self.cursor % SQUARES, self.cursor // SQUARES
        if self.play.choosing.verb is Verb.DOZE and self._is_doze_done(square):
            self.play.confirm()
            self._after_intent()
            return
        self._click(exact_click(self.play.state, self.play.viewer, square, level), fire)

    def _is_doze_done(self, square: int) -> bool:
        """Whether Enter on this square ends the picking: it was picked already."""
        choosing = self.play.choosing
        return bool(choosing.picked) and not choosing.aiming and square in choosing.squares

    def _back(self) -> None:
        if self.typing:
            self.typing = ""
            self._sync()
            return
        if self._skip():
            return
        if self.play.back():
            self._sync()
        elif self.cursor is not None:
            self.cursor = None
            self.card.show(False)
            self._sync()
        else:
            self.leave()

    # The match as a whole ---------------------------------------------------------------------

    def undo(self) -> None:
        """Takes the last action back."""
        if self.session.can_undo() and self.play.result is None:
            self.session.undo()
            self._take_in()
            self._rebuild()

    def save(self) -> None:
        """Keeps the match under its players' names."""
        try:
            self.session.save(save_name(self.session.names, self.play.state.turn))
        except OSError as error:
            self.toasts.tell(f"Not saved: {error.strerror or error}", theme.CORAL)

    def offer_draw(self) -> None:
        """Asks before offering a draw."""
        agreed = len(self.session.seats_here) == len(self.session.names)
        text = (
            "The match ends now and nobody wins."
            if agreed
            else "Your friend may accept; then the match ends and nobody wins."
        )
        Dialog(
            self.stage,
            "Agree on a draw?" if agreed else "Offer a draw?",
            text,
            [
                Choice("Draw", lambda: self.session.offer_draw(self.play.viewer), Look.PRIMARY),
                Choice("Play on"),
            ],
        )

    def resign(self) -> None:
        """Asks before giving up."""
        other = SIDES[1 - self.play.viewer]
        confirm(
            self.stage,
            "Resign?",
            f"The match ends now and {other} wins.",
            "Resign",
            lambda: self.session.resign(self.play.viewer),
            "Play on",
        )

    def leave(self) -> None:
        """Asks what becomes of the match, unless it is over."""
        if self.play.result is not None:
            self._go()
            return
        Dialog(
            self.stage,
            "Leave the table?",
            "A saved match can be continued from the start screen.",
            [
                Choice("Save and leave", self._save_and_go, Look.PRIMARY),
                Choice("Leave without saving", self._go, Look.DANGER),
                Choice("Stay"),
            ],
        )

    def _save_and_go(self) -> None:
        self.save()
        self._go()

    def _go(self) -> None:
        self.session.close()
        self.on_leave()

    def _tell_offer(self) -> None:
        offer, self.play.offer = self.play.offer, None
        assert offer is not None
        Dialog(
            self.stage,
            f"{self.play.name(offer.seat)} offers a draw",
            "If you accept, the match ends now and nobody wins.",
            [
                Choice("Accept", lambda: self.session.offer_draw(self.play.viewer), Look.PRIMARY),
                Choice("Play on"),
            ],
        )

    def _tell_end(self) -> None:
        self._has_told_end = True
        result = self.play.result
        assert result is not None
        self._rebuild()
        headline, text = outcome(result, self.session.names)
        won = self.play.viewer in result.winners
        self.window.sounds.play("win" if won else "draw" if not result.winners else "lose")
        if self.play.verdict:
            text = f"{text}\n\nAudit: {self.play.verdict}"
        choices = [Choice("Leave the table", self._go), Choice("Look at the board")]
        if self.on_rematch is not None:
            choices.insert(0, Choice("Rematch", self.on_rematch, Look.PRIMARY))
        Dialog(self.stage, headline, text, choices)


def session_seats(play: Play) -> int:
    """How many seats the game of a table has."""
    return len(play.session.names)


def save_name(names: tuple[str, ...], turn: int) -> str:
    """A name for a save: letters, digits and dashes only, so that it is a file name anywhere."""
    text = "-".join(names) + f"-turn-{turn}"
    return "".join(char if char.isalnum() else "-" for char in text).strip("-")[:80]


def unseen(play: Play, piece: Piece) -> tuple[str, ...]:
    """A line for the hover card about who sees a piece that is not public (WEC-97)."""
    if piece.handle:
        return ()
    if piece.side == play.viewer:
        return ("The enemy does not see it",)
    return ("Only you see it; its owner does not know",)
