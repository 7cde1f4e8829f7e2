"""What WEC's players read: names, one-sentence instructions, and what happened.

Pure: every function makes text from values a seat may know.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Final

from cloakboard.engine.game import Result
from cloakboard.engine.wec import names
from cloakboard.engine.wec.events import (
    AnyEvent,
    Article,
    Came,
    Changed,
    Fell,
    Flew,
    Lapsed,
    LockEnded,
    LockMade,
    Thwarted,
    TurnEnded,
    Won,
)
from cloakboard.engine.wec.pieces import CARRIERS, INHERENT, WEAPONS
from cloakboard.engine.wec.state import GROUND, Gear, Piece, State

SIDES: Final = names.SEATS
LEVELS: Final = names.LEVELS
PIECES: Final = names.PIECES
SHOTS: Final = names.SHOTS
ARTICLES: Final = MappingProxyType(
    {kind: name[0].upper() + name[1:] for kind, name in names.ARTICLES.items()}
)
_CODES: Final = re.compile(rf"\b({'|'.join(PIECES)})\b")
HANDS: Final = MappingProxyType({"l": "left", "r": "right", "left": "left", "right": "right"})

# Sentences by cause: {who} a piece with its side, {at} where it is, {to} where it went.
CHANGES: Final = MappingProxyType(
    {
        "moves": "{who} moves from {at} to {to}.",
        "carried": "{who} is carried to {to}.",
        "dozed": "{who} is pushed to {to}.",
        "takes_off": "{who} takes off at {at}.",
        "flies": "{who} flies on to {to}.",
        "lands": "{who} comes down at {to}.",
        "falls": "{who} falls to {to}.",
        "shown": "{who} comes into view at {to}.",
        "taken": "{who} is taken at {at}.",
        "burnt": "{who} burns at {at}.",
        "rocket": "{who} is destroyed by a rocket at {at}.",
        "sam": "{who} is destroyed by a SAM at {at}.",
        "torpedo": "{who} is destroyed by a torpedo at {at}.",
        "crushed": "{who} has lost its support and is destroyed at {at}.",
        "stunned": "{who} is stunned at {at}.",
        "converted": "{was} at {at} is converted and now fights for {side}.",
        "hit": "{who} at {at} withstands a hit.",
        "fires": "{who} at {at} fires.",
        "picks_up": "{who} at {at} picks up {gained}.",
        "drops": "{who} at {at} drops {lost}.",
        "gives": "{who} at {at} hands over {lost}.",
        "receives": "{who} at {at} receives {gained}.",
        "reinforces": "{who} arrives at {to}.",
        "locks": "",
        "locked": "{who} at {at} is locked on: it stays in view.",
        "released": "{who} at {at} is no longer locked on.",
        "marked": "",
    }
)


def piece_name(piece: Piece) -> str:
    """`Tank`, with its hand if it has one: `Tank (left)`."""
    name = PIECES[piece.kind]
    return f"{name} ({HANDS.get(piece.hand, piece.hand)})" if piece.hand else name


def full_name(piece: Piece) -> str:
    """A piece with its side: `Black's Tank`."""
    return f"{SIDES[piece.side]}'s {PIECES[piece.kind]}"


def place(cell: int) -> str:
    """A square as row,column, with the level if it is not Ground: `4,7 Air`."""
    square = cell % 100
    level = cell // 100
    text = f"{square // 10 + 1},{square % 10 + 1}"
    return text if level == GROUND else f"{text} {LEVELS[level]}"


def count(number: int, one: str, many: str = "") -> str:
    """`1 Turn`, `2 Turns`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def value_text(value: object) -> str:
    """A value as a player reads it."""
    if value is True:
        return "on"
    if value is False:
        return "off"
    return str(value).replace("_", " ")


def spelled(text: str) -> str:
    """A text of the rules with names in place of the codes of pieces."""
    return _CODES.sub(lambda found: PIECES[found[0]], text)


