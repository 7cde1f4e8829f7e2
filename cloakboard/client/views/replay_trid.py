"""The replay of tri-dimensional chess, flat or in the scene."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import arcade
from pyglet.window import key

from cloakboard.client import theme
from cloakboard.client.boards import trid_choose as choose
from cloakboard.client.boards.trid_flat import FlatBoard
from cloakboard.client.boards.trid_look import Hit, Look, at_rest
from cloakboard.client.boards.trid_play import captured, ends, way
from cloakboard.client.boards.trid_scene import SceneBoard
from cloakboard.client.canvas import Box
from cloakboard.client.marks import Mark
from cloakboard.client.trid_reel import TridReel
from cloakboard.client.views.replay import GAP, ReplayScreen
from cloakboard.client.views.trid_panel import TAKEN, Captured
from cloakboard.client.views.trid_screen import SOUNDS
from cloakboard.client.widgets import Button
from cloakboard.engine.trid.board import SIDES
from cloakboard.engine.trid.pieces import man
from cloakboard.engine.trid.rules import checked
from cloakboard.engine.trid.state import NOWHERE, State

if TYPE_CHECKING:
    from cloakboard.engine.events import Event

ORBIT: Final = -0.008  # radians that the scene turns for a pixel


class TridReplay(ReplayScreen):
    """Nothing is hidden; both views, and what each side has captured."""

    @property
    def reel(self) -> TridReel:
        """What is seen."""
        film = self.projector.film
        assert isinstance(film, TridReel)
        return film

    @property
    def _shown(self) -> State:
        shown: State = self.projector.shown
        return shown

    @property
    def board(self) -> FlatBoard | SceneBoard:
        """The view that is shown."""
        return self.scene if self.is_deep else self.flat

    def make_film(self, eyes: int | None) -> TridReel:
        """The recording."""
        return TridReel(self.recording, eyes)

    def make_board(self) -> None:
        """Both views."""
        self.is_deep = True
        self._orbits = False
        self.flat = FlatBoard(self.canvas)
        self.scene = SceneBoard(self.window.ctx, self.canvas)

    def make_parts(self) -> None:
        """The captured men, and the choice of the view."""
        self.captured = {side: Captured(self.stage) for side in SIDES}
        self.view = Button(
            self.stage, "", self.switch_view, icon="ui.levels", style=theme.SMALL, key_name="V"
        )
        self._choose_view()

    def _choose_view(self) -> None:
        self.flat.show(not self.is_deep)
        self.scene.show(self.is_deep)
        self.view.say("Flat view" if self.is_deep else "3-D view")

    def place_board(self) -> None:
        """Both views, `near` at the bottom."""
        for board in (self.flat, self.scene):
            board.place(self.board_box, self.scale, self.near)

    def place_parts(self, panel: Box) -> Box:
        """The view's button, then what the far side has captured, and the near one."""
        px = self.px
        at, panel = panel.cut_top(px(34), px(GAP))
        self.view.place(at)
        for side in (1 - self.near, self.near):
            at, panel = panel.cut_top(px(TAKEN), px(4))
            self.captured[side].place(at)
        return panel

    def switch_view(self) -> None:
        """From the flat view to the scene, or back."""
        self.stage.set_focus(None)
        self.is_deep = not self.is_deep
        self._choose_view()
        self.rebuild()

    # What is shown --------------------------------------------------------------------------

    def show_state(self) -> None:
        """The men; the move that led there while it is not being shown."""
        step = self.projector.step
        marks: list[tuple[int, Mark]] = []
        path: tuple[int, ...] = ()
        if step and not self.projector.is_behind:
            one = self.reel.plies(step)[-1]
            marks += [(square, Mark.LAST) for square in ends(one)]
            path = way(one)
        king = checked(self._shown)
        if king != NOWHERE and not self.projector.is_behind:
            marks.append((king, Mark.THREAT))
        shown = tuple((sq, mark) for sq, mark in marks if choose.stands(self._shown, sq))
        self.board.set(Look(self._shown, shown, way=path))

    def show_event(self, before: State, event: Event) -> tuple[float, str]:
        """An event as at the table."""
        return self.board.play(event, self.window.animator), SOUNDS.get(type(event), "")

    def show_marks(self) -> None:
        """The move, and the men captured so far."""
        self.show_state()
        plies = self.reel.plies(self.projector.step)
        for side, row in self.captured.items():
            row.say("".join(man(kind, 1 - side) for kind in captured(plies, 1 - side)))

    def tell_about(self, x: float, y: float) -> None:
        """Who stands under the pointer."""
        self.info.say(*at_rest(self._shown, self.board.hit(x, y)))

    # Hands ----------------------------------------------------------------------------------

    def on_press(self, x: float, y: float, button: int, modifiers: int) -> None:
        """A drag turns the scene."""
        self.stage.set_focus(None)
        beside = self.board.hit(x, y) == Hit() or button != arcade.MOUSE_BUTTON_LEFT
        self._orbits = self.is_deep and beside

    def on_mouse(self, x: float, y: float) -> None:
        """What is under the pointer is told; a drag beside the boards turns the scene."""
        last = self._mouse
        super().on_mouse(x, y)
        if self._orbits:
            self.scene.orbit((x - last[0]) * ORBIT, (y - last[1]) * ORBIT)
            self.window.invalidate()

    def on_release(self, x: float, y: float, button: int) -> None:
        """The scene stands still."""
        self._orbits = False

    def on_scroll(self, x: float, y: float, steps: float) -> None:
        """The wheel brings the scene nearer."""
        if self.is_deep:
            self.scene.zoom(steps)
            self.window.invalidate()

    def press(self, symbol: int) -> bool:
        """V changes the view."""
        if symbol != key.V:
            return False
        self.switch_view()
        return True
