"""How players stand: a table to sort, and one player's points over time."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from cloakboard.achievements.record import STANDARD
from cloakboard.achievements.standings import Row, classes, leaderboard
from cloakboard.client.canvas import Box
from cloakboard.client.views.columns import Column, Columns, Line
from cloakboard.client.views.page import Page
from cloakboard.client.views.plot import Plot
from cloakboard.client.widgets import Button, Look

if TYPE_CHECKING:
    from cloakboard.achievements.record import MatchRecord
    from cloakboard.client.window import CloakWindow
    from cloakboard.netplay.finding.friends import FriendsFile

DAY_S: Final = 24 * 60 * 60
PERIODS: Final = ((0, "All time"), (365, "One year"), (30, "30 days"), (7, "7 days"))
COLUMNS: Final = (
    Column("#", 0.5, hint="Place by points"),
    Column("Player", 2.6, is_left=True),
    Column("Points", 1.1, hint="Rating; a newcomer has 1000"),
    Column("Played", hint="Rated matches: ended, with a clean audit"),
    Column("Won", 0.9),
    Column("Lost", 0.9),
    Column("Drawn", 0.9),
    Column("Win %", hint="Wins of matches, a draw counting as half a match"),
    Column("Streak", hint="Wins in a row now"),
    Column("Best", 0.9, hint="Most wins in a row"),
    Column("Refused", 1.1, hint="Audits that the player did not sign as clean"),
    Column("Found", 0.9, hint="Audits that found the player false"),
    Column("Left", 0.8, hint="Matches the player never came back to"),
)
POINTS: Final = 2  # the column that sorts at first


def lines(rows: Sequence[Row]) -> list[Line]:
    """The table's rows; a leaderboard comes in the order of its places."""
    found = []
    for place, row in enumerate(rows, 1):
        keys: tuple[int | str, ...] = (
            -place,
            row.name.casefold(),
            row.points,
            row.matches,
            row.wins,
            row.losses,
            row.draws,
            row.win_rate,
            row.streak,
            row.best_streak,
            row.refusals,
            row.findings,
            row.disconnects,
        )
        cells = (str(place), row.name, *map(str, keys[2:]))
        found.append(Line(cells, keys))
    return found


def rules_name(rules: str) -> str:
    """What a set of rules is called on the screen."""
    return "Standard rules" if rules == STANDARD else f"Rules {rules.removeprefix('own-')}"


class LeaderboardScreen(Page):
    """Tables by game, rules and period, of all or of friends. `records` gives the records anew;
    `on_player` opens a player's card; `games`: titles by id; `own`: the player's key."""

    width = 1160
    height = 680

    def __init__(
        self,
        window: CloakWindow,
        games: Mapping[str, str],
        records: Callable[[], list[MatchRecord]],
        on_player: Callable[[bytes], None],
        own: bytes,
        book: FriendsFile,
    ) -> None:
        super().__init__(window, "Leaderboards")
        self._own = own
        self._book = book
        self.among_friends = False
        self._games = dict(games)
        self._records = records
        self._on_player = on_player
        self.game = next(iter(self._games))
        self.rules = STANDARD
        self.period = 0
        self.rows: list[Row] = []
        self.game_button = Button(self.stage, "", self._next_game, icon="ui.dice")
        self.rules_button = Button(self.stage, "", self._next_rules, icon="ui.settings")
        self.period_button = Button(self.stage, "", self._next_period, icon="ui.clock")
        self.friends_button = Button(
            self.stage, "Friends only", self._next_circle, icon="ui.friends"
        )
        self.friends_button.hint = "You, and those you have added to your friends"
        self.table = Columns(
            self.stage,
            COLUMNS,
            sorted_by=POINTS,
            on_select=self._select,
            on_activate=lambda at: self._on_player(self.rows[at].key),
            empty_text="Nobody has finished a rated match here yet. Matches with friends count "
            "once both machines have signed a clean audit.",
        )
        self.plot = Plot(self.stage, "Points over time", "Choose a player.")
        self.player = Button(
            self.stage, "Player's card", self._open_player, icon="ui.person", look=Look.PRIMARY
        )
        self.stage.set_focus(self.table)

    def on_shown(self) -> None:
        """Reads the records."""
        self._read()

    def _read(self) -> None:
        records = self._records()
        known = classes(records, self.game)
        if self.rules not in known:
            self.rules = known[0] if known else STANDARD
        now = int(time.time())
        days = PERIODS[self.period][0]
        since = now - days * DAY_S if days else 0
        own = {self._own, *(known.key for known in self._book.friends())}
        among = own if self.among_friends else None
        found = leaderboard(records, self.game, rules=self.rules, since=since, now=now, among=among)
        self.rows = [replace(row, name=self._book.name_of(row.key, row.name)) for row in found]
        self.friends_button.switch(self.among_friends)
        self.game_button.say(self._games[self.game])
        self.rules_button.say(rules_name(self.rules))
        self.rules_button.enable(len(known) > 1)
        self.game_button.enable(len(self._games) > 1)
        self.period_button.say(PERIODS[self.period][1])
        self.table.set_lines(lines(self.rows))
        if self.rows:
            self.table.select(0)
        else:
            self.plot.tell((), "Points over time")
            self.player.enable(False)

    def _select(self, at: int) -> None:
        row = self.rows[at]
        points = [point.points for point in row.course]
        self.plot.tell(points, f"{row.name}: points over {len(points)} rated matches")
        self.player.enable()

    def _next_game(self) -> None:
        names = list(self._games)
        self.game = names[(names.index(self.game) + 1) % len(names)]
        self.rules = STANDARD
        self._read()

    def _next_rules(self) -> None:
        known = classes(self._records(), self.game)
        if known:
            at = known.index(self.rules) if self.rules in known else -1
            self.rules = known[(at + 1) % len(known)]
        self._read()

    def _next_period(self) -> None:
        self.period = (self.period + 1) % len(PERIODS)
        self._read()

    def _next_circle(self) -> None:
        self.among_friends = not self.among_friends
        self._read()

    def _open_player(self) -> None:
        if self.table.selected is not None:
            self._on_player(self.rows[self.table.selected].key)

    def fill(self, box: Box) -> None:
        """What the table is of above, the table, one player below."""
        px = self.px
        above, rest = box.cut_top(px(40), px(12))
        for button, width in (
            (self.game_button, 250),
            (self.rules_button, 210),
            (self.period_button, 160),
            (self.friends_button, 180),
        ):
            place, above = above.cut_left(px(width), px(10))
            button.place(place)
        foot, rest = rest.cut_bottom(px(168), px(12))
        self.table.place(rest)
        side, plot = foot.cut_right(px(190), px(14))
        self.plot.place(plot)
        self.player.place(Box(side.x, side.top - px(46), side.width, px(46)))
