"""The board editor and the lists of start positions, worked by mouse and keyboard."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pyglet.window import key

from cloakboard.client.boards import wec_geometry as geometry
from cloakboard.client.draft import ArticleBrush, PieceBrush
from cloakboard.client.library import STANDARD, WEC, Library, Listed, Start
from cloakboard.client.views.editor_wec import WecEditor
from cloakboard.client.views.local import LocalMatch, LocalScreen
from cloakboard.client.views.rules_page import RulesPage
from cloakboard.client.views.rules_picker import RuleSources
from cloakboard.client.views.scenarios import KeepScreen, ScenariosScreen
from cloakboard.client.window import CloakWindow
from cloakboard.engine.registry import game
from cloakboard.engine.wec.position import Placed, Position, Scenario
from cloakboard.engine.wec.state import AIR, BLACK, WHITE, square_at
from tests.client.samples import Sampler
from tests.client.ways import Way

GAME = game("wec")
LEFT, RIGHT = 1, 4


def frame(window: CloakWindow) -> None:
    window.on_update(0.016)
    window.on_draw()


@pytest.fixture
def way() -> Way:
    return Way()


@pytest.fixture
def editor(window: CloakWindow, way: Way, tmp_path: Path) -> WecEditor:
    kings = Position(pieces=(Placed(BLACK, "K", 4), Placed(WHITE, "K", 95)))
    screen = WecEditor(window, Scenario(position=kings), Library(tmp_path, WEC), way.acts)
    window.open_screen(screen)
    frame(window)
    return screen


def at(screen: WecEditor, row: int, column: int) -> tuple[int, int]:
    x, y = geometry.centre(screen.board.frame, square_at(row, column))
    return int(x), int(y)


def click(window: CloakWindow, x: float, y: float, button: int = LEFT) -> None:
    window.on_mouse_press(int(x), int(y), button, 0)
    window.on_mouse_release(int(x), int(y), button, 0)
    frame(window)


def stands(screen: WecEditor) -> set[tuple[int, str, int]]:
    return {(one.side, one.kind, one.cell) for one in screen.draft.position.pieces}


def test_a_piece_is_taken_from_the_palette_and_put(window: CloakWindow, editor: WecEditor) -> None:
    swatch = next(s for s in editor.palette.pieces if s.brush == PieceBrush(BLACK, "STP"))
    click(window, *swatch.box.centre)
    click(window, *at(editor, 3, 3))
    click(window, *at(editor, 3, 5))
    window.on_key_press(key.W, 0)
    click(window, *at(editor, 8, 3))
    assert stands(editor) >= {(0, "STP", 22), (0, "STP", 24), (1, "STP", 72)}
    click(window, *at(editor, 3, 3), RIGHT)
    assert (0, "STP", 22) not in stands(editor)
    for _ in range(2):
        window.on_key_press(key.Z, key.MOD_CTRL)
    assert stands(editor) == {(0, "K", 4), (1, "K", 95), (0, "STP", 22), (0, "STP", 24)}
    window.on_key_press(key.Y, key.MOD_CTRL)
    assert (1, "STP", 72) in stands(editor)


def test_a_piece_is_dragged_from_the_palette(window: CloakWindow, editor: WecEditor) -> None:
    swatch = next(s for s in editor.palette.pieces if s.brush == PieceBrush(BLACK, "JE"))
    x, y = (int(part) for part in swatch.box.centre)
    end = at(editor, 5, 5)
    window.on_mouse_press(x, y, LEFT, 0)
    window.on_mouse_drag(*end, 0, 0, LEFT, 0)
    window.on_mouse_release(*end, LEFT, 0)
    assert (0, "JE", square_at(5, 5)) in stands(editor)


def test_a_piece_is_dragged_on_the_board_and_off_it(window: CloakWindow, editor: WecEditor) -> None:
    start, end = at(editor, 1, 5), at(editor, 4, 5)
    window.on_mouse_press(*start, LEFT, 0)
    window.on_mouse_drag(*end, 0, 0, LEFT, 0)
    frame(window)
    window.on_mouse_release(*end, LEFT, 0)
    assert (0, "K", square_at(4, 5)) in stands(editor)
    window.on_mouse_press(*end, LEFT, 0)
    window.on_mouse_drag(5, 400, 0, 0, LEFT, 0)
    window.on_mouse_release(5, 400, LEFT, 0)
    assert stands(editor) == {(1, "K", 95)}


@pytest.mark.parametrize(
    ("symbol", "modifiers"),
    [(key.DELETE, 0), (key.Z, key.MOD_CTRL)],
    ids=["it is taken away", "it was put there by what is taken back"],
)
def test_a_piece_that_goes_while_it_is_dragged_is_not_put_down(
    window: CloakWindow, editor: WecEditor, symbol: int, modifiers: int
) -> None:
    editor.draft.put(PieceBrush(WHITE, "RP"), square_at(10, 8), None)
    editor.sync()
    start, end = at(editor, 10, 8), at(editor, 5, 5)
    window.on_mouse_press(*start, LEFT, 0)
    window.on_mouse_drag(*end, 0, 0, LEFT, 0)
    window.on_key_press(symbol, modifiers)
    window.on_mouse_release(*end, LEFT, 0)
    assert stands(editor) == {(0, "K", 4), (1, "K", 95)}


def test_the_selected_piece_is_altered(window: CloakWindow, editor: WecEditor) -> None:
    click(window, *at(editor, 1, 5))
    assert editor.draft.selected == Placed(BLACK, "K", 4)
    editor.inspector.stun_more.click()
    editor.inspector.moved.click()
    swatch = next(s for s in editor.palette.articles if s.brush == ArticleBrush("FL"))
    click(window, *swatch.box.centre)
    assert editor.draft.selected == Placed(BLACK, "K", 4, "", ("FL",), 1, True)
    assert editor.palette.brush is None
    editor.inspector.carried[0].click()
    assert editor.draft.selected == Placed(BLACK, "K", 4, "", (), 1, True)
    window.on_key_press(key.DELETE, 0)
    assert stands(editor) == {(1, "K", 95)}


def test_wec_91_an_anti_stealth_locks_on_to_what_is_clicked(
    window: CloakWindow, editor: WecEditor
) -> None:
    editor.palette.take(PieceBrush(BLACK, "SHP"))
    click(window, *at(editor, 2, 5))
    editor.palette.take(PieceBrush(WHITE, "AAA"))
    editor.palette.set_side(WHITE)
    click(window, *at(editor, 9, 5))
    editor.palette.take(None)
    click(window, *at(editor, 9, 5))
    assert not editor.inspector.lock.is_visible
    click(window, *at(editor, 2, 5))
    editor.inspector.lock.click()
    click(window, *at(editor, 1, 5))
    assert editor.status.label == "An Anti-stealth locks on to an enemy piece; click one."
    click(window, *at(editor, 9, 5))
    assert editor.palette.brush is None
    assert editor.inspector.carries.label == "Locked on to the AAA at 9,5"
    click(window, *at(editor, 9, 5))
    assert editor.inspector.carries.label == "The Stealth Pawn at 2,5 is locked on to it"
    editor.inspector.unlock.click()
    assert not any(one.holds or one.locked for one in editor.draft.position.pieces)


def test_the_keyboard_alone_puts_a_piece_in_the_air(window: CloakWindow, editor: WecEditor) -> None:
    editor.palette.take(PieceBrush(BLACK, "JE"))
    for symbol in (key.RIGHT, key.RIGHT, key._2, key.RETURN):
        window.on_key_press(symbol, 0)
    assert (0, "JE", AIR * 100 + square_at(5, 6)) in stands(editor)
    window.on_key_press(key.BACKSPACE, 0)
    assert len(stands(editor)) == 2


def test_a_refusal_and_a_fault_are_told_in_words(
    window: CloakWindow, editor: WecEditor, way: Way
) -> None:
    editor.palette.take(PieceBrush(WHITE, "STP"))
    click(window, *at(editor, 1, 5))
    assert editor.status.label.startswith("The enemies King and Stun Gun Pawn cannot share")
    editor.palette.set_level(AIR)
    click(window, *at(editor, 6, 6))
    assert editor.list.rows[0].text == "The Stun Gun Pawn cannot be at (6,6) Air without a carrier"
    assert not editor.buttons[4].is_enabled
    editor.play(way.acts.hotseat)
    assert way.played == []
    click(window, *at(editor, 6, 6), RIGHT)
    for button in editor.buttons[4:]:
        button.click()
    assert [name for name, _ in way.played] == ["hotseat", "computer", "friend"]


def test_it_is_kept_opened_and_left(window: CloakWindow, editor: WecEditor, way: Way) -> None:
    editor.palette.take(PieceBrush(BLACK, "Q"))
    click(window, *at(editor, 1, 6))
    window.on_key_press(key.ESCAPE, 0)  # lays the brush down
    window.on_key_press(key.ESCAPE, 0)  # lets the piece go that was put last
    window.on_key_press(key.ESCAPE, 0)
    assert way.left == 0
    assert editor.stage.has_modal
    window.on_key_press(key.ESCAPE, 0)
    window.on_key_press(key.S, key.MOD_CTRL)
    screen = window.top
    assert isinstance(screen, KeepScreen)
    frame(window)
    assert not screen.keep.is_enabled
    screen.title.insert("Three")
    screen.keep.click()
    assert window.top is editor
    assert [row.title for row in editor.library.listed() if row.path] == ["Three"]
    window.on_key_press(key.ESCAPE, 0)
    assert way.left == 1


def test_the_standard_game_is_shown_and_turned(window: CloakWindow, editor: WecEditor) -> None:
    editor._open(None)
    frame(window)
    assert editor.draft.position == WEC.standard().position.sorted()
    assert editor.list.rows[0].text == "This position can be played."
    for name in ("flip", "swap"):
        editor.tools[name].click()
        frame(window)
    assert editor.near == WHITE
    editor.clear()
    assert editor.draft.is_empty


def test_text_is_pasted_or_refused(
    window: CloakWindow, editor: WecEditor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window, "read_clipboard", lambda: "format = 1\nblack = ['K(1,1)']")
    window.on_key_press(key.V, key.MOD_CTRL)
    assert stands(editor) == {(0, "K", 0)}
    monkeypatch.setattr(window, "read_clipboard", lambda: "format = 1\nblack = ['Z(1,1)']")
    window.on_key_press(key.V, key.MOD_CTRL)
    assert stands(editor) == {(0, "K", 0)}


def test_rules_belong_to_the_position(window: CloakWindow, editor: WecEditor) -> None:
    editor.rules()
    page = window.top
    assert isinstance(page, RulesPage)
    frame(window)
    names = [option.name for option in GAME.options.options]
    page.options.select(names.index("tank_range"))
    page.options.on_key(key.RIGHT, 0)
    page.take.click()
    assert window.top is editor
    assert editor.draft.options == {"tank_range": 8}


def test_a_list_of_start_positions_is_chosen_from_and_tidied(
    window: CloakWindow, tmp_path: Path
) -> None:
    library = Library(tmp_path, WEC)
    library.keep(Scenario(position=Position(title="Mine", pieces=(Placed(0, "K", 4),))))
    chosen: list[Listed | None] = []
    window.open_screen(Sampler(window))
    for index in (0, 1):
        screen = ScenariosScreen(window, library, chosen.append)
        window.open_screen(screen)
        frame(window)
        screen.list.select(index, tells=True)
        assert screen.delete.is_enabled == (index == 1)
        screen.choose.click()
        assert window.top is not screen
    assert chosen[0] is None
    assert chosen[1] is not None and chosen[1].title == "Mine"


def test_a_match_is_set_up_from_a_position_with_its_rules(window: CloakWindow) -> None:
    began: list[LocalMatch] = []
    kept: list[dict[str, object]] = []
    takes: list[Callable[[Start], None]] = []
    sources = RuleSources(
        mine=lambda: {"tank_range": 6, "gone": 1},
        keep=kept.append,
        first={"stun_turns": 4},
        pick=takes.append,
    )
    screen = LocalScreen(window, GAME, "Ann", False, began.append, sources)
    window.open_screen(screen)
    frame(window)
    rules = screen.rules
    assert rules.changes == {"stun_turns": 4}
    rules.mine.click()
    assert rules.changes == {"tank_range": 6}
    rules.keep.click()
    assert kept == [{"tank_range": 6}]
    rules.standard.click()
    assert rules.changes == {}
    rules.position.click()
    takes[0](Start("Duel", "format = 1", {"doze_enemies": False}))
    screen.begin.click()
    assert began[-1].setup == "format = 1"
    assert began[-1].options == {"doze_enemies": False}
    takes[0](STANDARD)
    screen.begin.click()
    assert (began[-1].setup, began[-1].options) == ("", {"stun_turns": 4})
