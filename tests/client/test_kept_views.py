"""Achievements, leaderboards, a player's card, copies: what they show and what they do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyglet.window import key

from cloakboard.achievements.record import Audit, MatchRecord
from cloakboard.achievements.standings import leaderboard
from cloakboard.client.canvas import Box
from cloakboard.client.local_session import LocalSession
from cloakboard.client.session import Happened
from cloakboard.client.views.achievements import (
    EVERYTHING,
    HIDDEN,
    AchievementsScreen,
    placed,
    said,
)
from cloakboard.client.views.columns import Column, Columns, Line
from cloakboard.client.views.copies import CopiesScreen, fresh_path
from cloakboard.client.views.leaderboard import COLUMNS, LeaderboardScreen, lines, rules_name
from cloakboard.client.views.player import PlayerScreen, audit_words, between
from cloakboard.client.views.plot import Plot, bounds
from cloakboard.client.views.table import TableScreen
from cloakboard.client.views.table_layout import arrange
from cloakboard.client.views.table_view import ViewPrefs
from cloakboard.client.views.trid_table import TridTable
from cloakboard.client.watching import Heard, Watcher
from cloakboard.client.window import CloakWindow, Screen
from cloakboard.engine.registry import game, games
from cloakboard.keeping.keeper import Keeper
from cloakboard.netplay.finding.friends import FILE_NAME, FriendsFile
from cloakboard.netplay.identity import Identity, default_name
from tests.achievements.cases import CASES, Case
from tests.achievements.samples import ANNA, BEN, CARA, DAY, record
from tests.client.conftest import resized

TITLES = {"wec": "Weaponized Chess", "trid": "Tri-dimensional chess"}
NOW = 40 * DAY
LATE = 1000 * DAY  # when every verdict is overdue
IDENTITY = Identity(bytes(32))


def records() -> list[MatchRecord]:
    """Forty matches of three, and a few that are not clean."""
    pairs = ((ANNA, BEN), (BEN, CARA), (CARA, ANNA))
    found = []
    for number in range(1, 41):
        winners: tuple[int, ...] = ((0,), (1,), (0,), ())[number % 4]
        pair = pairs[number % 3]
        found.append(record(number, *pair, winners=winners, ended=number * DAY))
    found.append(record(50, ANNA, BEN, audit=Audit.REFUSED, by=(1,), ended=NOW + 1))
    found.append(record(51, ANNA, BEN, audit=Audit.PENDING, by=(1,), ended=NOW + 2))
    found.append(record(52, ANNA, BEN, rules="own-0a1b2c3d", ended=NOW + 3))
    return found


@pytest.fixture
def keeper(tmp_path: Path) -> Iterator[Keeper]:
    kept = Keeper(tmp_path, ANNA, games(), clock=lambda: NOW)
    for one in records():
        kept.ledger.add(one)
    yield kept
    kept.close()


@pytest.fixture
def book(tmp_path: Path) -> FriendsFile:
    return FriendsFile(tmp_path, ANNA)


def shown(window: CloakWindow, screen: Screen) -> None:
    window.open_screen(screen)
    window.draw(0)


def test_the_grid_shows_all_and_filters_by_game(window: CloakWindow, keeper: Keeper) -> None:
    keeper.keep_lesson("one", "wec")
    keeper.ledger.unlock("wec-doze-five", NOW)
    screen = AchievementsScreen(window, keeper.standings, lambda: None, lambda: None)
    shown(window, screen)
    assert len(screen.cards) == len(keeper.every)
    assert screen.cards[0].standing.one.id == "wec-doze-five"
    assert screen.count.label == f"1 of {len(keeper.every)} earned"
    screen.choose("trid")
    assert {card.standing.one.game for card in screen.cards} == {"trid"}
    screen.choose(EVERYTHING)
    before = screen.scroll.offset
    assert screen.on_key(key.PAGEDOWN, 0)
    assert screen.scroll.offset > before
    window.draw(0)


def test_a_hidden_achievement_keeps_its_words_until_it_is_earned(keeper: Keeper) -> None:
    hidden = next(s for s in keeper.standings() if s.one.hidden)
    assert said(hidden) == HIDDEN
    keeper.ledger.unlock(hidden.one.id, NOW)
    found = next(s for s in keeper.standings() if s.one.id == hidden.one.id)
    assert said(found) != HIDDEN


def test_cards_fill_rows_and_stay_in_their_box() -> None:
    box = Box(10, 20, 1000, 500)
    boxes = placed(box, 7, 300, 80, 10)
    assert len({place.x for place in boxes}) == 3
    assert all(box.x <= place.x and place.right <= box.right + 1 for place in boxes)
    assert boxes[0].top == box.top
    assert boxes[3].top < boxes[0].y


def test_the_table_sorts_by_any_column(window: CloakWindow) -> None:
    screen = Screen(window)
    chosen: list[int] = []
    table = Columns(
        screen.stage,
        (Column("Name", is_left=True), Column("Points")),
        sorted_by=1,
        on_select=chosen.append,
    )
    table.place(Box(0, 0, 400, 200))
    table.set_lines(
        [Line(("b", "2"), ("b", 2)), Line(("a", "9"), ("a", 9)), Line(("c", "5"), ("c", 5))]
    )
    assert table.order == [1, 2, 0]
    table.sort_by(1)
    assert table.order == [0, 2, 1]
    table.sort_by(0)
    assert table.order == [1, 0, 2]
    table.on_key(key.DOWN, 0)
    table.on_key(key.END, 0)
    assert chosen == [1, 2]
    assert table.on_key(key.RIGHT, 0)
    assert table.order == [1, 2, 0]


def test_leaderboards_by_game_rules_and_period(
    window: CloakWindow, keeper: Keeper, book: FriendsFile
) -> None:
    opened: list[bytes] = []
    screen = LeaderboardScreen(window, TITLES, keeper.ledger.records, opened.append, ANNA, book)
    shown(window, screen)
    assert screen.rows == leaderboard(records(), "wec", now=LATE)
    assert screen.plot.values == tuple(point.points for point in screen.rows[0].course)
    screen.player.click()
    assert opened == [screen.rows[0].key]
    screen.rules_button.click()
    assert screen.rules == "own-0a1b2c3d"
    assert len(screen.rows) == 2
    screen.game_button.click()
    assert screen.rows == []
    window.draw(0)


def test_a_leaderboard_of_friends_is_of_friends_by_the_players_own_names(
    window: CloakWindow, keeper: Keeper, book: FriendsFile
) -> None:
    book.add_key(CARA, "Carabosse")
    book.add_key(BEN, "Ben")
    book.block(BEN)
    screen = LeaderboardScreen(window, TITLES, keeper.ledger.records, lambda key: None, ANNA, book)
    shown(window, screen)
    assert {row.name for row in screen.rows} == {"Anna", "Ben", "Carabosse"}
    every = {row.key: row.points for row in screen.rows}
    screen.friends_button.click()
    assert {row.key: row.points for row in screen.rows} == {
        key: points for key, points in every.items() if key != BEN
    }
    assert {row.name for row in screen.rows} == {"Anna", "Carabosse"}
    window.draw(0)


def test_a_row_has_a_cell_for_every_column() -> None:
    for line in lines(leaderboard(records(), "wec")):
        assert len(line.cells) == len(line.keys) == len(COLUMNS)
    assert rules_name("standard") == "Standard rules"
    assert rules_name("own-12345678") == "Rules 12345678"


@pytest.mark.parametrize(
    ("values", "ends"),
    [((1000,), (1000, 1050)), ((1001, 1099), (1000, 1100)), ((930, 1210), (900, 1250))],
)
def test_a_plot_ends_at_round_numbers(values: tuple[int, ...], ends: tuple[int, int]) -> None:
    assert bounds(values) == ends


def test_a_plot_shows_the_latest_points(window: CloakWindow) -> None:
    plot = Plot(Screen(window).stage, "", "")
    plot.place(Box(0, 0, 300, 120))
    plot.tell(range(200), "Points")
    assert plot.values == tuple(range(120, 200))


def test_a_players_card_tells_how_it_stands_and_forgets_after_asking(
    window: CloakWindow, keeper: Keeper, book: FriendsFile
) -> None:
    gone: list[bool] = []
    screen = PlayerScreen(window, keeper.ledger, TITLES, ANNA, BEN, lambda: gone.append(True), book)
    shown(window, screen)
    assert screen.heading.label == "Ben"
    won, lost, drawn = between(records(), ANNA, BEN)
    assert f"you won {won}, lost {lost}, drew {drawn}" in screen.history.label
    assert won + lost + drawn == 14
    count = len(screen.records)
    assert "place" in screen.points.label
    screen.forget.click()
    assert len(screen.records) == count
    screen.stage.key_pressed(key.ESCAPE, 0)
    assert len(screen.records) == count
    screen._forget([screen.records[0].match])
    assert len(screen.records) == count - 1
    screen._forget([one.match for one in screen.records])
    assert gone == [True]
    assert all(one.seat_of(BEN) is None for one in keeper.ledger.records())


def test_a_card_goes_by_the_own_name_and_adds_a_friend(
    window: CloakWindow, keeper: Keeper, book: FriendsFile
) -> None:
    screen = PlayerScreen(window, keeper.ledger, TITLES, ANNA, BEN, lambda: None, book)
    shown(window, screen)
    assert book.get(BEN) is None
    screen.befriend.click()
    assert [known.name for known in book.friends()] == ["Ben"]
    assert not screen.befriend.is_enabled
    book.rename(BEN, "Benjamin")
    again = PlayerScreen(window, keeper.ledger, TITLES, ANNA, BEN, lambda: None, book)
    assert again.heading.label == "Benjamin (plays as Ben)"
    book.block(BEN)
    for player in (BEN, ANNA):
        card = PlayerScreen(window, keeper.ledger, TITLES, ANNA, player, lambda: None, book)
        assert not card.befriend.is_enabled
    screen.block.click()
    assert not book.refuses(BEN)
    screen.block.click()
    assert not book.refuses(BEN)
    screen.stage.key_pressed(key.ESCAPE, 0)
    screen._blocked()
    assert book.refuses(BEN)
    (book._path.parent / f"{FILE_NAME}.part").mkdir()  # the disk refuses
    screen.block.click()
    assert book.refuses(BEN)
    screen._blocked()
    assert "cannot be written" in screen.toasts._shown[-1]._said
    unmet = b"u" * 32
    card = PlayerScreen(window, keeper.ledger, TITLES, ANNA, unmet, lambda: None, book)
    assert card.heading.label == default_name(unmet)


@pytest.mark.parametrize(
    ("audit", "words"),
    [
        (Audit.CLEAN, "clean"),
        (Audit.REFUSED, "refused by Ben"),
        (Audit.PROVEN, "Ben was found false"),
        (Audit.PENDING, "waits for Ben"),
        (Audit.CLAIMED, "Ben never came back"),
    ],
)
def test_audit_states_in_words(audit: Audit, words: str) -> None:
    by = () if audit is Audit.CLEAN else (1,)
    assert audit_words(record(1, audit=audit, by=by)) == words


def test_export_and_import(window: CloakWindow, tmp_path: Path) -> None:
    kept = Keeper(tmp_path, IDENTITY.key, games(), clock=lambda: NOW)
    kept.ledger.unlock("first-win", NOW)
    screen = CopiesScreen(window, kept, IDENTITY, tmp_path / "exports")
    shown(window, screen)
    screen.bring.click()
    assert "path" in screen.said.label
    screen.export.click()
    assert "Exported 0 records" in screen.said.label
    assert Path(screen.path.value).exists()
    screen.bring.click()
    assert screen.said.label == "Imported 0 new records."
    screen.path.set_value(str(tmp_path / "none"))
    screen.bring.click()
    assert "cannot be read" in screen.said.label
    screen.path.set_value("~nobody-of-that-name/copy.records")
    screen.bring.click()
    assert "cannot be read" in screen.said.label
    assert fresh_path(tmp_path / "exports", "x").name == "cloakboard-x.records"
    window.draw(0)
    kept.close()


def test_a_match_at_this_machine_is_watched_and_counted_at_its_end(keeper: Keeper) -> None:
    session = LocalSession(game("wec"), ("Anna", "Computer"), seed=b"s" * 32, computers=(1,))
    assert isinstance(session, Heard)
    session.listener = Watcher(session, keeper)
    session.resign(0)
    session.poll()
    (played,) = keeper.ledger.played()
    assert (played.mode.value, played.seat, played.winners) == ("computer", 0, (1,))
    assert keeper.fresh() == []


def test_what_is_earned_at_once_is_told_at_once(keeper: Keeper) -> None:
    session = LocalSession(game("wec"), ("Anna", "Ben"), seed=b"s" * 32)
    watcher = Watcher(session, keeper)
    case = CASES["wec-take-off"][0][0]
    assert isinstance(case, Case)
    for event in case.events:
        watcher(Happened(0, event))
    assert [one.id for one in keeper.fresh()] == ["wec-take-off"]
    assert keeper.fresh() == []


@pytest.mark.parametrize("is_single", [False, True])
@pytest.mark.parametrize("size", [(1280, 720), (2560, 1440)])
def test_a_toast_at_the_table_covers_no_board(
    window: CloakWindow, size: tuple[int, int], is_single: bool
) -> None:
    resized(window, *size)
    session = LocalSession(game("wec"), ("Anna", "Computer"), seed=b"t", computers=(1,))
    screen = TableScreen(window, session, window.close, prefs=ViewPrefs(is_single=is_single))
    shown(window, screen)
    layout = arrange(window.box, window.ui_scale)
    for title in ("Bloodhound", "Earth mover", "Against the wind and all that it brings"):
        screen.toasts.tell(f"Achievement: {title}")
    boards = [layout.board] if is_single else [layout.board, screen.panel.levels.box]
    for toast in screen.toasts._shown:
        assert layout.panel.x <= toast.box.x
        assert toast.box.right <= layout.panel.right
        assert layout.panel.y <= toast.box.y
        assert not any(meets(toast.box, board) for board in boards)


@pytest.mark.parametrize("size", [(1280, 720), (2560, 1440)])
def test_a_toast_at_the_tri_dimensional_table_covers_no_board(
    window: CloakWindow, size: tuple[int, int]
) -> None:
    resized(window, *size)
    session = LocalSession(game("trid"), ("Anna", "Ben"), seed=b"t")
    screen = TridTable(window, session, window.close)
    shown(window, screen)
    screen.toasts.tell("Achievement: Checkmate, delivered")
    (toast,) = screen.toasts._shown
    assert screen._box is not None
    assert not meets(toast.box, screen._box)
    assert toast.box.right <= window.box.right


def meets(one: Box, other: Box) -> bool:
    """Whether two boxes have more than an edge in common."""
    return one.x < other.right and other.x < one.right and one.y < other.top and other.y < one.top
