"""A player's card: how they stand, and every match with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from cloakboard.achievements.record import Audit
from cloakboard.achievements.standings import leaderboard
from cloakboard.client import theme
from cloakboard.client.canvas import Box
from cloakboard.client.dates import moment_of
from cloakboard.client.theme import Colour
from cloakboard.client.views.friends import ask_block, tried
from cloakboard.client.views.page import Page
from cloakboard.client.widgets import Button, Label, List, Look, Row, confirm
from cloakboard.client.words import REASONS, count
from cloakboard.netplay.identity import default_name, fingerprint_words

if TYPE_CHECKING:
    from cloakboard.achievements.ledger import Ledger
    from cloakboard.achievements.record import MatchRecord
    from cloakboard.client.window import CloakWindow
    from cloakboard.netplay.finding.friends import FriendsFile

PAINTS: Final[Mapping[Audit, Colour]] = MappingProxyType(
    {
        Audit.CLEAN: theme.TEAL,
        Audit.PENDING: theme.AMBER,
        Audit.CLAIMED: theme.AMBER,
        Audit.REFUSED: theme.CORAL,
        Audit.PROVEN: theme.CORAL,
    }
)
ICONS: Final = MappingProxyType(
    {
        Audit.CLEAN: "ui.shield",
        Audit.PENDING: "ui.clock",
        Audit.CLAIMED: "ui.link_lost",
        Audit.REFUSED: "ui.cross",
        Audit.PROVEN: "ui.cross",
    }
)


def between(records: Sequence[MatchRecord], one: bytes, other: bytes) -> tuple[int, int, int]:
    """Rated matches of two players: won by the first, won by the second, drawn."""
    won = lost = drawn = 0
    for record in records:
        mine, theirs = record.seat_of(one), record.seat_of(other)
        if mine is None or theirs is None or not record.is_rated:
            continue
        won += mine in record.winners
        lost += theirs in record.winners and mine not in record.winners
        drawn += not record.winners
    return won, lost, drawn


def audit_words(record: MatchRecord) -> str:
    """An audit state for a player to read: `clean`, `refused by Anna`."""
    names = " and ".join(record.players[seat].name for seat in record.by)
    match record.audit:
        case Audit.REFUSED:
            return f"refused by {names}"
        case Audit.PROVEN:
            return f"{names} was found false"
        case Audit.PENDING:
            return f"waits for {names}"
        case Audit.CLAIMED:
            return f"{names} never came back"
        case _:
            return "clean"


def told(record: MatchRecord, games: Mapping[str, str]) -> Row:
    """A match as a row of the card."""
    when = moment_of(record.ended)
    players = " against ".join(player.name for player in record.players)
    won = " and ".join(record.players[seat].name for seat in record.winners)
    reason = REASONS.get(record.reason, record.reason).rstrip(".")
    end = f"{won or 'nobody'} won: {reason}" if reason else "not ended"
    turns = count(record.turns, "Turn")
    return Row(
        players,
        f"{when} · {games.get(record.game, record.game)} · {end} · {turns}",
        icon=ICONS[record.audit],
        note=audit_words(record),
        accent=PAINTS[record.audit],
    )


class PlayerScreen(Page):
    """The card of the player `key`, seen by the player `own`. `games`: titles by id; a friend
    goes by the player's own name for them."""

    width = 1040
    height = 660

    def __init__(
        self,
        window: CloakWindow,
        ledger: Ledger,
        games: Mapping[str, str],
        own: bytes,
        key: bytes,
        on_gone: Callable[[], None],
        book: FriendsFile,
    ) -> None:
        super().__init__(window, "")
        self._book = book
        self._ledger = ledger
        self._games = games
        self._own = own
        self._key = key
        self._on_gone = on_gone
        self.records: list[MatchRecord] = []
        self.words = Label(self.stage, fingerprint_words(key), theme.SMALL)
        self.words.hint = "Read these words to each other: then you know it is this player."
        self.points = Label(self.stage, "", theme.BODY, wrap=True)
        self.history = Label(self.stage, "", theme.BODY)
        self.list = List(
            self.stage,
            row_height=56,
            on_select=self._select,
            empty_text="No match with this player is kept here.",
        )
        self.forget = Button(
            self.stage, "Forget this match", self._ask_match, icon="ui.trash", look=Look.DANGER
        )
        self.forget_all = Button(
            self.stage, "Forget this player", self._ask_player, icon="ui.trash", look=Look.DANGER
        )
        self.befriend = Button(self.stage, "Add to friends", self._befriend, icon="ui.join")
        self.block = Button(self.stage, "Block", self._block, icon="ui.lock")
        self._read()
        self.stage.set_focus(self.list)

    def _read(self) -> None:
        every = self._ledger.records()
        found = [record for record in every if record.seat_of(self._key) is not None]
        self.records = list(reversed(found))
        self.list.set_rows([told(record, self._games) for record in self.records])
        self.list.select(0 if self.records else None)
        self.heading.say(self._name())
        is_friend = self._book.is_friend(self._key)
        is_blocked = self._book.refuses(self._key)
        self.befriend.say("Among your friends" if is_friend else "Add to friends")
        self.block.say("Unblock" if is_blocked else "Block")
        self.block.enable(self._key != self._own)
        self.befriend.enable(self._key != self._own and not is_friend and not is_blocked)
        self.points.say(self._standing(every))
        self.history.say(self._against())
        self.forget.enable(bool(self.records))
        self.forget_all.enable(self._key != self._own and bool(self.records))

    @property
    def _plays_as(self) -> str:
        """What the player called themselves last, or empty."""
        seat = self.records[0].seat_of(self._key) if self.records else None
        return self.records[0].players[seat].name if seat is not None else ""

    def _name(self) -> str:
        """One's own name for them, and what they call themselves if that is another."""
        plays_as = self._plays_as
        name = self._book.name_of(self._key, plays_as or default_name(self._key))
        return f"{name} (plays as {plays_as})" if plays_as and plays_as != name else name

    def _befriend(self) -> None:
        tried(self.toasts, lambda: self._book.add_key(self._key, played_as=self._plays_as))
        self._read()

    def _block(self) -> None:
        if self._book.refuses(self._key):
            tried(self.toasts, lambda: self._book.unblock(self._key))
            self._read()
        else:
            ask_block(self.stage, self.heading.label, self._blocked)

    def _blocked(self) -> None:
        tried(self.toasts, lambda: self._book.block(self._key, self._plays_as))
        self._read()

    def _standing(self, every: Sequence[MatchRecord]) -> str:
        told = []
        for game, title in self._games.items():
            rows = leaderboard(every, game)
            for place, row in enumerate(rows, 1):
                if row.key == self._key and row.matches:
                    told.append(f"{title}: {row.points} points, place {place} of {len(rows)}")
        return "\n".join(told) or "No rated matches by the standard rules yet."

    def _against(self) -> str:
        if self._key == self._own:
            return "This is you."
        won, lost, drawn = between(self.records, self._own, self._key)
        return f"Against you: you won {won}, lost {lost}, drew {drawn}."

    def _select(self, index: int) -> None:
        self.forget.enable(index < len(self.records))

    def fill(self, box: Box) -> None:
        """Who and how they stand above, the matches, what can be forgotten below."""
        px = self.px
        above, rest = box.cut_top(px(22), px(4))
        self.words.place(above)
        height = self.points.natural_height(rest.width)
        above, rest = rest.cut_top(height, px(4))
        self.points.place(above)
        above, rest = rest.cut_top(px(24), px(10))
        self.history.place(above)
        foot, rest = rest.cut_bottom(px(42), px(12))
        self.list.place(rest)
        for button in (self.forget, self.forget_all):
            place, foot = foot.cut_left(button.natural_width(), px(10))
            button.place(place)
        for button in (self.befriend, self.block):
            place, foot = foot.cut_right(button.natural_width(), px(10))
            button.place(place)

    def _ask_match(self) -> None:
        at = self.list.selected
        if at is None or at >= len(self.records):
            return
        record = self.records[at]
        confirm(
            self.stage,
            "Forget this match?",
            f"{told(record, self._games).text}: its record is deleted here. Your leaderboards no "
            "longer count it, and friends will not bring it back. What you have earned stays; "
            "the save, if there is one, stays too.",
            "Forget",
            lambda: self._forget([record.match]),
        )

    def _ask_player(self) -> None:
        matches = [record.match for record in self.records]
        confirm(
            self.stage,
            f"Forget {self.heading.label}?",
            f"The records of {count(len(matches), 'match', 'matches')} with this player are "
            "deleted here. Your leaderboards no longer count them, so points of others change "
            "too; friends will not bring them back. What you have earned stays.",
            "Forget",
            lambda: self._forget(matches),
        )

    def _forget(self, matches: list[bytes]) -> None:
        self._ledger.forget(matches)
        self._read()
        if not self.records:
            self._on_gone()
