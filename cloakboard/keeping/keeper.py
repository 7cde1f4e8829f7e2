"""A profile's match records and achievements, as the window and the command line use them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from cloakboard.achievements.definitions import Definition, definitions
from cloakboard.achievements.errors import KeepingError, Obstacle, Unclaimable, Unwritable
from cloakboard.achievements.ledger import Ledger
from cloakboard.achievements.moments import Began, Closed, Mode
from cloakboard.achievements.observer import Observer, progress_of
from cloakboard.achievements.record import RANK, Audit, MatchRecord
from cloakboard.engine.codec import digest
from cloakboard.engine.events import Event
from cloakboard.engine.game import Game, Result
from cloakboard.keeping import chain
from cloakboard.keeping.setups import bundled
from cloakboard.netplay.errors import NetplayError
from cloakboard.netplay.lockstep import journal, saves
from cloakboard.netplay.lockstep.core import Core
from cloakboard.netplay.lockstep.journal import Contents
from cloakboard.netplay.lockstep.judge import check_opening, opened_secrets
from cloakboard.netplay.transcript import header_hash
from cloakboard.netplay.veil.blind import Hand

FINAL: Final = frozenset(audit for audit in Audit if RANK[audit] >= RANK[Audit.CLEAN])


class Standing(msgspec.Struct, frozen=True):
    """An achievement, how far the player has come, and when it was earned (Unix time), or 0."""

    one: Definition
    count: int
    earned: int


class Keeper:
    """What is kept in a profile folder for the player with the identity key `key`.

    A match at this machine, a lesson and a toast go on whatever the disk refuses: it costs what
    would have been counted, no more.
    """

    def __init__(
        self,
        folder: Path,
        key: bytes,
        games: Mapping[str, Game],
        clock: Callable[[], float] = time.time,
        every: tuple[Definition, ...] | None = None,
    ) -> None:
        """Never fails for what lies in the folder: see `notice`. `every`: the achievements that
        there are, None for all."""
        self.key = key
        self.games = games
        self.every = definitions() if every is None else every
        self.ledger = Ledger(folder)
        self._clock = clock
        self._has_news = True

    @property
    def notice(self) -> str:
        """What the player must be told about the file of records, or empty."""
        return self.ledger.notice

    def close(self) -> None:
        """Closes the file of records."""
        self.ledger.close()

    # -- matches with friends ------------------------------------------------------------------

    def keep(self, save: Path) -> MatchRecord | None:
        """Keeps the record of a match from its save, once it has ended, and counts it once its
        audit is done. None while it goes on. Raises `NetplayError`, `KeepingError`."""
        return self._keep(journal.read(save))

    def _keep(self, contents: Contents) -> MatchRecord | None:
        record = chain.record_of_save(contents, self.games, self._now())
        if record is None:
            return None
        self.ledger.add(record)
        seat = record.seat_of(self.key)
        source = record.match.hex()
        if seat is not None and record.audit in FINAL and not self.ledger.has_played(source):
            closed = self._closed(record, contents, seat)
            amounts = self._amounts(record, contents, closed)
            self.ledger.close_match(source, closed, amounts)
            self.settle()
        return record

    def catch_up(self, folder: Path) -> None:
        """Keeps what ended without being kept: a program that was killed in the audit."""
        done = [match.hex() for match in self.ledger.matches()]
        for save in sorted(folder.glob(f"*{journal.SUFFIX}")):
            id_ = save.stem.rpartition("-")[2] or save.stem
            if not any(match.startswith(id_) for match in done):
                try:
                    contents = journal.read(save)
                    if chain.is_signed(contents) or not self._has(contents):
                        self._keep(contents)
                except (NetplayError, KeepingError):
                    continue  # the list of saves tells its problem

    def _has(self, contents: Contents) -> bool:
        """Whether the end of the match is in the records, with its audit still to be signed: it
        is not audited again at every start."""
        record = self.ledger.record(header_hash(contents.entries[0].header))
        return record is not None and record.audit is not Audit.CLAIMED

    def claim(self, save: Path) -> MatchRecord:
        """Notes that the others stay away from a match that has not ended; unrated. The save is
        as before: once the match ends after all, its end takes the place of this record. Raises
        `Unclaimable`, for a match that has ended with its end kept; `KeepingError`; `NetplayError`
        if the save is none."""
        contents = journal.read(save)
        game = saves.game_of(save, contents, self.games)
        opening, match = check_opening(contents.entries[0], game)
        seat = next((s for s, laid in enumerate(opening.seats) if laid.key == self.key), None)
        if seat is None:
            raise Unclaimable(
                f"{save.name} is a match of others; only a player can claim it", Obstacle.OTHERS
            )
        known = self.ledger.record(match)
        if known is None and match in self.ledger.matches():
            raise Unclaimable(
                f"you had the record of {save.name} forgotten; it stays out of your records",
                Obstacle.FORGOTTEN,
            )
        is_over = known is not None and known.audit is not Audit.CLAIMED  # as a friend has told
        if self._keep(contents) is not None or is_over:
            raise Unclaimable(f"{save.name} has ended; its end is in your records", Obstacle.ENDED)
        if known is not None:
            raise Unclaimable(f"{save.name} is claimed already", Obstacle.CLAIMED)
        record = chain.claimed(contents, game, seat, self._now())
        self.ledger.add(record)
        return record

    def _closed(self, record: MatchRecord, contents: Contents, seat: int) -> Closed:
        opening, _ = check_opening(contents.entries[0], self.games[record.game])
        others = (player.key for player in record.players if player.key != self.key)
        return Closed(
            game=record.game,
            mode=Mode.NET,
            seat=seat,
            winners=record.winners,
            reason=record.reason,
            turns=record.turns,
            used_ms=record.used_ms,
            audit=record.audit,
            rules=record.rules,
            changed=chain.changed_options(self.games[record.game], opening.options),
            own_setup=contents.meta.hosts and opening.setup not in bundled(record.game),
            began=contents.meta.made,
            ended=record.ended,
            resumes=chain.resumes(contents.entries),
            others=tuple(others),
        )

    def _amounts(
        self, record: MatchRecord, contents: Contents, closed: Closed
    ) -> Mapping[str, int]:
        """What the match brought: told anew all that the player's seat could know."""
        game = self.games[record.game]
        opening, match = check_opening(contents.entries[0], game)
        secret = opened_secrets(contents.entries, opening).get(closed.seat)
        if secret is None:
            return {}
        core = Core(game, opening, match, closed.seat, Hand(secret, opening, match, closed.seat))
        for entry in contents.entries[1:]:
            core.feed(entry, again=True)
        return self._told(core.drain(), closed, game)

    # -- matches at this machine -----------------------------------------------------------------

    def keep_local(
        self,
        game: Game,
        seed: bytes,
        seats: tuple[int, ...],
        computers: tuple[int, ...],
        events: Iterable[Event],
        result: Result,
        turns: int,
    ) -> None:
        """Counts a match at this machine that has ended, once; `seed` tells it from others."""
        mode = Mode.COMPUTER if computers else Mode.HOTSEAT
        closed = Closed(
            game=game.id,
            mode=mode,
            seat=seats[0] if computers else -1,
            winners=result.winners,
            reason=result.reason,
            turns=turns,
            ended=self._now(),
        )
        told = tuple(events)
        best: dict[str, int] = {}
        for seat in seats:
            own = msgspec.structs.replace(closed, seat=seat)
            for id_, amount in self._told(told, own, game).items():
                best[id_] = max(best.get(id_, 0), amount)
        source = f"table-{digest('cloak/table-match/1', seed + game.id.encode()).hex()[:24]}"
        with suppress(Unwritable):
            self.ledger.close_match(source, closed, best)
            self.settle()

    def keep_lesson(self, lesson: str, game: str) -> None:
        """Counts a lesson that was finished, once."""
        closed = Closed(
            game=game, mode=Mode.LESSON, reason="finished", what=lesson, ended=self._now()
        )
        with suppress(Unwritable):
            self.ledger.close_match(f"lesson-{lesson}", closed, {})
            self.settle()

    def _told(self, events: Iterable[Event], closed: Closed, game: Game) -> Mapping[str, int]:
        observer = self.observer(game, closed.mode, closed.seat)
        for event in events:
            observer.see(event)
        observer.close(closed)
        return observer.amounts

    # -- achievements ----------------------------------------------------------------------------

    def observer(self, game: Game, mode: Mode, seat: int) -> Observer:
        """An observer for a match that begins now."""
        return Observer(self.every, Began(game=game.id, mode=mode, seat=seat, seats=game.seats))

    def note(self, amounts: Mapping[str, int], when: tuple[str, ...]) -> None:
        """Unlocks what a match that still runs has earned, of what may be told by then."""
        tallies = self.ledger.tallies()
        earned = self.ledger.unlocks()
        for one in self.every:
            brought = amounts.get(one.id, 0)
            if one.id in earned or one.when not in when or not brought:
                continue
            before = sum(tallies.get(one.id, ())) if one.over == "all" else 0
            if before + brought >= one.goal:
                with suppress(Unwritable):
                    self._unlock(one)

    def settle(self) -> None:
        """Unlocks whatever the counted matches have earned."""
        played, tallies, earned = (
            self.ledger.played(),
            self.ledger.tallies(),
            self.ledger.unlocks(),
        )
        for one in self.every:
            if one.id not in earned and progress_of(one, played, tallies) >= one.goal:
                self._unlock(one)

    def _unlock(self, one: Definition) -> None:
        self.ledger.unlock(one.id, self._now())
        self._has_news = True

    def fresh(self) -> list[Definition]:
        """Achievements earned and not told of so far; from now on they count as told of. Costs
        nothing while there are none."""
        if not self._has_news:
            return []
        self._has_news = False
        known = {one.id: one for one in self.every}
        with suppress(Unwritable):
            return [known[id_] for id_ in self.ledger.announce() if id_ in known]
        return []

    def standings(self) -> list[Standing]:
        """Every achievement with the player's progress."""
        played, tallies = self.ledger.played(), self.ledger.tallies()
        earned = self.ledger.unlocks()
        return [
            Standing(
                one,
                one.goal if one.id in earned else progress_of(one, played, tallies),
                earned.get(one.id, 0),
            )
            for one in self.every
        ]

    def _now(self) -> int:
        return int(self._clock())
