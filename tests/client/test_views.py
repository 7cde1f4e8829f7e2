"""A Turn is played on the table by mouse and by keyboard."""

from __future__ import annotations

from pathlib import Path

import arcade
import pytest
from pyglet.window import key

from cloakboard.client import theme
from cloakboard.client.boards import wec_geometry as geometry
from cloakboard.client.canvas import Box
from cloakboard.client.local_session import LocalSession
from cloakboard.client.session import Audited
from cloakboard.client.steps import Verb
from cloakboard.client.theme import Scale
from cloakboard.client.views.table import TableScreen
from cloakboard.client.views.table_layout import arrange
from cloakboard.client.views.table_parts import fitted
from cloakboard.client.widgets import Tone, text_width
from cloakboard.client.window import CloakWindow
from cloakboard.engine.registry import game
from cloakboard.engine.wec.state import AIR, BLACK, GROUND, SUB, WHITE, square_at
from tests.client.conftest import resized

WEC = game("wec")


def frame(window: CloakWindow, passed_ms: float = 16.0) -> None:
    window.on_update(passed_ms / 1000)
    window.on_draw()


@pytest.fixture
def table(window: CloakWindow) -> TableScreen:
    """A hotseat table with the curtain of the first Turn raised."""
    screen = TableScreen(window, LocalSession(WEC, ("Ann", "Bob"), seed=b"t"), window.close)
    window.open_screen(screen)
    frame(window)
    window.on_key_press(key.RETURN, 0)
    frame(window)
    return screen


def settle(window: CloakWindow, screen: TableScreen) -> None:
    """Lets everything that is being shown come to its end."""
    for _ in range(200):
        frame(window, 100)
        if screen.play.curtain is not None or not (
            screen.play.is_behind or window.animator.is_active
        ):
            break
    frame(window, 100)


def click(
    window: CloakWindow, screen: TableScreen, row: int, column: int, right: bool = False
) -> None:
    x, y = geometry.centre(screen.board.frame, square_at(row, column))
    button = arcade.MOUSE_BUTTON_RIGHT if right else arcade.MOUSE_BUTTON_LEFT
    window.on_mouse_motion(int(x), int(y), 0, 0)
    window.on_mouse_press(int(x), int(y), button, 0)
    window.on_mouse_release(int(x), int(y), button, 0)
    settle(window, screen)


def cells(screen: TableScreen, kind: str, side: int = BLACK) -> set[int]:
    state = screen.session.state(screen.play.viewer)
    return {piece.cell for piece in state.pieces if piece.kind == kind and piece.side == side}


def test_a_move_by_mouse(window: CloakWindow, table: TableScreen) -> None:
    click(window, table, 2, 2)
    assert table.play.choosing.picked
    click(window, table, 3, 1)
    assert square_at(3, 1) in cells(table, "STP")
    assert table.play.chips()[0].left == 0
    assert [line.text for line in table.play.history[BLACK]] == [
        "Black's Stun Gun Pawn moves from 2,2 to 3,1."
    ]


def test_a_move_by_keyboard(window: CloakWindow, table: TableScreen) -> None:
    for symbol in (key._2, key.COMMA, key._2, key.RETURN):
        window.on_key_press(symbol, 0)
    assert table.play.choosing.picked
    for symbol in (key.UP, key.LEFT, key.RETURN):
        window.on_key_press(symbol, 0)
    settle(window, table)
    assert square_at(3, 1) in cells(table, "STP")


def test_right_fires_and_left_does_the_rest(window: CloakWindow, table: TableScreen) -> None:
    click(window, table, 2, 2, right=True)
    aimed = table.play.choosing
    click(window, table, 3, 2, right=True)
    assert table.play.chips()[1].left == 1
    click(window, table, 2, 9)
    assert (aimed.verb, table.play.choosing.verb) == (Verb.FIRE, Verb.MOVE)


def test_the_turn_passes_behind_a_curtain(window: CloakWindow, table: TableScreen) -> None:
    click(window, table, 2, 2)
    click(window, table, 3, 1)
    window.on_key_press(key.E, 0)
    settle(window, table)
    assert table.play.curtain == WHITE
    frame(window)
    window.on_draw()
    picture = arcade.get_image(0, 0, window.width, window.height).convert("RGB")
    board = table.board.frame
    hidden = picture.crop(
        (int(board.left), int(window.height - board.bottom - board.edge * 0.25),
         int(board.left + board.edge), int(window.height - board.bottom))
    )  # fmt: skip
    colours = hidden.getcolors(1 << 20)
    assert colours is not None
    assert len(colours) < 200  # a plain gradient; the board itself has thousands
    window.on_key_press(key.RETURN, 0)
    settle(window, table)
    assert table.play.viewer == WHITE
    assert table.board.frame.near == WHITE
    assert table.play.may_act
    assert table.play.shown[WHITE] == table.session.state(WHITE)


