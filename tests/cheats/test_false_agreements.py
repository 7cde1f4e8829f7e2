"""Undo, pause and more time by a seat that does not keep to what all have signed (VEIL 1, 8): the
file alone convicts it, and nobody else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from cloakboard.netplay.lockstep.match import Match
from cloakboard.netplay.transcript import (
    Agreed,
    Header,
    Request,
    body_hash,
    encode,
    sign_request,
)
from tests.cheats.court import convict
from tests.cheats.liars import Raw, raw
from tests.netplay.rig import Rig, identity
from tests.netplay.test_undo import targets
from tests.tiny import game as line

LIAR = 0
LATER = {"turns": 30}


def signed(match: Match, seat: int, kind: str, value: int, signer: int | None = None) -> Request:
    plain = Request(match.id, match.core.place.head, seat, kind, value)
    return sign_request(identity(seat if signer is None else signer), plain)


def other_target(match: Raw, header: Header, body: bytes) -> tuple[Header, bytes]:
    """Signs that play goes on from another entry than was asked for."""
    if b"agreed" not in body[:16]:
        return header, body
    (value,) = {r.value for r in header.requests if r.kind == "undo"}
    others = [s for s in range(match.core.place.seq) if s != value]
    changed = encode(Agreed("undo", others[0]))
    return replace(header, body=body_hash(changed)), changed


def alone(kind: str, value: int, *, forges: bool) -> Any:
    """Agrees by itself, with or without a signature in another seat's name."""

    def change(match: Raw, header: Header, body: bytes) -> tuple[Header, bytes]:
        if len(match.entries) < 9 or not match.core.place.seq > 8 or b"act" not in body[:8]:
            return header, body
        requests = [signed(match, LIAR, kind, value)]
        if forges:
            requests += [signed(match, seat, kind, value, LIAR) for seat in match.others]
        changed = encode(Agreed(kind, value))
        return replace(header, requests=tuple(requests), body=body_hash(changed)), changed

    return change


def test_veil_8_an_undo_to_another_target_than_all_signed(tmp_path: Path) -> None:
    rig = Rig(line(3), 8, LATER, machine={LIAR: raw(other_target)})
    rig.play(5)
    while rig.peers[0].core.floor() != (LIAR,):
        rig.step()
    target = targets(rig)[-1]
    for seat in (1, 2, LIAR):
        rig.peers[seat].request("undo", target)
        rig.flush()
    assert rig.stopped()
    assert "not every seat" in convict(rig, LIAR, tmp_path).text


@pytest.mark.parametrize("forges", [False, True])
@pytest.mark.parametrize(("kind", "value"), [("undo", 1), ("pause", 0), ("extend", 60_000)])
def test_veil_8_an_agreement_of_one_seat(
    kind: str, value: int, forges: bool, tmp_path: Path
) -> None:
    machine = {LIAR: raw(alone(kind, value, forges=forges))}
    rig = Rig(line(3), 8, LATER, machine=machine, room={"move_seconds": 60})
    rig.play(30)
    assert rig.stopped()
    convict(rig, LIAR, tmp_path)


def test_veil_8_an_old_consent_is_none(tmp_path: Path) -> None:
    """Seat 1 agreed once; after that somebody acted, and the liar takes it up."""
    kept: list[Request] = []

    def change(match: Raw, header: Header, body: bytes) -> tuple[Header, bytes]:
        old = [r for r in match.pending if r.kind == "undo"]
        kept.extend(old)
        if not kept or old or b"act" not in body[:8]:
            return header, body
        value = kept[0].value
        changed = encode(Agreed("undo", value))
        requests = (kept[0], signed(match, LIAR, "undo", value))
        return replace(header, requests=requests, body=body_hash(changed)), changed

    rig = Rig(line(2), 5, LATER, machine={LIAR: raw(change)})
    rig.play(5)
    while rig.peers[0].core.floor() != (LIAR,):
        rig.step()
    rig.peers[1].request("undo", targets(rig)[-1])
    rig.flush()
    rig.play(20)
    assert rig.stopped()
    convict(rig, LIAR, tmp_path)


def test_veil_8_an_action_during_a_pause(tmp_path: Path) -> None:
    """A machine that plays on while the match is paused."""
    rig = Rig(line(2), 5, LATER)
    rig.play(4)
    for seat in range(2):
        rig.peers[seat].request("pause")
        rig.flush()
    (mover,) = rig.peers[0].core.floor()
    liar = rig.peers[mover]
    assert not rig.step(), "nobody may act"
    liar.core.requests.is_paused = False
    action = rig.choose(mover)
    liar.act(action)
    rig.flush()
    assert "paused" in convict(rig, mover, tmp_path).text
