"""For each achievement what earns it, and what just misses it: lists of events, or of matches.

The player is Anna in seat 0, which begins. A case of events ends with the match.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from cloakboard.achievements.moments import Closed, Mode
from cloakboard.achievements.record import Audit
from cloakboard.engine.events import Event
from cloakboard.engine.trid import events as trid
from cloakboard.engine.wec import events as wec
from cloakboard.engine.wec.state import Gear, Piece, Projectile
from tests.achievements.samples import BEN, CARA, DANA, DAY, closed

OWN, ENEMY = 0, 1


class Case(NamedTuple):
    """One match: its events as seat 0 is told them, and its end."""

    events: Sequence[Event]
    end: Closed


Course = list[Closed]


def change(
    cause: str, side: int, kind: str = "TA", cell: int = 44, to: int | None = None, gear: str = ""
) -> wec.Changed:
    """A piece of a side that something happened to; `to`: where it is afterwards, or nowhere."""
    before = Piece(side, kind, cell, handle=1, gear=(Gear(gear),) if gear else ())
    after = None if to is None else Piece(side, kind, to, handle=1, gear=before.gear)
    return wec.Changed(cause=cause, before=before, after=after)


def lost(cause: str, side: int, kind: str = "TA") -> wec.Changed:
    return change(cause, side, kind)


def stays(cause: str, side: int, kind: str = "TA", gear: str = "") -> wec.Changed:
    return change(cause, side, kind, to=44, gear=gear)


def converted(side: int, kind: str = "TA") -> wec.Changed:
    """A piece of a side that now fights for the other."""
    before = Piece(side, kind, 44, handle=1)
    return wec.Changed(cause="converted", before=before, after=Piece(1 - side, kind, 44, handle=1))


def flight(number: int, *squares: int, side: int = OWN, kind: str = "T") -> list[wec.Flew]:
    """A homing projectile that is launched and goes from square to square."""
    shots = [
        Projectile(number, kind, side, square, 1, homing=True, target_side=1 - side)
        for square in squares
    ]
    launch = wec.Flew(square=squares[0], after=shots[0], target=1)
    steps = [
        wec.Flew(square=after.square, before=before, after=after)
        for before, after in pairwise(shots)
    ]
    return [launch, *steps]


TURN = wec.TurnEnded()
PASS = (TURN, TURN)  # both Turns end: the player is to act again


def td_turn(check: bool = False, ended: str = "") -> trid.TurnEnded:
    return trid.TurnEnded(castling="", en_passant=-1, counter=0, check=check, ended=ended)


TD_PASS = (td_turn(), td_turn())
WON = closed()
LOST = closed(winners=(1,))
TD_WON = closed(game="trid", reason="checkmate")
TD_LOST = closed(game="trid", reason="checkmate", winners=(1,))


def many(count: int, **changes: Any) -> Course:
    """So many matches, a second apart."""
    return [closed(number, **changes) for number in range(1, count + 1)]


def won(events: Sequence[Event]) -> Case:
    return Case(events, WON)


def td_won(events: Sequence[Event]) -> Case:
    return Case(events, TD_WON)


def wec_all(event: Event, count: int) -> list[Case]:
    """The event once in each of so many matches."""
    return [won([event])] * count


UNFINISHED = closed(reason="", winners=(), audit=Audit.CLAIMED)
DRAWN = closed(reason="agreed", winners=())
BOARD = trid.BoardMoved(pin=1, to=2, turned=False)
PROMOTED = trid.Promoted(square=80, man="Q")
PICK = stays("picks_up", OWN)

Either = Course | list[Case]

CASES: dict[str, tuple[Either, Either]] = {
    # -- with friends
    "first-match": ([closed()], [UNFINISHED]),
    "ten-matches": (many(10), many(9)),
    "hundred-matches": (many(100), many(99)),
    "first-win": ([WON], [LOST, DRAWN]),
    "ten-wins": (many(10), [*many(9), LOST]),
    "three-in-a-row": (many(3), [WON, WON, DRAWN, WON]),
    "seven-in-a-row": ([LOST, *many(7)], [*many(6), LOST, WON]),
    "agreed-draw": ([DRAWN], [closed(reason="stalemate", winners=())]),
    "good-loser": (
        [closed(winners=(1,), reason="resigned", turns=30)],
        [
            closed(winners=(1,), reason="resigned", turns=29),
            closed(winners=(0,), reason="resigned", turns=30),
        ],
    ),
    "clean-audit": ([closed()], [closed(audit=Audit.REFUSED)]),
    "clean-25": (many(25), [*many(24), closed(audit=Audit.PROVEN)]),
    "three-friends": (
        [closed(others=(key,)) for key in (BEN, CARA, DANA)],
        [closed(others=(key,)) for key in (BEN, CARA, BEN)],
    ),
    "eight-friends": (
        [closed(others=(bytes([n]) * 32,)) for n in range(2, 10)],
        [closed(others=(bytes([n]) * 32,)) for n in range(2, 9)],
    ),
    "rivals": (many(10), [*many(9), closed(others=(CARA,))]),
    "negotiated": ([closed(rules="own-12345678")], [closed(changed=(("government.0", "x"),))]),
    "five-rule-sets": (
        [closed(rules=name) for name in ("standard", "own-1", "own-2", "own-3", "own-4")],
        [closed(rules=name) for name in ("standard", "own-1", "own-2", "own-3", "own-3")],
    ),
    "long-breath": (
        [closed(7 * DAY, began=0, resumes=1)],
        [closed(7 * DAY - 1, began=0, resumes=1), closed(7 * DAY, began=0, resumes=0)],
    ),
    "back-again": ([closed(resumes=3)], [closed(resumes=2), closed(resumes=2)]),
    "own-scenario": ([closed(own_setup=True)], [closed()]),
    "two-games": ([closed(), closed(game="trid")], [closed(), closed()]),
    "five-days": (
        [closed(day * DAY) for day in range(5)],
        [closed(day * DAY) for day in (0, 1, 2, 3)] + [closed(3 * DAY + 5)],
    ),
    "marathon": ([closed(turns=100)], [closed(turns=99)]),
    "swift": (
        [closed(turns=20)],
        [closed(turns=21), closed(turns=7), closed(turns=10, winners=(1,))],
    ),
    "all-lessons": (
        [closed(mode=Mode.LESSON, reason="finished", what=f"{n}") for n in range(6)],
        [closed(mode=Mode.LESSON, reason="finished", what=f"{n}") for n in (0, 1, 2, 3, 4, 4)],
    ),
    # -- Weaponized Chess
    "wec-win-by-conversion": (
        [won([converted(ENEMY, "K"), wec.Fell(side=ENEMY), wec.Won(side=OWN)])],
        [
            won([converted(ENEMY, "Q"), lost("taken", ENEMY, "K")]),
            Case([converted(ENEMY, "K")], LOST),
        ],
    ),
    "wec-convert-ten": (
        wec_all(converted(ENEMY), 10),
        [*wec_all(converted(ENEMY), 9), won([converted(OWN)])],
    ),
    "wec-stun-stealthy": (
        [won([stays("stunned", ENEMY, gear="SH")])],
        [won([stays("stunned", ENEMY, gear="BI"), stays("stunned", OWN, "SHP")])],
    ),
    "wec-doze-five": (
        [won([change("dozed", OWN, "DO", cell, cell + 10) for cell in range(40, 45)])],
        [
            won(
                [
                    *[change("dozed", OWN, "DO", cell, cell + 10) for cell in range(40, 44)],
                    change("dozed", OWN, "DO", 44, 44),
                    *PASS,
                    change("dozed", OWN, "DO", 45, 55),
                ]
            )
        ],
    ),
    "wec-homing-three": (
        [won(flight(1, 40, 41, 42, 43))],
        [
            won([*flight(1, 40, 41, 42), *flight(2, 60, 61)]),
            won(flight(1, 40, 41, 42, 43, side=ENEMY)),
            won(flight(1, 40, 41, 42, 43, kind="S")),
        ],
    ),
    "wec-no-pawn-lost": (
        [won([lost("taken", OWN, "TA"), lost("taken", ENEMY, "FP")])],
        [won([lost("burnt", OWN, "FP")]), Case([], LOST), Case([], closed(turns=19))],
    ),
    "wec-torpedo": (
        [won([TURN, lost("torpedo", ENEMY, "SU")])],
        [won([lost("torpedo", OWN, "SU"), lost("torpedo", ENEMY, "DS")])],
    ),
    "wec-sam": ([won([lost("sam", ENEMY, "JE")])], [won([lost("rocket", ENEMY, "JE")])]),
    "wec-rocket": (wec_all(lost("rocket", ENEMY), 10), wec_all(lost("rocket", ENEMY), 9)),
    "wec-burn-two": (
        [won([lost("burnt", ENEMY), lost("burnt", ENEMY)])],
        [won([lost("burnt", ENEMY), lost("burnt", OWN), *PASS, lost("burnt", ENEMY)])],
    ),
    "wec-take-ten": (
        [won([lost("taken", ENEMY)] * 10)],
        [won([*[lost("taken", ENEMY)] * 9, TURN, lost("taken", ENEMY)])],
    ),
    "wec-three-in-a-turn": (
        [won([lost("taken", ENEMY), lost("burnt", ENEMY), converted(ENEMY)])],
        [won([lost("taken", ENEMY), lost("burnt", ENEMY), *PASS, converted(ENEMY)])],
    ),
    "wec-crush": ([won([lost("crushed", ENEMY)])], [won([TURN, lost("crushed", ENEMY)])]),
    "wec-take-off": ([won([stays("takes_off", OWN)])], [won([TURN, stays("takes_off", ENEMY)])]),
    "wec-land": (wec_all(stays("lands", OWN), 10), wec_all(stays("lands", OWN), 9)),
    "wec-armoury": ([won([PICK] * 5)], [won([PICK] * 4), won([PICK] * 4)]),
    "wec-gifts": (wec_all(stays("gives", OWN), 10), wec_all(stays("receives", OWN), 10)),
    "wec-reinforce": (
        [won([wec.Changed(cause="reinforces", after=Piece(OWN, "TA", 3))] * 3)],
        [won([wec.Changed(cause="reinforces", after=Piece(OWN, "TA", 3))] * 2)],
    ),
    "wec-lock": (
        [won([wec.LockMade(number=1, side=OWN, holder=1, target=2)])],
        [won([wec.LockMade(number=1, side=ENEMY, holder=1, target=2)])],
    ),
    "wec-tough": (
        [won([TURN, *[stays("hit", OWN)] * 3])],
        [won([*[stays("hit", OWN)] * 2, stays("hit", ENEMY)])],
    ),
    "wec-ferry": (wec_all(stays("carried", OWN), 10), wec_all(stays("carried", OWN), 9)),
    "wec-volley": (wec_all(stays("fires", OWN), 50), wec_all(stays("fires", OWN), 49)),
    "wec-governments": (
        [
            closed(changed=(("government.0", name),) if name else ())
            for name in ("", "dictatorship", "theocracy", "democracy")
        ],
        [
            closed(),
            closed(changed=(("government.1", "dictatorship"),)),
            closed(changed=(("government.0", "theocracy"),)),
            closed(changed=(("government.0", "democracy"),), winners=(1,)),
        ],
    ),
    "wec-beat-computer": (
        [closed(mode=Mode.COMPUTER, audit=None, others=())],
        [closed(mode=Mode.COMPUTER, audit=None, others=(), winners=(1,))],
    ),
    "wec-shadow-leader": (
        [won([lost("torpedo", ENEMY, "AV")])],
        [won([lost("torpedo", ENEMY, "AC"), lost("taken", ENEMY, "AV")])],
    ),
    # -- tri-dimensional chess
    "td-mate": ([TD_WON], [TD_LOST, closed(game="trid", reason="resigned")]),
    "td-move-board": ([td_won([BOARD])], [td_won([td_turn(), BOARD])]),
    "td-ten-boards": (
        [td_won([BOARD, *TD_PASS] * 10)],
        [td_won([*[BOARD, *TD_PASS] * 9, td_turn(), BOARD])],
    ),
    "td-turn-board": (
        [td_won([trid.BoardMoved(pin=1, to=2, turned=True)])],
        [td_won([BOARD])],
    ),
    "td-castle": (
        [td_won([trid.Castled(side=OWN, queenside=False)])],
        [td_won([td_turn(), trid.Castled(side=ENEMY, queenside=False)])],
    ),
    "td-promote": ([td_won([PROMOTED])], [td_won([td_turn(), trid.Promoted(square=3, man="q")])]),
    "td-underpromote": ([td_won([trid.Promoted(square=80, man="N")])], [td_won([PROMOTED])]),
    "td-in-passing": (
        [td_won([trid.Taken(square=40, man="p"), trid.Moved(man="P", origin=39, target=48)])],
        [
            td_won([trid.Taken(square=48, man="p"), trid.Moved(man="P", origin=39, target=48)]),
            td_won(
                [
                    td_turn(),
                    trid.Taken(square=40, man="P"),
                    trid.Moved(man="p", origin=39, target=48),
                ]
            ),
        ],
    ),
    "td-take-queen": (
        [td_won([trid.Taken(square=1, man="q")])],
        [td_won([trid.Taken(square=1, man="r"), td_turn(), trid.Taken(square=1, man="Q")])],
    ),
    "td-no-pawn-lost": (
        [td_won([trid.Taken(square=1, man="p"), td_turn(), trid.Taken(square=1, man="R")])],
        [
            td_won([td_turn(), trid.Taken(square=1, man="D")]),
            Case([], TD_LOST),
            Case([], closed(game="trid", reason="checkmate", turns=19)),
        ],
    ),
    "td-knight-mate": (
        [td_won([trid.Moved(man="N", origin=1, target=2), td_turn(True, "checkmate")])],
        [
            td_won([trid.Moved(man="B", origin=1, target=2), td_turn(True, "checkmate")]),
            Case(
                [trid.Moved(man="N", origin=1, target=2)],
                closed(game="trid", reason="resigned"),
            ),
        ],
    ),
    "td-board-mate": (
        [td_won([BOARD, td_turn(True, "checkmate")])],
        [td_won([BOARD, *TD_PASS, trid.Moved(man="Q", origin=1, target=2), td_turn(True, "mate")])],
    ),
    "td-stalemate": (
        [closed(game="trid", reason="stalemate", winners=())],
        [closed(game="trid", reason="agreed", winners=())],
    ),
}
