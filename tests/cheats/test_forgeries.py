"""False entries that every machine sees through at once: the match stops, the entry is kept as
evidence, and the file alone convicts its author, with no secret opened (VEIL 1, 8)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from cloakboard.engine.codec import encode
from cloakboard.engine.wec.actions import Blast, EndTurn, Move, Ref
from cloakboard.engine.wec.events import Changed, Sighted
from cloakboard.engine.wec.probes import Detected
from cloakboard.netplay.transcript import (
    Act,
    Answer,
    Ask,
    Header,
    Link,
    Opened,
    Reply,
    Request,
    Rows,
    TaggedBody,
    Take,
    Trace,
    Verdict,
    body_hash,
    sign_request,
)
from tests.cheats.court import convict
from tests.cheats.liars import Raw, raw
from tests.cheats.positions import AAA_AT, SUB_AT, crowd
from tests.cheats.test_hidden_lies import DIVE, END, SHOT
from tests.netplay.rig import Rig, identity
from tests.tiny import game as line
from tests.tiny.actions import Creep, Step
from tests.tiny.events import Acted, Passed, Saw
from tests.tiny.probes import Met, Stock

Change = Callable[[Raw, Header, bytes], tuple[Header, bytes]]
LIAR = 0
NO_POINT = bytes(31) + b"\x80"  # the encoding of no group element
SMALL_ORDER = b"\x01" + bytes(31)


# --- ways to change an entry ---------------------------------------------------------------


def header(**fields: Any) -> Change:
    """Other fields of the header."""
    return lambda match, head, body: (replace(head, **fields), body)


def requests(make: Callable[[Raw], tuple[Request, ...]]) -> Change:
    """Requests that the entry takes in."""
    return lambda match, head, body: (replace(head, requests=make(match)), body)


def request(match: Raw, signer: int, seat: int, kind: str, of: bytes = b"") -> Request:
    return sign_request(identity(signer), Request(of or match.id, match.id, seat, kind))


def body(change: Callable[[Raw, TaggedBody], TaggedBody | bytes | None]) -> Change:
    """Another body; None leaves it."""

    def changed(match: Raw, head: Header, data: bytes) -> tuple[Header, bytes]:
        other = change(match, msgspec.msgpack.decode(data, type=TaggedBody))
        if other is None:
            return head, data
        raw_bytes = other if isinstance(other, bytes) else encode(other)
        return replace(head, body=body_hash(raw_bytes)), raw_bytes

    return changed


def parts(change: Callable[[tuple[Any, ...]], tuple[Any, ...]]) -> Change:
    """Other parts of the first body that has any."""

    def changed(match: Raw, one: Any) -> Any:
        had = getattr(one, "parts", ())
        return replace(one, parts=change(had)) if had else None

    return body(changed)


def part(kind: type[Any], change: Callable[[Any], Any]) -> Change:
    """Another part in place of the first one of a kind."""

    def changed(match: Raw, one: Any) -> Any:
        had = list(getattr(one, "parts", ()))
        for at, old in enumerate(had):
            if type(old) is kind:
                had[at] = change(old)
                return replace(one, parts=tuple(had))
        return None

    return body(changed)


def of(kind: type[Any], change: Callable[[Any], Any]) -> Change:
    """Another body in place of the first one of a kind."""
    return body(lambda match, one: change(one) if type(one) is kind else None)


def swap_rows(rows: Rows) -> Rows:
    """The first two rows change places: locators fall."""
    size = len(rows.rows) // ROWS_OF[len(rows.points)]
    first, second, rest = rows.rows[:size], rows.rows[size : 2 * size], rows.rows[2 * size :]
    return replace(rows, rows=second + first + rest)


ROWS_OF = {2 * 32: 3, 1 * 32: 5, 4 * 32: 3, 10 * 32: 26, 100 * 32: 12}  # by length of points

EVERYWHERE: dict[str, Change] = {
    "false digest": header(state=bytes(32)),
    "resign forged": requests(lambda m: (request(m, LIAR, 1, "resign"),)),
    "resign of another match": requests(lambda m: (request(m, 1, 1, "resign", bytes(32)),)),
    "draw forged": requests(lambda m: (request(m, LIAR, 1, "draw"),)),
    "request of no kind": requests(lambda m: (request(m, LIAR, LIAR, "dance"),)),
    "request of no seat": requests(lambda m: (request(m, LIAR, 9, "draw"),)),
    "too many requests": requests(lambda m: (request(m, LIAR, LIAR, "draw"),) * 9),
    "unreadable body": body(lambda m, b: b"\xff"),
    "empty body": body(lambda m, b: b""),
    "body with something behind it": body(lambda m, b: encode(b) + b"\xc0"),
    "body of no kind": body(lambda m, b: encode(["dance", 1])),
    "body not in canonical form": body(
        lambda m, b: b"\xdc\x00" + bytes([encode(b)[0] & 15]) + encode(b)[1:]
    ),
    "reply where nothing is owed": of(Act, lambda b: Reply(b.parts)),
    "takes in nothing": of(Act, lambda b: Take()),
    "secret opened early": of(Act, lambda b: Opened(bytes(32))),
    "verdict early": of(Act, lambda b: Verdict("clean")),
    "unreadable action": of(Act, lambda b: replace(b, action=b"\x93\x01")),
    "wrong secret opened": of(Opened, lambda b: Opened(bytes(32))),
    "half a secret opened": of(Opened, lambda b: Opened(b.secret[:16])),
    "parts left out": parts(lambda had: had[:-1]),
    "a part too many": parts(lambda had: (*had, had[-1])),
    "a part of another kind": parts(lambda had: (Link(bytes(32)), *had[1:])),
    "unreadable answer": part(Answer, lambda a: Answer(b"\xc1")),
    "question too short": part(Ask, lambda a: Ask(a.points[32:])),
    "question with equal points": part(Ask, lambda a: Ask(a.points[:32] + a.points[:-32])),
    "question with no point": part(Ask, lambda a: Ask(NO_POINT + a.points[32:])),
    "question with a small point": part(Ask, lambda a: Ask(SMALL_ORDER + a.points[32:])),
    "rows too short": part(Rows, lambda r: replace(r, rows=r.rows[1:])),
    "rows that fall": part(Rows, swap_rows),
    "rows with equal points": part(
        Rows, lambda r: replace(r, points=r.points[:32] + r.points[:-32])
    ),
    "rows with no point": part(Rows, lambda r: replace(r, points=NO_POINT + r.points[32:])),
    "trace that is done and asks": part(Trace, lambda t: replace(t, probe=b"\x00", done=True)),
    "trace that is not done and asks nothing": part(
        Trace, lambda t: replace(t, probe=b"", done=False)
    ),
    "trace with an unreadable event": part(Trace, lambda t: replace(t, events=(b"\xff",))),
    "trace without end": part(Trace, lambda t: replace(t, events=(b"\x00",) * 401)),
}

LINE: dict[str, Change] = EVERYWHERE | {
    "action of another's token": of(Act, lambda b: replace(b, action=encode(Step(3, 1, 1)))),
    "link of no chain": part(Link, lambda link: Link(bytes(32))),
    "link too short": part(Link, lambda link: Link(link.link[1:])),
    "trace with a private event": part(
        Trace, lambda t: replace(t, events=(encode(Saw(only=(1,), seat=1, sight=())),))
    ),
    "trace with an effect of no veiled action": part(
        Trace, lambda t: replace(t, events=(encode(Passed(mover=0)),))
    ),
    "trace that asks in private": part(
        Trace, lambda t: Trace((), encode(Stock(owner=1)), done=False)
    ),
    "trace that asks its author": part(
        Trace, lambda t: Trace((), encode(Met(owner=LIAR, cells=(1,))), done=False)
    ),
    "trace that asks nobody": part(
        Trace, lambda t: Trace((), encode(Met(owner=7, cells=(1,))), done=False)
    ),
    "trace that says it shot": part(
        Trace, lambda t: replace(t, events=(encode(Acted(shot=True)),))
    ),
}
WEC: dict[str, Change] = EVERYWHERE | {
    "action of another's piece": of(
        Act, lambda b: replace(b, action=encode(Move(Ref(4), (AAA_AT,))))
    ),
    "action of an unseen piece": of(
        Act, lambda b: replace(b, action=encode(Move(Ref(0, SUB_AT), (SUB_AT + 1,))))
    ),
    "heading of none": of(Act, lambda b: replace(b, action=encode(Blast(Ref(2), "ST", 77)))),
    "ends twice": of(Act, lambda b: replace(b, action=encode(EndTurn()), parts=())),
    "trace with a private event": part(
        Trace, lambda t: replace(t, events=(encode(Sighted(only=(1,), pieces=())),))
    ),
    "trace with an effect of no veiled action": part(
        Trace, lambda t: replace(t, events=(encode(Changed(cause="moves")),))
    ),
    "trace that asks its author": part(
        Trace, lambda t: Trace((), encode(Detected(owner=LIAR)), done=False)
    ),
}


def stop(rig: Rig, folder: Path) -> None:
    liar = rig.peers[LIAR]
    assert isinstance(liar, Raw) and liar.has_lied
    assert {stopped.seat for stopped in rig.stopped()} == {LIAR}
    convict(rig, LIAR, folder)


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("forgery", LINE)
def test_line(forgery: str, seats: int, tmp_path: Path) -> None:
    for seed in range(30):
        rig = Rig(line(seats), seed, {"turns": 9}, machine={LIAR: raw(LINE[forgery])})
        if forgery.startswith("trace"):
            rig.peers[LIAR].act(Creep(2, 1, 1))
            rig.flush()
        while not rig.peers[LIAR].has_lied and rig.step():  # type: ignore[attr-defined]
            pass
        if rig.peers[LIAR].has_lied:  # type: ignore[attr-defined]
            break
    stop(rig, tmp_path)


@pytest.mark.parametrize("forgery", WEC)
def test_wec(forgery: str, tmp_path: Path) -> None:
    rig = Rig(crowd(), 1, machine={LIAR: raw(WEC[forgery])})
    for seat, action in (SHOT, DIVE, END):
        if rig.peers[seat].may_act:
            rig.peers[seat].act(action)
            rig.flush()
    if not rig.stopped():
        rig.peers[LIAR].request("resign")
        rig.flush()
    stop(rig, tmp_path)
