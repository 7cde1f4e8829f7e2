"""What happened in a match, to look back on: from a table of this machine, or from a file.

A match with a friend is recorded whole once both secrets are open: the actions and draws that
its file holds are resolved again by the rules. Before that a recording holds what its seat may
know, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cloakboard.engine.codec import Codec
from cloakboard.engine.drive import drive, full_answer
from cloakboard.engine.events import may_know
from cloakboard.engine.game import Action, Game, Result, State
from cloakboard.engine.probes import Form
from cloakboard.engine.table import Record, Table
from cloakboard.netplay.errors import Malformed
from cloakboard.netplay.identity import Identity
from cloakboard.netplay.lockstep import journal, saves
from cloakboard.netplay.lockstep.core import Core
from cloakboard.netplay.lockstep.judge import check_opening, opened_secrets
from cloakboard.netplay.lockstep.undo import go_back
from cloakboard.netplay.transcript import (
    Act,
    Agreed,
    Entry,
    Link,
    Opening,
    Reply,
    Slot,
    read_body,
)
from cloakboard.netplay.veil.blind import Hand
from cloakboard.netplay.veil.chain import combine
from cloakboard.netplay.veil.opening import own_hand
from cloakboard.netplay.veil.secrets import open_note


@dataclass(frozen=True, slots=True)
class Recording:
    """A match so far. `seat`: the seat whose knowledge it is limited to, None if it is whole;
    then `log` leaves out what that seat may not know. `seed`: what fed its draws, if known.
    `is_straight`: nothing was taken back between machines, so that its actions lead by the rules
    from its start to its end."""

    game: Game
    options: Mapping[str, Any]
    setup: str
    names: tuple[str, ...]
    log: tuple[Record, ...]
    result: Result | None
    seat: int | None = None
    seed: bytes | None = None
    is_straight: bool = True

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left out."""
        return self.seat is None

    def start(self, eyes: int | None) -> State:
        """The start position as a seat knows it; None: all of it, of a whole recording."""
        assert self.seat is None or eyes == self.seat, "a limited recording has one seat's eyes"
        full = self.game.start(self.options, self.setup)
        return full if eyes is None else self.game.view(full, eyes)

    def can_go_on(self, step: int) -> bool:
        """Whether play can go on after so many actions: all is known, and the chances that were
        met can be met again."""
        drawn = (
            exchange.probe.form is Form.DRAW
            for record in self.log[:step]
            for exchange in record.exchanges
        )
        return self.is_whole and self.is_straight and (self.seed is not None or not any(drawn))


def of_table(table: Table, names: tuple[str, ...], seat: int | None = None) -> Recording:
    """The recording of a table of this machine; for a `seat`, what that seat may know, which is
    all in a game where nothing is hidden."""
    whole = Recording(
        table.game, table.options, table.setup, names, table.log, table.result, seed=table.seed
    )
    return whole if seat is None or not table.game.types.has_secrets else for_seat(whole, seat)


def for_seat(whole: Recording, seat: int) -> Recording:
    """What a seat may know of a whole recording."""
    game = whole.game
    state = whole.start(seat)
    log: list[Record] = []
    for record in whole.log:
        events = tuple(event for event in record.events if may_know(event, seat))
        action = record.action
        if record.seat != seat:
            action, _ = game.split(state, record.seat, record.action)
        log.append(Record(record.seat, action, record.forced, (), events))
        for event in events:
            state = game.apply(state, event)
    return Recording(game, whole.options, whole.setup, whole.names, tuple(log), whole.result, seat)


def of_file(path: Path, games: Mapping[str, Game], identity: Identity | None = None) -> Recording:
    """The recording of a match with friends: whole once its secrets are open, else what the
    seat of `identity` knows. Raises `NetplayError` or `EngineError` with a way out."""
    contents = journal.read(path)
    game = saves.game_of(path, contents, games)
    opening, match = check_opening(contents.entries[0], game)
    entries = contents.entries[1:]
    hands = {
        seat: Hand(secret, opening, match, seat)
        for seat, secret in opened_secrets(contents.entries, opening).items()
    }
    if len(hands) == len(opening.seats):
        log, is_straight = _straightened(_resolved(game, opening, match, entries, hands))
        result = _result(game, opening, match, entries)
        return _recording(game, opening, log, result, None, is_straight)
    held = [s for s, laid in enumerate(opening.seats) if identity and laid.key == identity.key]
    if not held or identity is None:
        raise Malformed(
            f"{path.name} is not finished, and this profile holds no seat in it; it can be looked "
            "at after the match"
        )
    seat = held[0]
    hand = own_hand(identity, opening, match, seat)
    core = Core(game, opening, match, seat, hand)
    known, is_straight = _straightened(_known(core, seat, entries, hand))
    limit = seat if game.types.has_secrets else None
    return _recording(game, opening, known, core.result, limit, is_straight)