def listed(names: tuple[str, ...]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def gear_names(gear: tuple[Gear, ...]) -> str:
    """The articles in words, `nothing` if there are none."""
    return listed(tuple(ARTICLES[item.kind] for item in gear)) or "nothing"


def _missing(of: tuple[Gear, ...], among: tuple[Gear, ...]) -> str:
    """The articles of one list that the other has not, in words."""
    left = [item.kind for item in among]
    found: list[str] = []
    for item in of:
        if item.kind in left:
            left.remove(item.kind)
        else:
            found.append(with_article(ARTICLES[item.kind]))
    return listed(tuple(found)) or "an article"


def with_article(name: str) -> str:
    """`a Tank`, `an Anti-stun`."""
    return f"{'an' if name[0] in 'AEIOX' else 'a'} {name}"


def _changed(event: Changed) -> str:
    before, after = event.before, event.after
    known = after or before
    if known is None:
        return ""
    if event.cause in ("moves", "carried", "dozed", "flies") and before and not after:
        return f"{full_name(before)} goes out of view."
    if event.cause == "moves" and before is None:
        return f"{full_name(known)} is now at {place(known.cell)}."
    gear_before = before.gear if before else ()
    gear_after = after.gear if after else ()
    return CHANGES[event.cause].format(
        who=full_name(known),
        was=full_name(before or known),
        side=SIDES[known.side],
        at=place((before or known).cell),
        to=place(known.cell),
        gained=_missing(gear_after, gear_before),
        lost=_missing(gear_before, gear_after),
    )


def _flew(event: Flew) -> str:
    if event.before is None and event.after is not None:
        shot = f"{SIDES[event.after.side]}'s {SHOTS[event.after.kind]}"
        if event.after.homing and event.after.target_cell >= 0:
            where = place(event.after.target_cell)
            return f"{shot} is launched at {place(event.square)}, homing on {where}."
        return f"{shot} is launched at {place(event.square)}."
    if event.after is None and event.before is not None:
        return f"{SIDES[event.before.side]}'s {SHOTS[event.before.kind]} ends at " + (
            f"{place(event.square)}."
        )
    return ""


def told(event: AnyEvent) -> str:
    """One sentence about an event for the history; empty if it is not worth one."""
    match event:
        case Changed():
            return _changed(event)
        case Flew():
            return _flew(event)
        case Article(square=square, gear=gear, came=came):
            name = ARTICLES[gear.kind]
            if came:
                return f"{name} now lies at {place(square)}."
            return f"{name} is gone from {place(square)}."
        case Lapsed(handles=handles):
            return f"{count(len(handles), 'piece goes', 'pieces go')} out of view."
        case LockMade(side=side):
            return f"{SIDES[side]} locks on to an unseen piece: it stays in view."
        case LockEnded():
            return "A lock-on ends."
        case Came(side=side, kind=kind, square=square):
            return f"{SIDES[side]} calls up {with_article(PIECES[kind])} at {place(square)}."
        case Thwarted(what="doze", square=square):
            return f"The push fails: an unseen piece stands at {place(square)}."
        case Thwarted(square=square):
            return f"Nothing arrives: an unseen piece holds {place(square)}."
        case Fell(side=side):
            return f"{SIDES[side]} has lost its leader."
        case TurnEnded():
            return ""
        case Won(side=side):
            return f"{SIDES[side]} wins."
        case _:
            return ""


def sentences(before: State, event: AnyEvent) -> tuple[str, ...]:
    """What is told of an event that happens to a state; pieces that lapse are named (WEC-97)."""
    if isinstance(event, Lapsed):
        gone = (piece for piece in before.pieces if piece.handle in event.handles)
        return tuple(f"{full_name(p)} at {place(p.cell)} goes out of view." for p in gone)
    text = told(event)
    return (text,) if text else ()


def outcome(
    result: Result, names: tuple[str, ...], sides: tuple[str, ...] = SIDES
) -> tuple[str, str]:
    """A headline and one sentence about how a match ended; `sides` are the seats' names."""
    reason = REASONS.get(result.reason, result.reason.replace("_", " "))
    if not result.winners:
        return "Draw", reason[:1].upper() + reason[1:]
    winner = listed(tuple(f"{names[seat]} ({sides[seat]})" for seat in result.winners))
    return f"{sides[result.winners[0]]} wins", f"{winner}: {reason}"


REASONS: Final = MappingProxyType(
    {
        "primary": "the enemy leader was destroyed or converted.",
        "resigned": "the other side resigned.",
        "resignation": "the other side resigned.",
        "time": "the other side's time was over.",
        "agreed": "both sides agreed on a draw.",
        "draw": "both sides agreed on a draw.",
        "checkmate": "the enemy king is checkmated.",
        "stalemate": "the side to play has no legal move, and is not in check.",
        "bare kings": "only the kings are left.",
        "fifty moves": "fifty moves of each side without a capture or a pawn's move.",
        "repetition": "the same position for the third time.",
    }
)


def condition(state: State, piece: Piece) -> tuple[str, ...]:
    """What a tooltip says below a piece's name, a line each."""
    lines: list[str] = [f"{LEVELS[piece.level]}, {place(piece.square)}"]
    if piece.gear:
        lines.append("Carries " + gear_names(piece.gear))
    if stun_left(state, piece):
        lines.append(f"Stunned for {count(stun_left(state, piece), 'more Turn')}")
    if cooling(state, piece):
        lines.append(f"Weapons cool for {count(cooling(state, piece), 'more Turn')}")
    if piece.flight is not None:
        lines.append(f"In flight to {place(piece.flight.target)}")
    if piece.locked:
        lines.append("Locked on: it stays in view")
    return tuple(lines)


def abilities(piece: Piece) -> tuple[str, ...]:
    """What a piece has of its own (WEC section 3), a line each: weapons, then the rest."""
    lines = []
    weapons = tuple(ARTICLES[kind] for kind in WEAPONS.get(piece.kind, ()))
    if weapons:
        lines.append("Armed with " + listed(weapons))
    inherent = tuple(ARTICLES[kind] for kind in INHERENT.get(piece.kind, ()))
    if inherent:
        lines.append("Has " + listed(inherent))
    if piece.kind in CARRIERS:
        lines.append("Can carry the piece it shares a square with")
    if piece.kind == "DO":
        lines.append("Pushes pieces: shares its square, then Doze")
    if piece.kind == "XP":
        lines.append("Carries two articles")
    return tuple(lines)


def stun_left(state: State, piece: Piece) -> int:
    """Turns to come in which the piece cannot act, the running one included (WEC-56)."""
    return max(0, piece.stunned - state.turn)


def cooling(state: State, piece: Piece) -> int:
    """Turns until the last cooling weapon of the piece may fire again (WEC-53)."""
    ready = (*piece.own_ready, *(item.ready for item in piece.gear))
    return max(0, *(at - state.turn for at in ready)) if ready else 0
