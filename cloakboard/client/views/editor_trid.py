"""The board editor of tri-dimensional chess, flat or in the scene (TRID section 10.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import arcade
from pyglet.window import key

from cloakboard.client.boards import trid_choose as choose
from cloakboard.client.boards.trid_flat import FlatBoard
from cloakboard.client.boards.trid_look import Hit, Look, has_board, hit_of
from cloakboard.client.boards.trid_scene import SceneBoard
from cloakboard.client.canvas import Box
from cloakboard.client.library import Library
from cloakboard.client.marks import Mark
from cloakboard.client.trid_draft import (
    BoardBrush,
    ManBrush,
    TridBrush,
    TridDraft,
    TridEraser,
)
from cloakboard.client.views.editor import DRAG, EditorActs, EditorScreen
from cloakboard.client.views.editor_trid_parts import Terms, TridInspector, TridPalette
from cloakboard.engine.scenario import Scenario
from cloakboard.engine.trid.board import NAMED, PINS, WHITE
from cloakboard.engine.trid.faults import Fault
from cloakboard.engine.trid.pieces import EMPTY, kind_of, man, side_of
from cloakboard.engine.trid.pieces import NAMES as KINDS
from cloakboard.engine.trid.text import SEATS

if TYPE_CHECKING:
    from cloakboard.client import drafting
    from cloakboard.client.window import CloakWindow

FIRST_SQUARE: Final = NAMED["b4N"]  # where the cursor appears
ORBIT: Final = -0.008  # radians that the scene turns for a pixel
LETTER_KEYS: Final = MappingProxyType(
    {key.K: "K", key.Q: "Q", key.R: "R", key.B: "B", key.N: "N", key.P: "P"}
)
ARROWS: Final = MappingProxyType(
    {key.LEFT: (-1, 0), key.RIGHT: (1, 0), key.UP: (0, 1), key.DOWN: (0, -1)}
)
LEVEL_KEYS: Final = MappingProxyType({key.PAGEUP: 1, key.PAGEDOWN: -1})
ACT_KEYS: Final = frozenset({key.RETURN, key.ENTER, key.NUM_ENTER, key.SPACE})


class TridEditor(EditorScreen):
    """Men and attack boards in either view."""

    draft: TridDraft

    def __init__(
        self,
        window: CloakWindow,
        made: Scenario,
        library: Library[Scenario],
        acts: EditorActs,
    ) -> None:
        self.near = WHITE
        self.is_deep = False
        self.cursor: int | None = None
        self.pin_cursor: int | None = None
        self._mouse = (0.0, 0.0)
        self._press: tuple[float, float, Hit, int] | None = None
        self._is_dragging = False
        super().__init__(window, TridDraft(made), library, acts)

    @property
    def board(self) -> FlatBoard | SceneBoard:
        """The view that is shown."""
        return self.scene if self.is_deep else self.flat

    def make_parts(self) -> None:
        """Both views, the palette, the terms, and what is selected."""
        stage = self.stage
        self.flat = FlatBoard(self.canvas)
        self.scene = SceneBoard(self.window.ctx, self.canvas)
        self.palette = TridPalette(
            stage, self._brush_taken, self._carried, self._dropped, self.switch_view
        )
        self.terms = Terms(stage, self.draft, self.told)
        self.inspector = TridInspector(stage, self.draft, self.told)
        self._choose_view()

    def place_parts(self, board: Box, panel: Box) -> Box:
        """The board left, the rest from the top of the panel."""
        self._board_box = board
        self._place_boards()
        rest = self.palette.place(panel, self.px)
        rest = self.terms.place(rest, self.px)
        return self.inspector.place(rest, self.px)

    def _place_boards(self) -> None:
        for board in (self.flat, self.scene):
            board.place(self._board_box, self.scale, self.near)

    def _choose_view(self) -> None:
        self.flat.show(not self.is_deep)
        self.scene.show(self.is_deep)
        self.palette.view.say("Flat view" if self.is_deep else "3-D view")

    def flip(self) -> None:
        """The other side sits at the bottom."""
        self.near = 1 - self.near
        self._place_boards()
        self.sync()

    def switch_view(self) -> None:
        """From the flat view to the scene, or back."""
        self.stage.set_focus(None)
        self.is_deep = not self.is_deep
        self._choose_view()
        self.sync()

    # What the screen says -------------------------------------------------------------------

    def show_draft(self, *, has_faults: bool) -> None:
        """Men and boards with what is wrong with them, and what is selected."""
        draft, state = self.draft, self.draft.state
        marks: list[tuple[int, Mark]] = []
        if has_faults:
            marks += [(fault.square, Mark.THREAT) for fault in draft.faults() if fault.square >= 0]
        if draft.square is not None:
            marks.append((draft.square, Mark.SELECTED))
        pins = tuple(self._pins())
        aimed = self.pin_cursor
        if aimed is None and pins and not self.stage.has_modal:
            aimed = self.board.hit(*self._mouse).pin
        aimed = aimed if aimed in pins else None
        ghosts: tuple[tuple[int, str], ...] = ()
        if draft.pin is not None and aimed is not None:
            ghosts = choose.ride(state, draft.pin, aimed, False)
        self.board.set(
            Look(
                state,
                tuple((square, mark) for square, mark in marks if choose.stands(state, square)),
                pins,
                draft.pin,
                aimed,
                ghosts,
                cursor=self.cursor,
                wanted=frozenset(self._wanted()),
            )
        )
        self.terms.sync()
        self.inspector.sync()

    def _pins(self) -> Iterator[int]:
        """Where a board could go: with one in hand, or one that is dragged or moved by keys."""
        is_moving = self.draft.pin is not None and (
            self._is_dragging or self.pin_cursor is not None
        )
        if isinstance(self.palette.brush, BoardBrush) or is_moving:
            yield from (pin for pin in range(len(PINS)) if not has_board(self.draft.state, pin))

    def _wanted(self) -> Iterator[Hit]:
        """What can be pointed at now, in the scene where boards are clear."""
        brush, state = self.palette.brush, self.draft.state
        takes_boards = not isinstance(brush, ManBrush) and self.draft.square is None
        for pin in range(len(PINS)):
            if takes_boards or (brush is None and has_board(state, pin)):
                yield Hit(None, pin)
        is_moving = self._is_dragging and self.draft.pin is not None
        if not isinstance(brush, BoardBrush) and not is_moving:
            yield from (hit_of(square) for square in range(len(state.men)))

    def asked(self) -> str:
        """What the next click does."""
        match self.palette.brush:
            case ManBrush(letter=letter):
                name = KINDS[kind_of(letter)]
                return f"Click a square to put {SEATS[side_of(letter)]}'s {name} there."
            case BoardBrush(owner=owner):
                return f"Click a pin to put an attack board that was first {SEATS[owner]}'s there."
            case TridEraser():
                return "Click what is to go."
            case None:
                return "Take a man from the palette, or drag one on the board; right takes away."

    def point_at(self, fault: drafting.Fault) -> None:
        """The cursor goes there."""
        if isinstance(fault, Fault) and fault.square >= 0:
            self.cursor = fault.square

    def _brush_taken(self, brush: TridBrush) -> None:
        self.refusal = ""
        self.pin_cursor = None
        if brush is not None:
            self.draft.select()
        self.sync()

    # Mouse --------------------------------------------------------------------------------

    def on_press(self, x: float, y: float, button: int, modifiers: int) -> None:
        """Left applies the brush or takes hold of a man or a board."""
        self.stage.set_focus(None)
        self._mouse = (x, y)
        self.cursor = self.pin_cursor = None
        hit = self.board.hit(x, y)
        self._press = (x, y, hit, button)
        if button != arcade.MOUSE_BUTTON_LEFT:
            return
        if self.palette.brush is not None:
            self.apply(hit)
            return
        state = self.draft.state
        self.refusal = ""
        if hit.square is not None and state.men[hit.square] != EMPTY:
            self.draft.select(hit.square)
        else:
            self.draft.select(pin=hit.pin)
        self.sync()

    def on_mouse(self, x: float, y: float) -> None:
        """What is held follows the mouse; a drag beside the boards turns the scene."""
        last, self._mouse = self._mouse, (x, y)
        press = self._press
        if press is None:
            if tuple(self._pins()):
                self.sync()
            return
        start_x, start_y, hit, button = press
        if self.is_deep and (button != arcade.MOUSE_BUTTON_LEFT or hit == Hit()):
            self.scene.orbit((x - last[0]) * ORBIT, (y - last[1]) * ORBIT)
            self.window.invalidate()
            return
        is_held = self.draft.square is not None or self.draft.pin is not None
        if self.palette.brush is not None or button != arcade.MOUSE_BUTTON_LEFT or not is_held:
            return
        self._is_dragging |= max(abs(x - start_x), abs(y - start_y)) > self.px(DRAG)
        if self._is_dragging and self.draft.square is not None:
            self.board.carry(self.draft.square, x, y)
            self.window.invalidate()
        elif self._is_dragging:
            self.sync()

    def on_release(self, x: float, y: float, button: int) -> None:
        """What was held is put down where it is let go, beside the boards' room it is gone."""
        press, self._press = self._press, None
        was_dragging, self._is_dragging = self._is_dragging, False
        self.board.put_down()
        if press is None:
            return
        start_x, start_y, hit, pressed = press
        if pressed != arcade.MOUSE_BUTTON_LEFT:
            if max(abs(x - start_x), abs(y - start_y)) <= self.px(DRAG):
                self._erase(hit)
            return
        if was_dragging:
            self._put_down(self.board.hit(x, y), is_out=not self._board_box.contains(x, y))

    def _put_down(self, hit: Hit, *, is_out: bool) -> None:
        draft = self.draft
        if is_out:
            self.inspector.erase()
        elif draft.square is not None and hit.square not in (None, draft.square):
            assert hit.square is not None
            self.told(draft.move(draft.square, hit.square))
        elif draft.pin is not None and hit.pin not in (None, draft.pin):
            assert hit.pin is not None
            self.told(draft.move_board(draft.pin, hit.pin))
        else:
            self.sync()

    def on_scroll(self, x: float, y: float, steps: float) -> None:
        """The wheel brings the scene nearer."""
        if self.is_deep:
            self.scene.zoom(steps)
            self.window.invalidate()

    def _carried(self, x: float, y: float) -> None:
        """A man is dragged from the palette."""
        self.cursor = self.board.hit(x, y).square
        self.sync()

    def _dropped(self, x: float, y: float) -> None:
        self.cursor = None
        hit = self.board.hit(x, y)
        if hit.square is not None:
            self.apply(hit)
        else:
            self.sync()

    def apply(self, hit: Hit) -> None:
        """Applies the brush where it was pointed."""
        match self.palette.brush:
            case ManBrush(letter=letter) if hit.square is not None:
                self.told(self.draft.put(letter, hit.square))
            case ManBrush() if hit.pin is not None:
                self.told(f"There is no attack board on {PINS[hit.pin]}; put one there first.")
            case BoardBrush(owner=owner) if hit.pin is not None:
                self.told(self.draft.put_board(owner, hit.pin))
            case TridEraser():
                self._erase(hit)

    def _erase(self, hit: Hit) -> None:
        """Takes away the man, or else the attack board."""
        state = self.draft.state
        if hit.square is not None and state.men[hit.square] != EMPTY:
            self.told(self.draft.erase(hit.square))
        elif hit.pin is not None and has_board(state, hit.pin):
            self.told(self.draft.erase_board(hit.pin))

    # Keys ---------------------------------------------------------------------------------

    def press(self, symbol: int, modifiers: int) -> bool:
        """Arrows move a cursor, Page Up and Down change its level, Enter applies the brush there;
        letters take men, with Shift Black's."""
        if symbol in LETTER_KEYS:
            side = int(bool(modifiers & key.MOD_SHIFT))
            self.palette.take(ManBrush(man(LETTER_KEYS[symbol], side)))
        elif symbol in ARROWS:
            self._move_cursor(*ARROWS[symbol])
        elif symbol in LEVEL_KEYS:
            state = self.draft.state
            at = FIRST_SQUARE if self.cursor is None else self.cursor
            self._put_cursor(choose.levelled(state, at, LEVEL_KEYS[symbol]))
        elif symbol in ACT_KEYS:
            self._act()
        elif symbol in KEYS:
            KEYS[symbol](self)
        else:
            return False
        return True

    def _move_cursor(self, right: int, up: int) -> None:
        """A cursor over squares; with a board in hand or selected, over pins."""
        if isinstance(self.palette.brush, BoardBrush) or self.draft.pin is not None:
            step = 1 if right + up > 0 else -1
            at = self.pin_cursor if self.pin_cursor is not None else self.draft.pin
            self.pin_cursor = 0 if at is None else (at + step) % len(PINS)
            self.sync()
            return
        if self.cursor is None:
            self._put_cursor(FIRST_SQUARE)
            return
        sign = 1 if self.near == WHITE else -1
        self._put_cursor(choose.moved(self.draft.state, self.cursor, right * sign, up * sign))

    def _put_cursor(self, square: int) -> None:
        self.stage.set_focus(None)
        self.cursor = square
        self.sync()

    def _act(self) -> None:
        """Applies the brush at the cursor, or selects what stands there."""
        draft = self.draft
        if self.pin_cursor is not None:
            pin, self.pin_cursor = self.pin_cursor, None
            if isinstance(self.palette.brush, BoardBrush):
                self.told(draft.put_board(self.palette.brush.owner, pin))
            elif draft.pin is not None and draft.pin != pin:
                self.told(draft.move_board(draft.pin, pin))
            else:
                self.sync()
        elif self.cursor is not None and self.palette.brush is not None:
            self.apply(hit_of(self.cursor))
        elif self.cursor is not None:
            draft.select(self.cursor)
            self.sync()

    def next_board(self) -> None:
        """Selects the next attack board, to be moved by arrows and Enter."""
        if self.palette.brush is not None:
            self.palette.take(None)
        pins = [one.pin for one in self.draft.state.boards]
        at = self.draft.pin
        if pins:
            self.draft.select(pin=pins[(pins.index(at) + 1) % len(pins) if at in pins else 0])
        self.cursor = self.pin_cursor = None
        self.sync()

    def turn_board(self) -> None:
        """Turns the selected board by half."""
        if self.draft.pin is not None:
            self.told(self.draft.turn_board(self.draft.pin))

    def delete(self) -> None:
        """Takes away what is selected, or what is under the cursor."""
        if self.draft.square is not None or self.draft.pin is not None:
            self.inspector.erase()
        elif self.cursor is not None:
            self.told(self.draft.erase(self.cursor))

    def step_back(self) -> bool:
        """Lays the brush down, or lets go of what is selected."""
        if self.palette.brush is not None:
            self.palette.take(None)
        elif self.draft.square is not None or self.draft.pin is not None or self.cursor is not None:
            self.draft.select()
            self.cursor = self.pin_cursor = None
        else:
            return False
        return True


KEYS: Final[Mapping[int, Callable[[TridEditor], None]]] = MappingProxyType(
    {
        key.F: TridEditor.flip,
        key.V: TridEditor.switch_view,
        key.G: TridEditor.next_board,
        key.T: TridEditor.turn_board,
        key.X: lambda screen: screen.palette.take(TridEraser()),
        key.M: lambda screen: screen.told(screen.draft.set_side(1 - screen.draft.state.side)),
        key.DELETE: TridEditor.delete,
        key.BACKSPACE: TridEditor.delete,
    }
)