def _straightened(told: Iterable[tuple[int, Record | int]]) -> tuple[tuple[Record, ...], bool]:
    """What is left of actions and undos, each with its entry's number, and whether nothing was
    taken back. An undo is the number of the entry before which play goes on."""
    log: list[tuple[int, Record]] = []
    is_straight = True
    for seq, one in told:
        if isinstance(one, Record):
            log.append((seq, one))
        else:
            log = [(at, record) for at, record in log if at < one]
            is_straight = False
    return tuple(record for _, record in log), is_straight


def _recording(
    game: Game,
    opening: Opening,
    log: Iterable[Record],
    result: Result | None,
    seat: int | None,
    is_straight: bool,
) -> Recording:
    names = tuple(laid.name for laid in opening.seats)
    options = game.options.complete(dict(opening.options))
    return Recording(
        game, options, opening.setup, names, tuple(log), result, seat, is_straight=is_straight
    )


def _result(game: Game, opening: Opening, match: bytes, entries: Sequence[Entry]) -> Result | None:
    """How it ended, as a watcher of the file finds."""
    watcher = Core(game, opening, match)
    for entry in entries:
        watcher.feed(entry, again=True)
    return watcher.result


def _resolved(
    game: Game,
    opening: Opening,
    match: bytes,
    entries: Sequence[Entry],
    hands: Mapping[int, Hand],
) -> Iterator[tuple[int, Record | int]]:
    """Every action resolved again with all secrets known, and every undo."""
    state = game.start(game.options.complete(dict(opening.options)), opening.setup, match)
    draws = iter(_draws(entries, len(opening.seats)))

    def draw() -> int:
        drawn = next(draws, None)
        if drawn is None:
            raise Malformed("the file ends before the chances that its last action met")
        return drawn

    states: dict[int, State] = {}  # before each entry
    for entry in entries:
        body, seq = read_body(entry), entry.header.seq
        states[seq] = state
        if isinstance(body, Agreed) and body.kind == "undo":
            state = go_back(game, states[body.value], state)
            yield seq, body.value
        if not isinstance(body, Act | Slot):
            continue
        seat = entry.header.author
        action = _action(game, hands[seat], entry, body)
        owed = game.forced(game.view(state, seat), seat)
        try:
            outcome = drive(
                game, state, seat, action, lambda now, probe: full_answer(game, now, probe, draw)
            )
        except Malformed:
            return  # the match was left in the middle of its last action
        state = outcome.state
        yield seq, Record(seat, action, owed == action, outcome.exchanges, outcome.events)


def _draws(entries: Sequence[Entry], seats: int) -> Iterator[int]:
    """The chances of the match, in order (VEIL 7)."""
    links: dict[int, list[bytes]] = {seat: [] for seat in range(seats)}
    for entry in entries:
        body = read_body(entry)
        if isinstance(body, Act | Slot | Reply):
            found = [part.link for part in body.parts if isinstance(part, Link)]
            links[entry.header.author].extend(found)
    for index, drawn in enumerate(zip(*links.values(), strict=False), 1):
        yield combine("probe", index, drawn)


def _action(game: Game, hand: Hand, entry: Entry, body: Act | Slot) -> Action:
    """The whole action of an entry whose author's hand is known."""
    header = entry.header
    sealed = open_note(hand.bound, header.epoch, header.prev, 0, body.commit, body.note)
    return Codec(game).action.decode(sealed or getattr(body, "action", b""))


def _known(
    core: Core, seat: int, entries: Sequence[Entry], hand: Hand
) -> Iterator[tuple[int, Record | int]]:
    """The actions with the events that the core's seat may know, and every undo."""
    begun: tuple[int, int, Action, bool] | None = None

    def ended() -> Iterator[tuple[int, Record]]:
        if begun is not None:
            seq, author, action, forced = begun
            yield seq, Record(author, action, forced, (), tuple(core.drain()))

    for entry in entries:
        body, seq = read_body(entry), entry.header.seq
        if isinstance(body, Act | Slot):
            yield from ended()
            author = entry.header.author
            action = None
            if author == seat:
                action = _action(core.game, hand, entry, body)
            elif isinstance(body, Act):
                action = Codec(core.game).action.decode(body.action)
            forced = author == seat and core.game.forced(core.view, seat) == action
            begun = seq, author, action, forced
        elif isinstance(body, Agreed) and body.kind == "undo":
            yield from ended()
            begun = None
            yield seq, body.value
        core.feed(entry, again=True)
    yield from ended()
