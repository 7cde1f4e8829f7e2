"""A match record from a transcript, or from the few entries of it that prove it.

1. Entry 0, signed by every seat, says what was played and who sat where; its hash is the match.
   (Answers: a match made up afterwards, other rules or players.)
2. Each seat's verdict, signed and bound to that match, says how it ended. All verdicts must name
   the same end. (Answers: a result that the other side never agreed to.)
3. Everything else in the record is worked out from these, never taken from whoever sends it.
   (Answers: a true proof under a false record.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from cloakboard.achievements.errors import FalseRecord
from cloakboard.achievements.record import STANDARD, Audit, MatchRecord, Player
from cloakboard.engine.codec import digest
from cloakboard.engine.errors import EngineError
from cloakboard.engine.game import Game
from cloakboard.netplay.errors import NetplayError
from cloakboard.netplay.lockstep.journal import Contents
from cloakboard.netplay.lockstep.judge import judge, keys_of
from cloakboard.netplay.plain import printable
from cloakboard.netplay.room_settings import settings_of
from cloakboard.netplay.transcript import (
    ALL_SEATS,
    Entry,
    Opened,
    Opening,
    Outcome,
    Record,
    Resume,
    TaggedBody,
    Verdict,
    check_signatures,
    encode,
    header_hash,
    read_body,
    read_entry,
    read_opening,
)
from cloakboard.netplay.veil.opening import clean_name

PROOF_BYTES: Final = 64 * 1024
REASON_LENGTH: Final = 40
NOTE_LENGTH: Final = 500  # characters of a finding
LARGEST: Final = 1 << 53
CLEAN: Final = "clean"

Options = tuple[tuple[str, bool | int | str], ...]


class _Rules(Record, frozen=True):
    """What a digest of options covers."""

    options: Options
    setup: str


def record_of_proof(proof: Sequence[bytes], games: Mapping[str, Game]) -> MatchRecord:
    """The record that entry 0 and the verdict of every seat prove, whoever sent them.

    Raises `FalseRecord`, with the reason.
    """
    if sum(map(len, proof)) > PROOF_BYTES:
        raise FalseRecord("the record is too long to be one")
    try:
        entries = [read_entry(data) for data in proof]
        opening = _checked_opening(entries)
        found = _checked_verdicts(entries, opening)
    except (NetplayError, EngineError) as error:
        raise FalseRecord(f"the record is not what its players signed: {error}") from None
    game = games.get(opening.game)
    if game is None:
        raise FalseRecord(f"the record is of {opening.game!r}, which this version does not have")
    if len(found) != len(opening.seats):
        raise FalseRecord("not every player has signed the record")
    outcomes = {body.outcome for body in found.values()}
    if len(outcomes) > 1:
        raise FalseRecord("its players signed different ends of the match")
    refusing = tuple(seat for seat, body in sorted(found.items()) if body.finding != CLEAN)
    return _record(
        opening,
        header_hash(entries[0].header),
        game,
        _checked_outcome(outcomes.pop(), len(opening.seats)),
        Audit.REFUSED if refusing else Audit.CLEAN,
        refusing,
        printable(found[refusing[0]].finding)[:NOTE_LENGTH] if refusing else "",
        tuple(proof),
    )


def record_of_save(contents: Contents, games: Mapping[str, Game], now: int) -> MatchRecord | None:
    """The record of a match on the disk, None while it goes on. `now` is the Unix time that an
    unsigned one gets. Raises `FalseRecord` if the file is no match of a known game.

    Repeats the audit, which takes seconds, only where not every seat found the match clean.
    """
    entries = contents.entries
    opening = read_opening(entries[0].body)
    game = games.get(opening.game)
    if game is None:
        raise FalseRecord(f"the match is of {opening.game!r}, which this version does not have")
    proof: tuple[bytes, ...] = ()
    if is_signed(contents):
        proof = tuple(encode(entry) for entry in (entries[0], *_verdicts(contents)))
    signed = record_of_proof(proof, games) if proof else None
    if signed is not None and signed.audit is Audit.CLEAN:
        return signed
    is_open = any(isinstance(body, Opened) for _, body in _bodies(entries))
    if not is_open and not contents.refused:
        return None
    return _judged(contents, game, opening, signed, now)


def is_signed(contents: Contents) -> bool:
    """Whether every seat has signed its verdict."""
    opening = read_opening(contents.entries[0].body)
    authors = {entry.header.author for entry in _verdicts(contents)}
    return len(authors) == len(opening.seats)


def _verdicts(contents: Contents) -> list[Entry]:
    return [entry for entry, body in _bodies(contents.entries) if isinstance(body, Verdict)]


def _judged(
    contents: Contents, game: Game, opening: Opening, signed: MatchRecord | None, now: int
) -> MatchRecord | None:
    entries = contents.entries
    try:
        judgement, _ = judge(game, entries, contents.refused)
    except (NetplayError, EngineError) as error:
        raise FalseRecord(f"the match cannot be audited: {error}") from None
    result, finding = judgement.result, judgement.finding
    found = {
        entry.header.author: body for entry, body in _bodies(entries) if isinstance(body, Verdict)
    }
    reached = Outcome(ended=now)
    if found:
        reached = next(iter(found.values())).outcome
    elif result is not None:
        reached = Outcome(result.winners, result.reason, judgement.turns, 0, now)
    match = header_hash(entries[0].header)
    if finding is not None and finding.seat >= 0:
        note = printable(judgement.text)[:NOTE_LENGTH]
        proof = signed.proof if signed is not None else ()
        by = (finding.seat,)
        return _record(opening, match, game, reached, Audit.PROVEN, by, note, proof)
    if signed is not None or result is None:
        return signed
    owing = tuple(seat for seat in range(len(opening.seats)) if seat not in found)
    return _record(opening, match, game, reached, Audit.PENDING, owing, "", ())


def claimed(contents: Contents, game: Game, seat: int, now: int) -> MatchRecord:
    """The record of a match that never ended, because the others stay away, as `seat` says."""
    opening = read_opening(contents.entries[0].body)
    match = header_hash(contents.entries[0].header)
    others = tuple(other for other in range(len(opening.seats)) if other != seat)
    return _record(opening, match, game, Outcome(ended=now), Audit.CLAIMED, others, "", ())


def option_class(game: Game, options: Options) -> str:
    """The class in which a match is rated: `standard`, the name of a bundle, or `own-` and eight
    digits for just these changes. Options that need no consent make no difference."""
    schema = game.options
    usual = {option.name: option.default for option in schema.options if option.needs_consent}
    free = {option.name for option in schema.options if not option.needs_consent}
    changed = {n: v for n, v in options if n not in free and usual.get(n) != v}
    if not changed:
        return STANDARD
    for bundle in schema.bundles:
        if dict(bundle.changes) == changed:
            return bundle.name
    rules = _Rules(tuple(sorted(changed.items())), "")
    return f"own-{digest('cloak/rules/1', encode(rules)).hex()[:8]}"


def changed_options(game: Game, options: Options) -> Options:
    """The options that differ from the standard, those that need no consent among them."""
    usual = game.options.defaults()
    return tuple((name, value) for name, value in options if usual.get(name) != value)


def _record(
    opening: Opening,
    match: bytes,
    game: Game,
    outcome: Outcome,
    audit: Audit,
    by: tuple[int, ...],
    note: str,
    proof: tuple[bytes, ...],
) -> MatchRecord:
    return MatchRecord(
        match=match,
        game=opening.game,
        rules_version=opening.rules_version,
        options=digest("cloak/options/1", encode(_Rules(opening.options, opening.setup))),
        rules=option_class(game, opening.options),
        players=tuple(Player(seat.key, clean_name(seat.name)) for seat in opening.seats),
        has_setup=bool(opening.setup),
        is_practice=not settings_of(opening)["scored"],
        winners=outcome.winners,
        reason=outcome.reason,
        turns=outcome.turns,
        used_ms=outcome.used_ms,
        ended=outcome.ended,
        audit=audit,
        by=by,
        note=note,
        proof=proof,
    )


def _checked_opening(entries: Sequence[Entry]) -> Opening:
    if not entries:
        raise FalseRecord("the record is empty")
    first = entries[0]
    opening = read_opening(first.body)
    keys = keys_of(opening)
    if not 2 <= len(keys) <= 8 or len(set(keys)) < len(keys):
        raise FalseRecord("the record does not name different players")
    if (first.header.seq, first.header.author, first.header.epoch) != (0, ALL_SEATS, 0):
        raise FalseRecord("the record does not begin with a match")
    check_signatures(first, keys)
    settings_of(opening)
    return opening


def _checked_verdicts(entries: Sequence[Entry], opening: Opening) -> dict[int, Verdict]:
    match = header_hash(entries[0].header)
    found: dict[int, Verdict] = {}
    for entry in entries[1:]:
        body = read_body(entry)
        if not isinstance(body, Verdict) or entry.header.match != match:
            raise FalseRecord("the record holds what is no verdict on its match")
        if entry.header.author in found or entry.header.author == ALL_SEATS:
            raise FalseRecord("the record holds two verdicts of one player")
        check_signatures(entry, keys_of(opening))
        found[entry.header.author] = body
    return found


def _checked_outcome(outcome: Outcome, seats: int) -> Outcome:
    """What all have signed can still be nonsense that harms whoever keeps it."""
    winners = outcome.winners
    numbers = (outcome.turns, outcome.used_ms, outcome.ended)
    if (
        list(winners) != sorted(set(winners))
        or any(seat not in range(seats) for seat in winners)
        or len(winners) == seats
        or not 0 < len(outcome.reason) <= REASON_LENGTH
        or not outcome.reason.isprintable()
        or any(not 0 <= number < LARGEST for number in numbers)
    ):
        raise FalseRecord("the record says that the match ended as none can")
    return outcome


def resumes(entries: Sequence[Entry]) -> int:
    """How often a match was gone on with after a break."""
    return sum(isinstance(body, Resume) for _, body in _bodies(entries))


def _bodies(entries: Sequence[Entry]) -> Iterator[tuple[Entry, TaggedBody]]:
    for entry in entries[1:]:
        try:
            yield entry, read_body(entry)
        except NetplayError:
            continue  # the audit names it
