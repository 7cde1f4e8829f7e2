"""Records from transcripts: equal on both machines, and false ones refused with their reason."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from cloakboard.achievements.errors import FalseRecord
from cloakboard.achievements.record import Audit, MatchRecord
from cloakboard.engine.registry import game as registered
from cloakboard.keeping.chain import claimed, option_class, record_of_proof, record_of_save
from cloakboard.netplay.lockstep import journal
from cloakboard.netplay.transcript import (
    Entry,
    Verdict,
    body_hash,
    encode,
    read_body,
    read_entry,
    sign_entry,
    sign_joint,
)
from tests.netplay.rig import Rig, identity, opening_entry
from tests.tiny import game

LINE = game(2)
GAMES = {LINE.id: LINE}
NOW = 1_000_000


def ended(seed: int = 3, **options: object) -> Rig:
    """A short match whose seats have signed their verdicts."""
    rig = Rig(LINE, seed, {"turns": 4} | options)
    rig.play()
    return rig


def record(rig: Rig, seat: int, folder: Path) -> MatchRecord | None:
    save = rig.write(seat, folder / f"{seat}.cloak")
    return record_of_save(journal.read(save), GAMES, NOW)


def proof(rig: Rig) -> list[bytes]:
    """Entry 0 and the verdicts."""
    entries = rig.entries(0)
    verdicts = [e for e in entries[1:] if isinstance(read_body(e), Verdict)]
    return [encode(entry) for entry in (entries[0], *verdicts)]


def test_both_machines_make_the_same_record(tmp_path: Path) -> None:
    rig = ended()
    records = [record(rig, seat, tmp_path) for seat in (0, 1)]
    assert records[0] == records[1]
    one = records[0]
    assert one is not None
    result = rig.peers[0].core.result
    assert result is not None
    assert (one.winners, one.reason, one.turns) == (result.winners, result.reason, 4)
    assert [player.key for player in one.players] == [identity(0).key, identity(1).key]
    assert [player.name for player in one.players] == ["player 0", "player 1"]
    assert (one.audit, one.by, one.is_signed) == (Audit.CLEAN, (), True)
    assert one.match == rig.peers[0].id


def test_a_match_agreed_to_be_practice_is_kept_and_not_rated(tmp_path: Path) -> None:
    rig = Rig(LINE, 3, {"turns": 4}, room={"scored": False})
    rig.play()
    one = record(rig, 0, tmp_path)
    assert one is not None
    assert one.audit is Audit.CLEAN
    assert one.is_practice
    assert not one.is_rated
    assert record_of_proof(one.proof, GAMES) == one


def test_the_record_comes_out_of_its_proof_alone(tmp_path: Path) -> None:
    rig = ended()
    one = record(rig, 0, tmp_path)
    assert one is not None
    assert record_of_proof(one.proof, GAMES) == one
    assert list(one.proof) == proof(rig)


def test_a_match_that_goes_on_has_no_record(tmp_path: Path) -> None:
    rig = Rig(LINE, 3, {"turns": 9})
    rig.play(4)
    assert record(rig, 0, tmp_path) is None


def cut_after(rig: Rig, seat: int, kinds: int) -> None:
    """The seat's journal without its last `kinds` entries."""
    del rig.files[seat][-kinds:]


def test_a_verdict_that_is_still_to_come_leaves_it_pending(tmp_path: Path) -> None:
    rig = ended()
    signed_first = rig.entries(0)[-2].header.author
    cut_after(rig, 0, 1)
    one = record(rig, 0, tmp_path)
    assert one is not None
    assert (one.audit, one.by, one.is_signed) == (Audit.PENDING, (1 - signed_first,), False)
    assert one.reason
    cut_after(rig, 1, 2)
    none_signed = record(rig, 1, tmp_path)
    assert none_signed is not None
    assert (none_signed.audit, none_signed.by) == (Audit.PENDING, (0, 1))
    assert (none_signed.winners, none_signed.reason) == (one.winners, one.reason)
    assert none_signed.ended == NOW
    assert not one.is_rated


def test_a_seat_that_refuses_is_named(tmp_path: Path) -> None:
    rig = ended()
    files = rig.files[0]
    last = read_entry(files[-1][1])
    body = read_body(last)
    assert isinstance(body, Verdict)
    files[-1] = (journal.ENTRY, encode(resigned(last, replace(body, finding="I saw it"))))
    one = record(rig, 0, tmp_path)
    assert one is not None
    assert (one.audit, one.by, one.note) == (
        Audit.REFUSED,
        (last.header.author,),
        "I saw it",
    )
    assert record_of_proof(one.proof, GAMES) == one


def test_a_stopped_match_names_who_lied(tmp_path: Path) -> None:
    rig = Rig(LINE, 3, {"turns": 9})
    rig.play(4)
    last = rig.entries(0)[-1]
    false = sign_entry(
        identity(last.header.author), replace(last.header, state=bytes(32)), last.body
    )
    rig.files[0].append((journal.REFUSED, encode(false)))
    one = record(rig, 0, tmp_path)
    assert one is not None
    assert (one.audit, one.by, one.reason) == (Audit.PROVEN, (last.header.author,), "")
    assert "two versions" in one.note
    assert not one.is_rated


