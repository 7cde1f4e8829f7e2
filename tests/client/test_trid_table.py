"""A match of tri-dimensional chess at its table: by mouse and keyboard, flat and in the scene."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import arcade
import pytest
from pyglet.window import key

from cloakboard.client import textures, theme
from cloakboard.client.boards import trid_space as space
from cloakboard.client.boards.trid_flat import pin_box
from cloakboard.client.boards.trid_look import worn
from cloakboard.client.local_session import LocalSession
from cloakboard.client.views.connect import FriendScreen
from cloakboard.client.views.local import LocalScreen
from cloakboard.client.views.page import Offer
from cloakboard.client.views.table_menus import TableActs
from cloakboard.client.views.trid_table import TridTable
from cloakboard.client.widgets import Button
from cloakboard.client.window import CloakWindow
from cloakboard.engine.registry import game
from cloakboard.engine.trid.actions import Move
from cloakboard.engine.trid.board import NAMED, PINS
from cloakboard.engine.trid.notation.moves import read_move
from tests.client.conftest import resized
from tests.client.samples import shown
from tests.client.test_trid_choose import RICH

TRID = game("trid")
MATE = "d2W-d4W a7B-a6B b2W-b3N b7B-b5N d1W-c3N d8B-b7B c3N-d5N d7B-d6B O-O b7B-a5N d5N-c7B"


def opened(
    window: CloakWindow, setup: str = "", deep: bool = True, computers: tuple[int, ...] = ()
) -> TridTable:
    session = LocalSession(TRID, ("Ann", "Bob"), setup=setup, seed=b"t", computers=computers)
    screen = TridTable(window, session, window.close)
    window.open_screen(screen)
    if not deep:
        screen.switch_view()
    settle(window, screen)
    return screen


def settle(window: CloakWindow, screen: TridTable) -> None:
    """Lets everything that is being shown come to its end."""
    for _ in range(100):
        window.on_update(0.1)
        window.on_draw()
        if not (screen.play.is_behind or window.animator.is_active):
            break


def spot(screen: TridTable, name: str) -> tuple[int, int]:
    """Where a square or a pin is on the screen."""
    if screen.is_deep:
        where = space.pin_middle(PINS.index(name)) if name in PINS else space.middle(NAMED[name])
        x, y = space.projected(screen.scene.camera, screen.scene.box, where)
    elif name in PINS:
        x, y = pin_box(screen.flat.flat, PINS.index(name)).centre
        x, y = x + 3, y + 3
    else:
        x, y = screen.flat.centre(NAMED[name])
    return round(x), round(y)


def press(window: CloakWindow, screen: TridTable, name: str, button: int = 1) -> None:
    x, y = spot(screen, name)
    window.on_mouse_motion(x, y, 0, 0)
    window.on_mouse_press(x, y, button, 0)


def release(window: CloakWindow, screen: TridTable, name: str, button: int = 1) -> None:
    x, y = spot(screen, name)
    window.on_mouse_drag(x, y, 0, 0, button, 0)
    window.on_mouse_release(x, y, button, 0)
    settle(window, screen)


def click(window: CloakWindow, screen: TridTable, *names: str) -> None:
    for name in names:
        press(window, screen, name)
        release(window, screen, name)


def tap(window: CloakWindow, screen: TridTable, *symbols: int) -> None:
    for symbol in symbols:
        window.on_key_press(symbol, 0)
        settle(window, screen)


def men(screen: TridTable, *names: str) -> str:
    return "".join(screen.session.state(0).men[NAMED[name]] for name in names)


VIEWS = pytest.mark.parametrize("deep", [True, False], ids=["scene", "flat"])


@VIEWS
def test_a_move_by_two_clicks(window: CloakWindow, deep: bool) -> None:
    screen = opened(window, deep=deep)
    click(window, screen, "b2W", "b3N")
    assert men(screen, "b2W", "b3N") == ".P"
    assert screen.play.status().startswith("Black to play")


@VIEWS
def test_a_move_by_dragging(window: CloakWindow, deep: bool) -> None:
    screen = opened(window, deep=deep)
    press(window, screen, "c2W")
    release(window, screen, "c3W")
    assert men(screen, "c2W", "c3W") == ".P"


@VIEWS
def test_a_drag_that_ends_nowhere_leaves_the_man_picked(window: CloakWindow, deep: bool) -> None:
    screen = opened(window, deep=deep)
    press(window, screen, "c2W")
    x, y = round(screen.scene.box.right - 10), round(screen.scene.box.y + 10)
    window.on_mouse_drag(x, y, 0, 0, 1, 0)
    window.on_draw()
    window.on_mouse_release(x, y, 1, 0)
    settle(window, screen)
    assert screen.play.choosing.origin == NAMED["c2W"]
    click(window, screen, "c3W")
    assert men(screen, "c2W", "c3W") == ".P"


@VIEWS
def test_td_65_a_board_is_dragged_and_turned_with_the_right_button(
    window: CloakWindow, deep: bool
) -> None:
    screen = opened(window, RICH, deep=deep)
    click(window, screen, "a4QL2")
    assert screen.play.choosing.pin == PINS.index("QL2")
    press(window, screen, "a4QL2", arcade.MOUSE_BUTTON_RIGHT)
    release(window, screen, "a4QL2", arcade.MOUSE_BUTTON_RIGHT)
    assert screen.play.choosing.turned
    press(window, screen, "a4QL2")
    release(window, screen, "KL2")
    assert men(screen, "e4KL2") == "N"


@VIEWS
def test_a_match_by_keyboard_alone(window: CloakWindow, deep: bool) -> None:
    screen = opened(window, RICH, deep=deep)
    tap(window, screen, key.B)
    assert screen.play.choosing.pin == PINS.index("QL2")
    tap(window, screen, key.RIGHT, key.RETURN)  # the pins: KL2, then QL3
    assert men(screen, "z3QL3") == "N"
    tap(window, screen, key.UP)
    assert screen.cursor == NAMED["e9KL6"]
    tap(window, screen, key.RETURN, key.LEFT)
    assert screen.cursor == NAMED["d9KL6"]
    tap(window, screen, key.RETURN)
    assert men(screen, "d9KL6", "e9KL6") == "k."


@VIEWS
def test_td_54_a_promotion_is_chosen(window: CloakWindow, deep: bool) -> None:
    screen = opened(window, RICH, deep=deep)
    click(window, screen, "b7B", "b8B")
    tap(window, screen, key._2)
    assert men(screen, "b8B") == "R"


@VIEWS
def test_td_72_castling_by_key(window: CloakWindow, deep: bool) -> None:
    screen = opened(window, RICH, deep=deep)
    tap(window, screen, key.K)
    assert men(screen, "d0KL1", "e0KL1") == "RK"


def test_a_refused_click_says_why(window: CloakWindow) -> None:
    screen = opened(window, deep=False)
    click(window, screen, "b2W", "b5N")
    assert "does not get to b5N" in screen.play.refusal
    tap(window, screen, key.ESCAPE)
    assert screen.play.refusal == ""


def test_what_is_pointed_at_tells_why_the_picked_man_cannot_go_there(window: CloakWindow) -> None:
    screen = opened(window, deep=False)
    click(window, screen, "b2W")
    window.on_mouse_motion(*spot(screen, "b5N"), 0, 0)
    assert " ".join(screen.panel.info.said[1]).startswith("The Pawn on b2W does not get to b5N")


def test_td_72_a_dead_button_says_why_not(window: CloakWindow) -> None:
    screen = opened(window)
    button = screen.buttons["near"]
    assert not button.is_enabled
    tap(window, screen, key.K)
    by_key = screen.status.label
    tap(window, screen, key.ESCAPE)
    assert screen.status.label != by_key
    x, y = (int(part) for part in button.box.centre)
    window.on_mouse_press(x, y, 1, 0)
    window.on_mouse_release(x, y, 1, 0)
    assert screen.status.label == by_key


def test_td_82_mate_is_told_and_marked(window: CloakWindow) -> None:
    screen = opened(window)
    for ply, text in enumerate(MATE.split()):
        screen.session.act(ply % 2, read_move(text))
        settle(window, screen)
    settle(window, screen)
    assert screen.play.plies[-1].text == "Nxc7B#"
    assert screen.play.check() == NAMED["d9KL6"]
    assert screen.match.is_open
    tap(window, screen, key.ESCAPE)
    assert not screen.match.is_open
    screen.match.after.click()
    assert screen.match.is_open


def test_redo_after_undo(window: CloakWindow) -> None:
    screen = opened(window)
    click(window, screen, "b2W", "b3W")
    for symbol in (key.Z, key.Y):
        window.on_key_press(symbol, key.MOD_CTRL)
        settle(window, screen)
    assert men(screen, "b2W", "b3W") == ".P"
    assert [ply.text for ply in screen.play.plies] == ["b3W"]


def test_views_are_switched_in_mid_game_with_a_man_picked(window: CloakWindow) -> None:
    screen = opened(window)
    click(window, screen, "b2W")
    tap(window, screen, key.V)
    assert not screen.is_deep
    click(window, screen, "b3W")
    tap(window, screen, key.V)
    assert men(screen, "b3W") == "P"


def test_the_scene_is_turned_by_a_drag_beside_the_boards_and_by_keys(window: CloakWindow) -> None:
    screen = opened(window)
    before = screen.scene.camera
    x, y = round(screen.scene.box.x + 20), round(screen.scene.box.y + 20)
    window.on_mouse_motion(x, y, 0, 0)
    window.on_mouse_press(x, y, 1, 0)
    window.on_mouse_drag(x + 60, y, 60, 0, 1, 0)
    window.on_mouse_release(x + 60, y, 1, 0)
    dragged = screen.scene.camera
    assert dragged.yaw != before.yaw
    window.on_key_press(key.LEFT, key.MOD_SHIFT)
    assert screen.scene.camera.yaw != dragged.yaw
    window.on_mouse_scroll(x, y, 0, 2)
    assert screen.scene.camera.distance < before.distance
    tap(window, screen, key.HOME)
    assert screen.scene.camera == before


def test_the_computer_answers(window: CloakWindow) -> None:
    screen = opened(window, computers=(1,))
    click(window, screen, "b2W", "b3W")
    for _ in range(20):
        settle(window, screen)
    assert len(screen.play.plies) == 2
    assert screen.play.may_act


def test_undo_and_looking_back(window: CloakWindow) -> None:
    screen = opened(window)
    click(window, screen, "b2W", "b3W")
    tap(window, screen, key.COMMA)
    assert screen.play.looking == 0
    tap(window, screen, key.PERIOD)
    assert screen.play.looking is None
    window.on_key_press(key.Z, key.MOD_CTRL)
    settle(window, screen)
    assert men(screen, "b2W") == "D"


def test_td_87_resigning_names_the_winner(window: CloakWindow) -> None:
    screen = opened(window)
    click(window, screen, "b2W", "b3W")
    screen.session.resign(1)
    settle(window, screen)
    settle(window, screen)
    assert screen.match.is_open
    assert screen.play.result is not None
    assert screen.play.result.winners == (0,)


@pytest.mark.parametrize("size", [(1024, 640), (1280, 720), (2560, 1440)])
@VIEWS
def test_the_table_fits_its_window(window: CloakWindow, size: tuple[int, int], deep: bool) -> None:
    resized(window, *size)
    screen = opened(window, deep=deep)
    for button in screen.buttons.values():
        assert button.box.x >= 0 and button.box.right <= size[0]
    for square in NAMED:
        if square[2:] in ("W", "N", "B"):
            x, y = spot(screen, square)
            assert screen.board.hit(x, y).square is not None


def test_the_match_so_far_is_looked_back_on_and_settings_are_at_hand(window: CloakWindow) -> None:
    asked: list[tuple[int, int]] = []
    settings: list[str] = []
    acts = TableActs(
        look_back=lambda recording, name, near: asked.append((len(recording.log), near)),
        settings=lambda: settings.append("settings"),
    )
    session = LocalSession(TRID, ("Ann", "Bob"), seed=b"t")
    screen = TridTable(window, session, window.close, acts=acts)
    window.open_screen(screen)
    session.act(0, Move(NAMED["b2W"], NAMED["b3N"]))
    settle(window, screen)
    tap(window, screen, key.H)
    screen.tools["settings"].click()
    assert (asked, settings) == ([(1, 0)], ["settings"])
    session.resign(1)
    settle(window, screen)
    settle(window, screen)
    assert screen.match.open_dialog is not None
    screen.match.open_dialog.answer(0)
    assert asked == [(1, 0), (1, 0)]


@pytest.fixture
def own_colours() -> Iterator[dict[str, str]]:
    yield {"board.light": "#204080", "board.dark": "#102040", "white": "#F3D27A"}
    theme.recolour({})


@VIEWS
def test_the_players_own_colours_are_worn_at_once(
    window: CloakWindow, deep: bool, own_colours: dict[str, str], tmp_path: Path
) -> None:
    screen = opened(window, deep=deep)
    x, y = spot(screen, "b3W")
    window.on_mouse_motion(5, 5, 0, 0)

    def seen() -> tuple[int, int, int]:
        settle(window, screen)
        picture = shown(window, tmp_path / "table.png")
        red, green, blue = picture.getpixel((x, picture.height - 1 - y))  # type: ignore[misc]
        return red, green, blue

    square = seen()
    theme.recolour(own_colours)
    textures.forget()
    resized(window, 1280, 720)
    own = seen()
    assert own[2] > own[0] and square[0] > square[2]  # blue where it was brown
    assert worn().boards[0].light == theme.colour("#204080")
    assert len(set(worn().boards)) == 3


def test_the_game_is_chosen_where_a_match_is_set_up(window: CloakWindow) -> None:
    chosen: list[str] = []
    offer = Offer((game("wec"), TRID), lambda other: chosen.append(other.id))
    local = LocalScreen(window, TRID, "Ann", True, lambda match: None, offer=offer)
    window.open_screen(local)
    assert [label.label for label in local.labels] == ["White, moves first", "Black"]
    friend = FriendScreen(
        window, TRID, lambda options, setup: None, lambda invite: None, offer=offer
    )
    window.open_screen(friend)
    for screen in (local, friend):
        button = next(
            each for each in screen.stage._widgets
            if isinstance(each, Button) and each.label == "Weaponized Chess"
        )  # fmt: skip
        button.click()
    assert chosen == ["wec", "wec"]
