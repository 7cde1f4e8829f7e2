"""The table's menus and what they do: every entry has a key, and mouse and keyboard agree."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyglet.window import key

from cloakboard.client import textures, theme
from cloakboard.client.boards import wec_geometry as geometry
from cloakboard.client.boards.wec_figures import Style
from cloakboard.client.canvas import Box
from cloakboard.client.grid import Lighting
from cloakboard.client.local_session import LocalSession
from cloakboard.client.marks import Mark
from cloakboard.client.status import rules, status, unseen
from cloakboard.client.suspects import Suspect
from cloakboard.client.theme import Tint
from cloakboard.client.tokens import PieceSet, draw_token, wec_token
from cloakboard.client.views.colours import ColoursScreen
from cloakboard.client.views.status_page import TextPage
from cloakboard.client.views.table import TableScreen
from cloakboard.client.views.table_menus import KEYS, LINES, TITLES, VERBS, TableActs, entries
from cloakboard.client.views.table_view import QUARTERS, ViewPrefs
from cloakboard.client.window import SMALLEST, CloakWindow
from cloakboard.engine.registry import game
from cloakboard.engine.wec.notation.positions import write_setup
from cloakboard.engine.wec.position import Placed, Position
from cloakboard.engine.wec.state import BLACK, WHITE, square_at
from tests.client.conftest import resized
from tests.client.samples import click

WEC = game("wec")


class Kept:
    """What the table asks to keep, and where it leads."""

    def __init__(self) -> None:
        self.kept: dict[str, object] = {}
        self.rules: list[dict[str, object]] = []
        self.led: list[str] = []
        self.seats: list[tuple[int, ...]] = []
        self.edited: list[object] = []

    def acts(self) -> TableActs:
        return TableActs(
            new=lambda: self.led.append("new"),
            load=lambda: self.led.append("load"),
            friend=lambda: self.led.append("friend"),
            editor=self.edited.append,
            settings=lambda: self.led.append("settings"),
            colours=lambda: self.led.append("colours"),
            reseat=self.seats.append,
            keep_rules=self.rules.append,
        )

    def prefs(self) -> ViewPrefs:
        return ViewPrefs(keep=self.kept.__setitem__)


def frames(window: CloakWindow, count: int = 8) -> None:
    for _ in range(count):
        window.on_update(0.1)
    window.on_draw()


def opened(window: CloakWindow, session: LocalSession, kept: Kept) -> TableScreen:
    screen = TableScreen(window, session, window.close, None, Style(), kept.acts(), kept.prefs())
    window.open_screen(screen)
    frames(window)
    if screen.play.curtain is not None:
        window.on_key_press(key.RETURN, 0)
        frames(window)
    return screen


@pytest.fixture
def kept() -> Kept:
    return Kept()


@pytest.fixture
def table(window: CloakWindow, kept: Kept) -> TableScreen:
    return opened(window, LocalSession(WEC, ("Ann", "Bob"), seed=b"m"), kept)


def choose(window: CloakWindow, screen: TableScreen, title: str, text: str) -> None:
    """Clicks a line of a menu."""
    screen.menus.open(TITLES.index(title))
    line = next(
        widget
        for widget in screen.stage._modals[-1].widgets
        if getattr(widget, "label", "").startswith(text)
    )
    click(window, line.box)
    frames(window)


def test_the_menus_are_those_of_the_original_and_every_line_has_a_key() -> None:
    assert TITLES == ("File", "Play Change", "View", "Undo", "Actions")
    assert {line.menu for line in LINES} == set(TITLES)
    assert all(line.key_name for line in LINES)
    assert len(KEYS) == len(LINES), "no two lines share a key"
    assert len({line.text for line in LINES}) == len(LINES)
    actions = {line.text: line.symbol for line in LINES if line.menu == "Actions"}
    for text, _, _, symbol in VERBS.values():
        assert actions[text] == symbol


def test_keys_and_lines_do_the_same(window: CloakWindow, table: TableScreen) -> None:
    for name, symbol, text in (
        ("places", key.O, "Possible places"),
        ("reserves", key.V, "Reinforcement squares"),
        ("threats", key.T, "Threats"),
        ("last_seen", key.A, "Last-seen marks"),
        ("is_single", key.B, "Single board"),
    ):
        before = getattr(table.view, name)
        window.on_key_press(symbol, 0)
        frames(window)
        assert getattr(table.view, name) != before
        choose(window, table, "View", text)
        assert getattr(table.view, name) == before


def test_a_menu_is_gone_through_by_arrows(window: CloakWindow, table: TableScreen) -> None:
    window.on_key_press(key.F10, 0)
    assert table.menus.is_open
    window.on_key_press(key.LEFT, 0)
    window.on_key_press(key.LEFT, 0)  # File, Actions, Undo
    labels = [getattr(w, "label", "") for w in table.stage._modals[-1].widgets]
    assert "Undo" in labels
    window.on_key_press(key.ESCAPE, 0)
    assert not table.menus.is_open
    click(window, table.menus.titles[2].box)
    assert table.menus.is_open
    click(window, table.menus.titles[4].box)
    assert "End Turn" in [getattr(w, "label", "") for w in table.stage._modals[-1].widgets]
    window.on_mouse_press(5, 5, 1, 0)
    assert not table.menus.is_open


def test_every_line_is_in_the_window_at_the_largest_scale(
    window: CloakWindow, table: TableScreen
) -> None:
    resized(window, *SMALLEST)
    window.set_user_scale(2.0)
    for index in range(len(TITLES)):
        table.menus.open(index)
        boxes = [widget.box for widget in table.stage._modals[-1].widgets]
        assert all(box.inset(1) == _held(box, window.box).inset(1) for box in boxes)


def _held(box: Box, window: Box) -> Box:
    """The part of a box that is in the window."""
    left, low = max(box.x, window.x), max(box.y, window.y)
    right, top = min(box.right, window.right), min(box.top, window.top)
    return Box(left, low, right - left, top - low)


def test_an_open_menu_goes_with_its_title(window: CloakWindow, table: TableScreen) -> None:
    table.menus.open(1)
    title = table.menus.titles[1]
    before = title.box
    resized(window, 1920, 1080)
    assert title.box != before
    catch, panel = table.stage._modals[-1].widgets[:2]
    assert catch.box == window.box
    assert (panel.box.x, panel.box.top) == (title.box.x, title.box.y)


def test_ways_out_and_rules(window: CloakWindow, table: TableScreen, kept: Kept) -> None:
    for symbol in (key.N, key.O, key.P, key.E):
        window.on_key_press(symbol, key.MOD_CTRL)
    for symbol in (key.F7, key.F8, key.F6):
        window.on_key_press(symbol, 0)
    assert kept.led == ["new", "load", "friend", "settings", "colours"]
    assert kept.edited == [table.play.state]
    assert kept.rules == [{}]


def test_sides_are_changed(window: CloakWindow, kept: Kept) -> None:
    session = LocalSession(WEC, ("Ann", "Bob"), computers=(WHITE,), seed=b"s")
    opened(window, session, kept)
    for symbol in (key.F3, key.F4, key.F5):
        window.on_key_press(symbol, 0)
    assert kept.seats == [(BLACK,), ()]
    session.reseat((BLACK,))
    assert session.seats_here == (WHITE,)
    screen = opened(window, session, kept)
    for _ in range(300):
        frames(window, 1)
        if screen.play.may_act:
            break
    assert screen.play.viewer == WHITE


def test_hotseat_goes_on_against_the_computer(window: CloakWindow, table: TableScreen) -> None:
    acts = {entry.text: entry.is_able for entry in entries(table, "Play Change")}
    assert acts["Against the computer"]
    assert not acts["Two players here"]
    assert not acts["Change sides with the computer"]


def test_undo_and_redo(window: CloakWindow, table: TableScreen) -> None:
    session = table.session
    assert isinstance(session, LocalSession)
    action = next(iter(session.actions(BLACK)))
    session.act(BLACK, action)
    frames(window)
    after = session.state(BLACK)
    window.on_key_press(key.Z, key.MOD_CTRL)
    frames(window)
    assert session.can_redo()
    window.on_key_press(key.Y, key.MOD_CTRL)
    frames(window)
    assert session.state(BLACK) == after == table.play.state
    assert not session.can_redo()


def test_a_quarter_is_enlarged_and_clicked(window: CloakWindow, table: TableScreen) -> None:
    whole = table.board.frame
    seen = table.board.seen_box
    click(window, table.crosses[(0, 0)].box)
    frames(window)
    assert table.view.quarter == (0, 0)
    assert table.board.frame.unit > 1.9 * whole.unit
    square = square_at(2, 2)
    x, y = geometry.centre(table.board.frame, square)
    assert seen.contains(x, y)
    window.on_mouse_press(int(x), int(y), 1, 0)
    window.on_mouse_release(int(x), int(y), 1, 0)
    assert table.play.choosing.picked
    x, y = geometry.centre(table.board.frame, square_at(2, 9))
    assert table.board.square_under(x, y) is None, "beyond the quarter"
    for quarter in (*QUARTERS, None):
        table.view.quarter = quarter
        table.show_anew()
        frames(window)
    assert table.board.frame == whole


def test_light_and_pieces_are_kept(window: CloakWindow, table: TableScreen, kept: Kept) -> None:
    for lighting in (Lighting.DAY, Lighting.EVEN, Lighting.LAMP):
        window.on_key_press(key.L, 0)
        assert table.view.lighting is lighting
        frames(window)
    window.on_key_press(key.Y, 0)
    window.on_key_press(key.B, 0)
    window.on_key_press(key.A, 0)
    assert kept.kept == {
        "lighting": "lamp",
        "piece_set": PieceSet.SIMPLE.value,
        "board_view": "single",
        "last_seen": False,
    }
    assert not table.panel.levels.is_visible


def test_possible_places_are_marked_and_told(window: CloakWindow, kept: Kept) -> None:
    position = Position(
        pieces=(
            Placed(BLACK, "K", square_at(1, 1)),
            Placed(WHITE, "K", square_at(10, 10)),
            Placed(WHITE, "AAA", square_at(6, 6)),
        )
    )
    session = LocalSession(
        WEC, ("Ann", "Computer"), setup=write_setup(position), computers=(WHITE,)
    )
    screen = opened(window, session, kept)
    window.on_key_press(key.O, 0)
    assert screen.view.possible() == ((square_at(6, 6), Mark.POSSIBLE),)
    assert [piece.kind for piece in screen.view.certain()] == ["AAA"]
    assert screen.view.hiding(square_at(6, 6)) == ("Could hide here: AAA",)
    assert screen.view.hiding(square_at(5, 6)) == ()
    window.on_key_press(key.O, 0)
    assert screen.view.possible() == ()


def test_status_and_rules_in_words(window: CloakWindow, table: TableScreen) -> None:
    window.on_key_press(key.G, 0)
    page = window.top
    assert isinstance(page, TextPage)
    frames(window)
    assert "Turn 1, Black to play." in page.text
    assert "The rules are the standard ones." in page.text
    assert "AAA: at 9,3" in page.text
    assert "Ground\n" not in page.text
    window.close_screen()
    window.on_key_press(key.F2, 0)
    page = window.top
    assert isinstance(page, TextPage)
    assert "Squares a tank goes at most: 7" in page.text


def test_what_is_not_seen_in_words() -> None:
    few = Suspect("AAA", "", frozenset({square_at(1, 1), square_at(1, 2)}))
    many = Suspect("TA", "left", frozenset(range(30)))
    assert unseen((few, many)) == (
        "Enemies you do not see:\n  AAA: at 1,1 or 1,2\n  Tank, left-handed: 30 places possible"
    )
    assert unseen(()) == ""


def test_changed_rules_in_words() -> None:
    values = WEC.options.complete({"doze_enemies": False, "action_constraint": "move_only"})
    said = rules(WEC, values)
    assert "What actions a Turn allows: move only" in said
    assert "Enemy pieces can be dozed: off" in said
    over = status(WEC, WEC.start({}), (), "Black wins: the other side resigned.")
    assert over.startswith("Black wins")


@pytest.fixture
def plain_colours() -> Iterator[None]:
    """The original colours again, whatever a test did."""
    yield
    theme.recolour({})
    textures.forget()


@pytest.mark.usefixtures("plain_colours")
def test_colours_are_chosen_typed_and_put_back(window: CloakWindow) -> None:
    told: list[dict[str, str]] = []

    def change(colours: dict[str, str]) -> None:
        told.append(colours)
        theme.recolour(colours)
        textures.forget()

    screen = ColoursScreen(window, {}, Style(), change)
    window.open_screen(screen)
    frames(window)
    click(window, screen.patches["board.light"][1].box)
    assert told[-1] == {"board.light": "#C9B28B"}
    assert theme.board_colours().light == theme.colour("#C9B28B")
    screen.fields["white"].set_value("")
    screen.fields["white"].insert("#12f4a0")
    assert told[-1]["white"] == "#12f4a0"
    click(window, screen.patches["board.light"][0].box)  # its own colour
    assert told[-1] == {"white": "#12f4a0"}
    screen.original.click()
    assert told[-1] == {}
    assert theme.board_colours() == theme.WALNUT


@pytest.mark.usefixtures("plain_colours")
@pytest.mark.parametrize("side", ["white", "black"])
def test_an_own_colour_tells_levels_apart(side: str) -> None:
    theme.recolour({side: "#7f3f3f"})
    textures.forget()
    pictures = [draw_token(wec_token("TA", side, tint=tint), 60).tobytes() for tint in Tint]
    assert len(set(pictures)) == len(Tint)
    assert theme.side_colours(side, Tint.GROUND).base == theme.colour("#7f3f3f")