def test_a_claim_names_who_stays_away(tmp_path: Path) -> None:
    rig = Rig(LINE, 3, {"turns": 9})
    rig.play(4)
    contents = journal.read(rig.write(0, tmp_path / "0.cloak"))
    one = claimed(contents, LINE, 0, NOW)
    assert (one.audit, one.by, one.reason, one.ended) == (Audit.CLAIMED, (1,), "", NOW)


def resigned(entry: Entry, body: Verdict, signer: int | None = None, **changes: object) -> Entry:
    """The verdict's entry with another body, signed by its author or by `signer`."""
    data = encode(body)
    header = replace(entry.header, body=body_hash(data), **changes)
    return sign_entry(identity(header.author if signer is None else signer), header, data)


def verdict(rig: Rig, **changes: object) -> bytes:
    """The last verdict, its author's signature under another end of the match."""
    entry = rig.entries(0)[-1]
    body = read_body(entry)
    assert isinstance(body, Verdict)
    return encode(resigned(entry, replace(body, outcome=replace(body.outcome, **changes))))


def stranger(rig: Rig) -> list[bytes]:
    """The last verdict by somebody who did not play."""
    entry = rig.entries(0)[-1]
    body = read_body(entry)
    assert isinstance(body, Verdict)
    return [*proof(rig)[:-1], encode(resigned(entry, body, signer=5))]


def other_names(rig: Rig) -> list[bytes]:
    """An opening that one of its seats did not sign."""
    first = rig.entries(0)[0]
    opening = rig.opening
    seats = (replace(opening.seats[0], name="Victor"), opening.seats[1])
    body = encode(replace(opening, seats=seats))
    header = replace(first.header, body=body_hash(body))
    signatures = (sign_joint(identity(0), header), first.signatures[1])
    return [encode(Entry(header, body, signatures)), *proof(rig)[1:]]


def of_one_mind(rig: Rig, **changes: object) -> list[bytes]:
    """Both verdicts signed anew under another end."""
    entries = [read_entry(data) for data in proof(rig)]
    found = [encode(entries[0])]
    for entry in entries[1:]:
        body = read_body(entry)
        assert isinstance(body, Verdict)
        found.append(
            encode(resigned(entry, replace(body, outcome=replace(body.outcome, **changes))))
        )
    return found


FORGERIES: dict[str, tuple[Callable[[Rig], list[bytes]], str]] = {
    "nothing": (lambda rig: [], "empty"),
    "noise": (lambda rig: [b"\xff" * 50], "not what its players signed"),
    "too long": (lambda rig: [bytes(70_000)], "too long"),
    "only the loser's verdict": (lambda rig: proof(rig)[:2], "not every player"),
    "no verdicts": (lambda rig: proof(rig)[:1], "not every player"),
    "one verdict twice": (lambda rig: [*proof(rig)[:2], proof(rig)[1]], "two verdicts of one"),
    "another winner": (
        lambda rig: [*proof(rig)[:2], verdict(rig, winners=(1,), reason="luck")],
        "different ends",
    ),
    "a verdict by a stranger": (stranger, "not by the key"),
    "a flipped signature": (
        lambda rig: [*proof(rig)[:-1], proof(rig)[-1][:-1] + b"\x00"],
        "not by the key",
    ),
    "verdicts of another match": (
        lambda rig: [encode(opening_entry(LINE, {"turns": 5})[0]), *proof(rig)[1:]],
        "no verdict on its match",
    ),
    "a changed name": (other_names, "not by the key"),
    "a move among the verdicts": (
        lambda rig: [*proof(rig), encode(rig.entries(0)[1])],
        "no verdict on its match",
    ),
    "a winner of no seat": (lambda rig: of_one_mind(rig, winners=(7,)), "as none can"),
    "all win": (lambda rig: of_one_mind(rig, winners=(0, 1)), "as none can"),
    "no end": (lambda rig: of_one_mind(rig, reason=""), "as none can"),
    "an unprintable end": (lambda rig: of_one_mind(rig, reason="a\nb"), "as none can"),
    "an endless match": (lambda rig: of_one_mind(rig, turns=1 << 60), "as none can"),
    "before time": (lambda rig: of_one_mind(rig, ended=-5), "as none can"),
}


@pytest.fixture(scope="module")
def finished() -> Rig:
    """A match that is over; not to be changed."""
    return ended()


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_record_is_refused_with_its_reason(forgery: str, finished: Rig) -> None:
    make, reason = FORGERIES[forgery]
    with pytest.raises(FalseRecord, match=reason):
        record_of_proof(make(finished), GAMES)


def test_a_record_of_an_unknown_game_is_refused() -> None:
    with pytest.raises(FalseRecord, match="does not have"):
        record_of_proof(proof(ended()), {})


@pytest.mark.parametrize(
    ("changes", "rules"),
    [
        ({}, "standard"),
        ({"government.0": "theocracy"}, "standard"),
        ({"sub_range": 5}, "own-"),
        ({"sub_range": 5, "government.1": "theocracy"}, "own-"),
    ],
)
def test_option_classes(changes: dict[str, object], rules: str) -> None:
    wec = registered("wec")
    options = tuple(sorted(wec.options.complete(changes).items()))
    assert option_class(wec, options).startswith(rules)
    plain = tuple(sorted(wec.options.complete({"sub_range": 5}).items()))
    if rules == "own-":
        assert option_class(wec, options) == option_class(wec, plain)