def test_wec_12_ending_the_turn_first_says_why_not(window: CloakWindow, table: TableScreen) -> None:
    window.on_key_press(key.E, 0)
    assert table.status.label == "Make your Move first; then the Turn can end."


def test_a_refused_click_is_explained_in_the_status_line(
    window: CloakWindow, table: TableScreen
) -> None:
    click(window, table, 9, 5)
    assert table.status.label == "That Stealth Pawn is not yours; choose a piece of your own."


def test_levels_by_key(window: CloakWindow, table: TableScreen) -> None:
    window.on_key_press(key.RIGHT, 0)
    assert table.cursor == square_at(5, 5)
    for symbol, level in ((key._2, AIR), (key._3, SUB), (key._1, GROUND), (key.PAGEUP, AIR)):
        window.on_key_press(symbol, 0)
        assert table.cursor == level * 100 + square_at(5, 5)


def test_escape_steps_back_and_then_asks_before_leaving(
    window: CloakWindow, table: TableScreen
) -> None:
    click(window, table, 2, 2)
    window.on_key_press(key.ESCAPE, 0)
    assert not table.play.choosing.picked
    window.on_key_press(key.ESCAPE, 0)
    assert table.match.is_open
    window.on_key_press(key.ESCAPE, 0)
    assert not table.match.is_open
    assert table.session.result() is None


def test_what_stands_on_a_square_is_told_to_its_end(
    window: CloakWindow, table: TableScreen
) -> None:
    info = table.panel.info
    info.say("Black King", ("Ground, 4,4", "A", "B", "C", "D", "Lies here: Bike"))
    said = str(info._lines._said[0]).split("\n")
    assert (said[0], said[-1]) == ("Ground, 4,4", "C · D · Lies here: Bike")


def test_resigning_is_asked_and_told(window: CloakWindow, table: TableScreen) -> None:
    table.match.resign()
    frame(window)
    assert table.session.result() is None  # the harmless answer has the focus
    window.on_key_press(key.RETURN, 0)
    assert table.session.result() is None
    table.session.resign(BLACK)
    settle(window, table)
    assert table.match.is_open
    assert table.status.label == "The match is over."
    assert table.panel._turn_label.label == "Turn 1 · The match is over"
    assert [chip.count for chip in table.panel.chips] == [0] * 6


def test_enter_saves_and_leaves(window: CloakWindow, tmp_path: Path) -> None:
    left: list[str] = []
    session = LocalSession(WEC, ("Ann", "Bob"), seed=b"t", saves=tmp_path)
    screen = TableScreen(window, session, lambda: left.append("left"))
    window.open_screen(screen)
    frame(window)
    window.on_key_press(key.RETURN, 0)
    window.on_key_press(key.ESCAPE, 0)
    window.on_key_press(key.RETURN, 0)
    assert left == ["left"]
    assert (tmp_path / "Ann-Bob-turn-1.table").exists()


def test_wec_12_a_dead_button_says_why_not(window: CloakWindow, table: TableScreen) -> None:
    button = table.buttons[Verb.END]
    assert not button.is_enabled
    press_at(window, button.box)
    assert table.status.label == "Make your Move first; then the Turn can end."
    assert table.status.tone is Tone.REFUSED
    press_at(window, table.buttons[Verb.DROP].box)
    assert table.status.label == "No piece of yours carries anything it could drop."


def press_at(window: CloakWindow, box: Box) -> None:
    x, y = (int(part) for part in box.centre)
    window.on_mouse_press(x, y, arcade.MOUSE_BUTTON_LEFT, 0)
    window.on_mouse_release(x, y, arcade.MOUSE_BUTTON_LEFT, 0)


def test_after_a_look_at_the_board_what_can_follow_is_a_click_away(
    window: CloakWindow, table: TableScreen
) -> None:
    after = table.match.after
    assert not after.is_visible
    table.session.resign(BLACK)
    settle(window, table)
    window.on_key_press(key.ESCAPE, 0)
    assert not table.match.is_open
    assert table.status.box.right < after.box.x
    press_at(window, after.box)
    assert "White wins" in told_by(table)


