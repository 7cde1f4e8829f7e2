"""The board editor of tri-dimensional chess, worked by mouse and keyboard in either view."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyglet.window import key

from cloakboard.client.boards import trid_space as space
from cloakboard.client.boards.trid_flat import pin_box, tab_box
from cloakboard.client.library import TRID, Library
from cloakboard.client.trid_draft import BoardBrush, ManBrush
from cloakboard.client.views.editor_trid import TridEditor
from cloakboard.client.views.scenarios import KeepScreen, ScenariosScreen
from cloakboard.client.window import CloakWindow
from cloakboard.engine.registry import game
from cloakboard.engine.trid.board import NAMED, PINS
from cloakboard.engine.trid.notation.positions import write_position
from cloakboard.engine.trid.pieces import START
from tests.client.conftest import resized
from tests.client.ways import Way

LEFT, RIGHT = 1, 4
KINGS = "QL1w,KL1w,QL6b,KL6b 4/4/4/4|4/4/4/4|4/4/4/4|2/2|2/K1|2/2|2/1k w - - 0 1"


def frame(window: CloakWindow) -> None:
    window.on_update(0.016)
    window.on_draw()


@pytest.fixture
def way() -> Way:
    return Way()


@pytest.fixture(params=[False, True], ids=["flat", "scene"])
def editor(
    window: CloakWindow, way: Way, tmp_path: Path, request: pytest.FixtureRequest
) -> TridEditor:
    screen = TridEditor(window, TRID.read(KINGS), Library(tmp_path, TRID), way.acts)
    window.open_screen(screen)
    if request.param:
        screen.switch_view()
    frame(window)
    return screen


def at(screen: TridEditor, name: str) -> tuple[int, int]:
    """Where a square is, or a pin: its name in the flat view, a corner of its edge in the
    scene."""
    pin = PINS.index(name) if name in PINS else -1
    stands = any(one.pin == pin for one in screen.draft.state.boards)
    if not screen.is_deep:
        if name in PINS:
            box = (tab_box if stands else pin_box)(screen.flat.flat, pin)
            x, y = box.centre
            return int(x), int(y)
        x, y = screen.flat.centre(NAMED[name])
        return int(x), int(y)
    where = space.middle(NAMED[name]) if name in NAMED else space.pin_middle(pin)
    if stands:
        out = 1 + space.EDGE / 2
        where = where.plus(space.Point(out, -out, 0))
    x, y = space.projected(screen.scene.camera, screen.scene.box, where)
    return round(x), round(y)


def click(window: CloakWindow, screen: TridEditor, name: str, button: int = LEFT) -> None:
    x, y = at(screen, name)
    window.on_mouse_motion(x, y, 0, 0)
    window.on_mouse_press(x, y, button, 0)
    window.on_mouse_release(x, y, button, 0)
    frame(window)


def drag(window: CloakWindow, screen: TridEditor, start: str, end: str) -> None:
    window.on_mouse_press(*at(screen, start), LEFT, 0)
    window.on_mouse_drag(*at(screen, end), 0, 0, LEFT, 0)
    frame(window)
    window.on_mouse_release(*at(screen, end), LEFT, 0)
    frame(window)


def man_at(screen: TridEditor, name: str) -> str:
    return screen.draft.state.men[NAMED[name]]


def pins(screen: TridEditor) -> set[str]:
    return {PINS[one.pin] for one in screen.draft.state.boards}


def test_a_man_is_taken_from_the_palette_and_put(window: CloakWindow, editor: TridEditor) -> None:
    swatch = next(one for one in editor.palette.men if one.brush == ManBrush("R"))
    x, y = (int(part) for part in swatch.box.centre)
    window.on_mouse_press(x, y, LEFT, 0)
    window.on_mouse_release(x, y, LEFT, 0)
    click(window, editor, "b4N")
    click(window, editor, "z4QL2")
    assert (man_at(editor, "b4N"), man_at(editor, "z4QL2")) == ("R", ".")
    if not editor.is_deep:  # in the scene one points at what is below
        assert editor.status.label.startswith("There is no attack board on QL2")
    click(window, editor, "b4N", RIGHT)
    assert man_at(editor, "b4N") == "."
    window.on_key_press(key.Z, key.MOD_CTRL)
    assert man_at(editor, "b4N") == "R"
    window.on_key_press(key.Y, key.MOD_CTRL)
    assert man_at(editor, "b4N") == "."


def test_a_man_is_dragged_from_the_palette_over_the_board_and_off_it(
    window: CloakWindow, editor: TridEditor
) -> None:
    swatch = next(one for one in editor.palette.men if one.brush == ManBrush("p"))
    x, y = (int(part) for part in swatch.box.centre)
    end = at(editor, "b7B")
    window.on_mouse_press(x, y, LEFT, 0)
    window.on_mouse_drag(*end, 0, 0, LEFT, 0)
    window.on_mouse_release(*end, LEFT, 0)
    assert man_at(editor, "b7B") == "d"  # where Black's pawns begin they may advance two
    window.on_key_press(key.ESCAPE, 0)
    drag(window, editor, "b7B", "b6B")
    assert (man_at(editor, "b7B"), man_at(editor, "b6B")) == (".", "p")
    window.on_mouse_press(*at(editor, "b6B"), LEFT, 0)
    window.on_mouse_drag(x, y, 0, 0, LEFT, 0)
    window.on_mouse_release(x, y, LEFT, 0)
    assert man_at(editor, "b6B") == "."


def test_an_attack_board_is_put_moved_turned_and_taken_away(
    window: CloakWindow, editor: TridEditor
) -> None:
    drag(window, editor, "KL1", "KL3")  # in the scene KL3 is before KL2
    assert pins(editor) == {"QL1", "KL3", "QL6", "KL6"}
    assert man_at(editor, "d2KL3") == "K"
    assert editor.draft.pin == PINS.index("KL3")
    editor.inspector.turn.click()
    assert man_at(editor, "e3KL3") == "K"
    click(window, editor, "QL1", RIGHT)
    assert pins(editor) == {"KL3", "QL6", "KL6"}
    assert editor.list.rows[0].text == "A position has four attack boards, not 3"
    editor.palette.take(BoardBrush(1))
    click(window, editor, "QL3")
    assert pins(editor) == {"KL3", "QL3", "QL6", "KL6"}
    click(window, editor, "QL2")
    assert "four attack boards already" in editor.status.label


def test_a_position_is_made_by_keys_alone(window: CloakWindow, editor: TridEditor) -> None:
    window.on_key_press(key.Q, key.MOD_SHIFT)
    for symbol in (key.RIGHT, key.RIGHT, key.UP, key.RETURN):
        window.on_key_press(symbol, 0)
    assert man_at(editor, "c5N") == "q"
    window.on_key_press(key.PAGEUP, 0)
    window.on_key_press(key.RETURN, 0)
    assert man_at(editor, "c5B") == "q"
    window.on_key_press(key.ESCAPE, 0)
    for symbol in (key.G, key.RIGHT, key.RIGHT, key.RETURN):  # QL1, by KL1, which is taken, to QL2
        window.on_key_press(symbol, 0)
    assert pins(editor) == {"KL1", "QL2", "QL6", "KL6"}
    window.on_key_press(key.M, 0)
    assert editor.draft.state.side == 1
    window.on_key_press(key.DELETE, 0)
    assert pins(editor) == {"KL1", "QL6", "KL6"}


def test_what_is_wrong_is_told_in_words_and_cannot_be_played(
    window: CloakWindow, editor: TridEditor, way: Way
) -> None:
    assert not editor.buttons[4].is_enabled  # bare kings
    assert editor.list.rows[0].text == "A draw: only the kings are left"
    editor.palette.take(ManBrush("R"))
    click(window, editor, "b4N")
    for button in editor.buttons[4:]:
        button.click()
    assert [name for name, _ in way.played] == ["hotseat", "computer", "friend"]
    start = way.played[0][1]
    assert start.game_id == "trid"
    state = game("trid").start(start.options, start.setup)
    assert write_position(state) == write_position(editor.draft.state)
    click(window, editor, "e9KL6")
    assert editor.list.rows[0].text == "White is to move and could take the king"
    editor.play(way.acts.hotseat)
    assert len(way.played) == 3


def test_rights_and_counts(window: CloakWindow, editor: TridEditor) -> None:
    terms = editor.terms
    terms.castlings["K"].click()
    assert "needs a king on d0KL1 and a rook on e0KL1" in editor.status.label
    editor.palette.take(ManBrush("R"))
    click(window, editor, "e0KL1")
    terms.castlings["K"].click()
    assert editor.draft.state.castling == "K"
    editor.palette.take(None)
    drag(window, editor, "e0KL1", "e1KL1")
    assert editor.draft.state.castling == ""
    editor.stage.set_focus(terms.number)
    terms.number.set_value("")
    terms.number.insert("34")
    terms.counter.set_value("")
    terms.counter.insert("7")
    assert (editor.draft.state.number, editor.draft.state.counter) == (34, 7)
    terms.counter.insert("x")
    assert "whole numbers" in editor.status.label


def test_it_is_kept_opened_and_left(window: CloakWindow, editor: TridEditor, way: Way) -> None:
    editor.palette.take(ManBrush("R"))
    click(window, editor, "b4N")
    for _ in range(2):
        window.on_key_press(key.ESCAPE, 0)  # lays the brush down, then asks
    assert editor.stage.has_modal
    window.on_key_press(key.ESCAPE, 0)
    window.on_key_press(key.S, key.MOD_CTRL)
    screen = window.top
    assert isinstance(screen, KeepScreen)
    frame(window)
    screen.title.insert("King and rook")
    screen.keep.click()
    assert editor.title.label == "King and rook"
    window.on_key_press(key.O, key.MOD_CTRL)
    listed = window.top
    assert isinstance(listed, ScenariosScreen)
    frame(window)
    assert [one.title for one in listed.listed] == ["King and rook"]
    listed.list.select(0, tells=True)
    listed.choose.click()
    assert write_position(editor.draft.state) == START
    window.on_key_press(key.ESCAPE, 0)
    assert way.left == 1


def test_text_goes_out_and_in(
    window: CloakWindow, editor: TridEditor, monkeypatch: pytest.MonkeyPatch
) -> None:
    clip = [START]
    monkeypatch.setattr(window, "read_clipboard", lambda: clip[0])
    monkeypatch.setattr(window, "write_clipboard", lambda text: clip.__setitem__(0, text))
    window.on_key_press(key.V, key.MOD_CTRL)
    assert write_position(editor.draft.state) == START
    window.on_key_press(key.C, key.MOD_CTRL)
    editor.clear()
    assert editor.draft.is_empty
    window.on_key_press(key.V, key.MOD_CTRL)
    assert write_position(editor.draft.state) == START
    clip[0] = "nonsense"
    window.on_key_press(key.V, key.MOD_CTRL)
    assert write_position(editor.draft.state) == START


def test_another_game_is_chosen_after_a_question(
    window: CloakWindow, editor: TridEditor, way: Way
) -> None:
    wec = next(b for b in editor.games.buttons if b.label == game("wec").title)
    wec.click()
    assert way.chosen == ["wec"]
    editor.swap()
    wec.click()
    assert editor.stage.has_modal
    assert way.chosen == ["wec"]


@pytest.mark.parametrize("size", [(1024, 640), (1280, 720), (2560, 1440)])
def test_the_editor_fits_its_window(
    window: CloakWindow, editor: TridEditor, size: tuple[int, int]
) -> None:
    resized(window, *size)
    frame(window)
    widgets = (*editor.palette.men, *editor.terms.castlings.values(), *editor.tools.values())
    for widget in (*widgets, *editor.games.buttons, editor.list):
        assert widget.box.x >= 0 and widget.box.right <= size[0]
        assert widget.box.y >= 0 and widget.box.top <= size[1]
    assert editor.title.box.width > 0
    assert editor.list.box.height > 40
