"""The verdicts at a match's end: every seat signs how it ended (VEIL 11)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from cloakboard.netplay.errors import Forged, Malformed, NetplayError
from cloakboard.netplay.lockstep.core import Core
from cloakboard.netplay.transcript import (
    Entry,
    Outcome,
    Verdict,
    body_hash,
    encode,
    header_hash,
    read_body,
    sign_entry,
)
from cloakboard.netplay.veil.blind import Book, Hand
from tests.netplay.rig import Rig, identity, secret
from tests.tiny import game


def ended() -> Rig:
    """A short match whose seats have signed their verdicts."""
    rig = Rig(game(2), 3, {"turns": 4})
    rig.play()
    return rig


def verdicts(rig: Rig) -> list[tuple[Entry, Verdict]]:
    found = [(entry, read_body(entry)) for entry in rig.entries(0)[1:]]
    return [(entry, body) for entry, body in found if isinstance(body, Verdict)]


def watcher(rig: Rig, entries: list[Entry]) -> Core:
    match = header_hash(rig.entry.header)
    hands = {seat: Hand(secret(seat, rig.salt), rig.opening, match, seat) for seat in (0, 1)}
    core = Core(rig.game, rig.opening, match, book=Book(hands))
    for entry in entries[1:]:
        core.feed(entry)
    return core


def test_every_seat_signs_the_same_outcome() -> None:
    rig = ended()
    (first, one), (second, other) = verdicts(rig)
    assert {first.header.author, second.header.author} == {0, 1}
    assert one == other
    assert one.finding == "clean"
    result = rig.peers[0].core.result
    assert result is not None
    assert one.outcome == Outcome(result.winners, result.reason, 4, 0, 0)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"winners": (0, 1)}, Forged),
        ({"reason": "luck"}, Forged),
        ({"turns": 5}, Forged),
        ({"used_ms": 1}, Forged),
        ({"ended": 77}, Forged),
        ({"ended": -1}, Malformed),
        ({"ended": 1 << 41}, Malformed),
    ],
)
def test_a_verdict_of_another_outcome_is_refused(
    change: dict[str, object], error: type[NetplayError]
) -> None:
    rig = ended()
    last, body = verdicts(rig)[-1]
    false = encode(replace(body, outcome=replace(body.outcome, **change)))
    header = replace(last.header, body=body_hash(false))
    core = watcher(rig, rig.entries(0)[:-1])
    with pytest.raises(error):
        core.feed(sign_entry(identity(header.author), header, false))