def audited(table: TableScreen, verdict: str) -> None:
    """An audit comes to its end, as after a match with a friend."""
    assert isinstance(table.session, LocalSession)
    table.session._happenings.append(Audited(verdict, True))


def told_by(table: TableScreen) -> str:
    dialog = table.match.open_dialog
    assert dialog is not None
    return f"{dialog.title} {dialog.message}"


def test_the_end_takes_the_place_of_a_question_and_the_verdict_joins_it(
    window: CloakWindow, table: TableScreen
) -> None:
    table.match.resign()
    table.session.resign(BLACK)
    settle(window, table)
    assert not table.match.has_told_verdict
    assert "White wins" in told_by(table)
    audited(table, "The audit is clean.")
    settle(window, table)
    assert "The audit is clean." in told_by(table)
    assert "White wins" in told_by(table)
    window.on_key_press(key.ESCAPE, 0)
    assert not table.match.is_open  # none lies below it


def test_a_verdict_that_comes_after_the_end_was_read_is_told_alone(
    window: CloakWindow, table: TableScreen
) -> None:
    table.session.resign(BLACK)
    settle(window, table)
    window.on_key_press(key.ESCAPE, 0)
    audited(table, "The audit is clean.")
    settle(window, table)
    assert not table.match.is_open
    assert table.match.has_told_verdict
    assert table.status.label == "The match is over. The audit is clean."


def test_undo_takes_back_the_last_action(window: CloakWindow, table: TableScreen) -> None:
    click(window, table, 2, 2)
    click(window, table, 3, 1)
    window.on_key_press(key.Z, key.MOD_CTRL)
    settle(window, table)
    assert square_at(2, 2) in cells(table, "STP")
    assert table.play.history[BLACK] == []


def test_a_click_skips_what_is_shown_and_changes_nothing(
    window: CloakWindow, table: TableScreen
) -> None:
    computer = LocalSession(WEC, ("Ann", "Computer"), seed=b"c", computers=(0,))
    screen = TableScreen(window, computer, window.close)
    window.open_screen(screen)
    for _ in range(30):
        frame(window, 20)
        if screen.play.is_behind:
            break
    else:
        pytest.fail("the computer did not move")
    before = len(computer.table.log)
    x, y = geometry.centre(screen.board.frame, square_at(9, 1))
    window.on_mouse_press(int(x), int(y), arcade.MOUSE_BUTTON_LEFT, 0)
    assert not screen.play.is_behind
    assert len(computer.table.log) == before
    assert screen.play.shown[WHITE] == computer.state(WHITE)


@pytest.mark.parametrize("size", [(1024, 640), (1280, 720), (2560, 1440), (3840, 2160)])
def test_the_table_fits_its_window(size: tuple[int, int]) -> None:
    window = Box(0, 0, *size)
    layout = arrange(window, Scale.fitting(*size, 1.0, 1.0))
    for box in layout:
        assert box.x >= 0
        assert box.y >= 0
        assert box.right <= window.right
        assert box.top <= window.top
    assert layout.board.right <= layout.panel.x
    assert layout.status.top <= layout.board.y
    assert layout.bar.top <= layout.status.y
    assert min(layout.board.width, layout.board.height) > 0.7 * size[1]


def test_the_table_is_arranged_anew_when_the_window_changes(
    window: CloakWindow, table: TableScreen
) -> None:
    small = table.board.frame.edge
    resized(window, 1920, 1080)
    frame(window)
    assert table.board.frame.edge > small
    click(window, table, 2, 2)
    assert table.play.choosing.picked


@pytest.mark.parametrize(
    ("name", "room", "start", "end"),
    [
        ("Ann (Black)", 400, "Ann (Black)", "(Black)"),
        ("Wilhelmina (the tall) Featherstonehaugh (Black)", 200, "Wilhelmina", "… (Black)"),
        ("Wilhelmina Featherstonehaugh", 100, "Wilhelmina F", "gh"),
    ],
)
def test_a_long_name_leaves_room_for_its_side(name: str, room: int, start: str, end: str) -> None:
    """Who plays which side is what the card is read for; without a side the text shortens it."""
    shown = fitted(name, Scale(1.0), room)
    assert shown.startswith(start) and shown.endswith(end)
    assert " (" not in name or text_width(shown, theme.STRONG, Scale(1.0)) <= room
