"""The audit: who, if anybody, wrote what no honest client could have written (VEIL 11).

Once all secrets are open, one honest core per seat replays the chain. An entry is judged
against what its author knew: its own view, and the answers it had received. Its author's core
makes every part of it again; the first difference is the finding, and nothing after it is
judged. What needs no opening (signatures, places, forms, forks, public digests) is judged
from any file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cloakboard.engine.errors import EngineError
from cloakboard.engine.game import Game, Result, State
from cloakboard.netplay.errors import Malformed, NetplayError
from cloakboard.netplay.lockstep.core import Core
from cloakboard.netplay.lockstep.faults import NO_SENSE, words_of
from cloakboard.netplay.room_settings import settings_of
from cloakboard.netplay.transcript import (
    ALL_SEATS,
    Entry,
    Opened,
    Opening,
    Record,
    check_request,
    check_signatures,
    header_hash,
    read_body,
    read_opening,
)
from cloakboard.netplay.veil.blind import Book, Hand
from cloakboard.netplay.veil.opening import clean_name
from cloakboard.netplay.veil.secrets import Secret, open_secret


class Finding(Record, frozen=True):
    """The first false entry: its place, its author's seat (`ALL_SEATS`: the file itself), and
    what is false about it in words."""

    seq: int
    seat: int
    text: str


class Judgement(Record, frozen=True):
    """What a transcript shows. `judged`: all secrets were open, so hidden moves were judged
    too; `ended`: the match has a result."""

    finding: Finding | None
    judged: bool
    ended: bool
    turns: int
    digest: bytes
    result: Result | None
    seats: tuple[str, ...]

    @property
    def text(self) -> str:
        """`clean`, the finding in words, or why nothing can be said yet."""
        if self.finding is not None:
            seat = self.finding.seat
            who = self.seats[seat] if 0 <= seat < len(self.seats) else "the file"
            return f"entry {self.finding.seq} by {who} (seat {seat}): {self.finding.text}"
        if self.judged:
            return "clean"
        return "cannot judge yet: hidden moves are not open" if self.ended else "not finished"


def keys_of(opening: Opening) -> tuple[bytes, ...]:
    """Identity keys in seat order."""
    return tuple(seat.key for seat in opening.seats)


def check_opening(entry: Entry, game: Game) -> tuple[Opening, bytes]:
    """(body, match id) of a well-signed entry 0 of this game. Raises `NetplayError`,
    `EngineError`."""
    opening = read_opening(entry.body)
    check_signatures(entry, keys_of(opening))
    header = entry.header
    if (header.seq, header.author, header.epoch) != (0, ALL_SEATS, 0):
        raise NetplayError("the first entry is no opening")
    if opening.game != game.id or opening.rules_version != game.rules_version:
        raise NetplayError(
            f"the match is {opening.game} by rules {opening.rules_version}; this program plays "
            f"{game.id} by rules {game.rules_version}"
        )
    if len(opening.seats) != game.seats:
        raise NetplayError(f"{game.title} is played by {game.seats}; the file names other seats")
    settings_of(opening)
    return opening, header_hash(header)


def judge(
    game: Game, entries: Sequence[Entry], refused: Iterable[Entry] = ()
) -> tuple[Judgement, State]:
    """The judgement of a transcript and of entries refused after it, and the last public
    state. Raises `NetplayError` or `EngineError` only if entry 0 itself is unusable."""
    opening, match = check_opening(entries[0], game)
    secrets = opened_secrets(entries, opening)
    hands = {seat: Hand(secret, opening, match, seat) for seat, secret in secrets.items()}
    judged = len(hands) == len(opening.seats)
    book = Book(hands) if judged else None
    watcher = Core(game, opening, match, book=book)
    cores = [
        Core(game, opening, match, seat, hand, book)
        for seat, hand in sorted(hands.items())
        if judged
    ]
    finding: Finding | None = None
    for entry in entries[1:]:
        finding = _judge_entry(entry, opening, match, watcher, cores)
        if finding is not None:
            break
    else:
        for entry in refused:
            finding = _judge_refused(entry, entries, opening, match, watcher, cores)
            if finding is not None:
                break
    result = watcher.result
    judgement = Judgement(
        finding=finding,
        judged=judged,
        ended=result is not None,
        turns=game.turn(watcher.shown),
        digest=watcher.digest(),
        result=result,
        seats=tuple(clean_name(seat.name) for seat in opening.seats),
    )
    return judgement, watcher.shown


def opened_secrets(entries: Sequence[Entry], opening: Opening) -> dict[int, Secret]:
    """The secrets that the seats have opened in a chain, by seat, as far as they hold."""
    secrets: dict[int, Secret] = {}
    for entry in entries[1:]:
        try:
            body = read_body(entry)
            if isinstance(body, Opened) and 0 <= entry.header.author < len(opening.seats):
                seat = entry.header.author
                promised = opening.seats[seat].commitment
                secrets[seat] = open_secret(promised, opening.nonce, seat, body.secret)
        except NetplayError:
            continue  # the replay names it
    return secrets


def _judge_entry(
    entry: Entry, opening: Opening, match: bytes, watcher: Core, cores: list[Core]
) -> Finding | None:
    """The finding, after which no core may be used; None once all have folded the entry."""
    header, place = entry.header, watcher.place
    author = header.author
    try:
        check_signatures(entry, keys_of(opening))
    except NetplayError as error:
        return Finding(header.seq, ALL_SEATS, words_of(error))
    stands = header.match, header.epoch, header.seq, header.prev
    if stands != (match, place.epoch, place.seq, place.head):
        # Its author may well have signed it, behind another entry than the file has there.
        return Finding(header.seq, ALL_SEATS, "it does not follow the entry before it")
    try:
        for request in entry.header.requests:
            check_request(request, keys_of(opening), match)
        for core in [c for c in cores if c.seat == author]:
            core.feed(entry, check=True)
    except (NetplayError, EngineError) as error:
        return Finding(header.seq, author, words_of(error))
    try:
        for core in [c for c in cores if c.seat != author]:
            core.feed(entry)
        watcher.feed(entry)
    except (NetplayError, EngineError) as error:
        # Who made nonsense of the match may have written any entry before this one.
        nonsense = isinstance(error, Malformed) and error.what == NO_SENSE
        return Finding(header.seq, ALL_SEATS if nonsense else author, words_of(error))
    return None


def _judge_refused(
    entry: Entry,
    entries: Sequence[Entry],
    opening: Opening,
    match: bytes,
    watcher: Core,
    cores: list[Core],
) -> Finding | None:
    """A refused entry proves something only if its author signed it: as a second version of
    an entry of the chain, or as a false one at its end."""
    header = entry.header
    try:
        check_signatures(entry, keys_of(opening))
    except NetplayError:
        return None
    if header.match != match or header.author == ALL_SEATS or header.seq < 1:
        return None
    if header.seq < len(entries):
        kept = entries[header.seq].header
        same_place = (kept.epoch, kept.author, kept.prev) == (
            header.epoch,
            header.author,
            header.prev,
        )
        if same_place and header_hash(kept) != header_hash(header):
            return Finding(header.seq, header.author, "its author signed two versions of it")
        return None
    if (header.seq, header.prev, header.epoch) != (
        watcher.place.seq,
        watcher.place.head,
        watcher.place.epoch,
    ):
        return None
    return _judge_entry(entry, opening, match, watcher, cores)
