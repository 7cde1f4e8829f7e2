"""A position and an action in plain words, for terminals and screen readers.

What a state does not know is not there: of a seat's view the text holds what that seat may
read, and nothing of it is marked as missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from cloakboard.engine.wec import actions as acts
from cloakboard.engine.wec.actions import Action, Ref
from cloakboard.engine.wec.board import find
from cloakboard.engine.wec.detection import hidden_by
from cloakboard.engine.wec.headings import HEADINGS
from cloakboard.engine.wec.names import ARTICLES, DIRECTIONS, LEVELS, PIECES, SEATS, SHOTS
from cloakboard.engine.wec.options import agreed
from cloakboard.engine.wec.pieces import KINDS, WEAPONS
from cloakboard.engine.wec.rules.acting import ALLOWED, used
from cloakboard.engine.wec.state import (
    BLACK,
    GROUND,
    SIDES,
    SQUARES,
    Gear,
    Lock,
    Piece,
    Projectile,
    State,
)

ALLOWANCE: Final = MappingProxyType(
    {
        "move": "Move", "fires": "Fire", "pickup": "Pick-up", "drop": "Drop",
        "exchange": "Exchange", "reinforce": "Reinforce",
    }
)  # fmt: skip
ROWS: Final = range(10, 0, -1)  # Black's nearest row last, as Black looks at the board
COLUMNS: Final = range(1, 11)
EMPTY: Final = "."
LITTER: Final = "*"  # a square where articles lie and nobody stands


# -- the position ----------------------------------------------------------------------------


def text(state: State) -> str:
    """The position: the Turn, a grid for each level that holds anything, then lists of pieces,
    articles, projectiles, locks and activation squares. Black's codes are upper-case, White's
    lower-case; `+` joins two pieces of a cell. Ends with a line feed."""
    pieces = sorted(_known(state), key=lambda one: (one.side, one.cell, KINDS.index(one.kind)))
    parts = [
        _heading(state),
        *(
            lines
            for level in LEVELS
            if (lines := _grid(state, [p for p in pieces if p.level == level], level))
        ),
        *(_pieces(state, [p for p in pieces if p.side == side], side) for side in SIDES),
        _listed("Articles lying", _lying(state)),
        _listed("Projectiles", (_projectile(shot) for shot in state.projectiles)),
        _listed("Locks", (_lock(lock, pieces) for lock in state.locks)),
        _listed("Reinforcements wait", _waiting(state)),
    ]
    return "\n".join("\n".join(part) + "\n" for part in parts if part)


def _known(state: State) -> Iterator[Piece]:
    """The pieces the state knows, private sightings among them where it knows no better."""
    yield from state.pieces
    for side, secret in enumerate(state.secrets):
        if secret is not None and state.secrets[1 - side] is None:
            yield from secret.sighted


def _heading(state: State) -> list[str]:
    if state.winner is not None:
        return [f"Turn {state.turn}. {SEATS[state.winner]} has won."]
    return [f"Turn {state.turn}, {SEATS[state.side]} to play. Left: {_allowance(state)}."]


def _allowance(state: State) -> str:
    """What of the Turn's allowance is left, as far as the state knows (WEC-11, WEC-16)."""
    moves_only = agreed(state.options)["action_constraint"] == "move_only"
    counts = {
        what: most - used(state, state.side, what)
        for what, most in ALLOWED.items()
        if what == "move" or not moves_only
    }
    left = [
        f"{count} {ALLOWANCE[what]}{'s' if count > 1 else ''}"
        for what, count in counts.items()
        if count > 0
    ]
    return ", ".join(left) or "nothing but to end the Turn"


def _grid(state: State, pieces: Iterable[Piece], level: int) -> list[str]:
    """The level as rows and columns; empty if nothing is there."""
    marks: dict[int, list[str]] = {}
    for piece in pieces:
        code = piece.kind if piece.side == BLACK else piece.kind.lower()
        marks.setdefault(piece.square, []).append(code)
    for lying in state.lying if level == GROUND else ():
        marks.setdefault(lying.square, [LITTER])
    if not marks:
        return []
    words = {square: "+".join(codes) for square, codes in marks.items()}
    width = 1 + max(2, *(len(word) for word in words.values()))
    lines = [LEVELS[level], "  " + "".join(f"{column:>{width}}" for column in COLUMNS)]
    for row in ROWS:
        squares = ((row - 1) * 10 + column - 1 for column in COLUMNS)
        cells = "".join(f"{words.get(square, EMPTY):>{width}}" for square in squares)
        lines.append(f"{row:>2}{cells}")
    return lines


def _listed(title: str, entries: Iterable[str]) -> list[str]:
    """A title with indented entries; nothing if there are none."""
    lines = [f"  {entry}" for entry in entries]
    return [f"{title}:", *lines] if lines else []


def _pieces(state: State, pieces: Iterable[Piece], side: int) -> list[str]:
    return _listed(f"{SEATS[side]}'s pieces", (_piece(state, piece) for piece in pieces))


def _piece(state: State, piece: Piece) -> str:
    hand = f", {piece.hand}-handed" if piece.hand else ""
    facts = "; ".join(_facts(state, piece))
    return f"{name_at(piece)}{hand}" + (f": {facts}" if facts else "")


def _facts(state: State, piece: Piece) -> Iterator[str]:
    """What there is to say of a piece besides its kind and place."""
    if not piece.handle and hidden_by(agreed(state.options), piece):
        yield "unseen"
    if piece.gear:
        yield "carries " + ", ".join(_article(state, gear) for gear in piece.gear)
    for weapon, ready in zip(WEAPONS.get(piece.kind, ()), piece.own_ready, strict=True):
        if ready > state.turn:
            yield f"its own {ARTICLES[weapon]}{_cooling(state, ready)}"
    if piece.stunned > state.turn:
        yield f"stunned for {_turns(piece.stunned - state.turn)}"
    if piece.flight is not None:
        pack = ARTICLES[piece.flight.pack]
        yield f"flies by {pack} towards {place(piece.flight.target)}"


def _article(state: State, gear: Gear) -> str:
    return ARTICLES[gear.kind] + _cooling(state, gear.ready)


def _cooling(state: State, ready: int) -> str:
    """How long a weapon cannot fire yet (WEC-53); nothing if it can."""
    return f" (cools for {_turns(ready - state.turn)})" if ready > state.turn else ""


def _turns(count: int) -> str:
    return "1 Turn" if count == 1 else f"{count} Turns"


def _lying(state: State) -> Iterator[str]:
    """One entry for each square with articles."""
    for square in dict.fromkeys(lying.square for lying in state.lying):
        kinds = (_article(state, one.gear) for one in state.lying if one.square == square)
        yield f"{place(square)} {', '.join(kinds)}"


def _projectile(shot: Projectile) -> str:
    start = f"{SEATS[shot.side]}'s {SHOTS[shot.kind]} at {place(shot.square)}"
    if shot.homing:
        return f"{start} homing on {place(shot.target_cell)}"
    return f"{start} flying {DIRECTIONS[shot.heading]}"


def _lock(lock: Lock, pieces: Iterable[Piece]) -> str:
    holder, target = "unseen holder", "unseen piece"
    for piece in pieces:
        if lock.number in (piece.own_lock, *(gear.lock for gear in piece.gear)):
            holder = name_at(piece)
        if lock.number == piece.locked:
            target = name_at(piece)
    return f"{SEATS[lock.side]}'s {holder} has locked on to {SEATS[1 - lock.side]}'s {target}"


def _waiting(state: State) -> Iterator[str]:
    """Activation squares that still hold something, and what their owner may do (WEC-80)."""
    for side in SIDES:
        secret = state.secrets[side]
        armed = {one.square: one.left for one in secret.armed} if secret is not None else {}
        words = {None: "", False: " (armed)", True: " (armed and left)"}
        squares = dict.fromkeys(one.square for one in state.reserves if one.side == side)
        if squares:
            marked = (place(square) + words[armed.get(square)] for square in squares)
            yield f"{SEATS[side]} at {', '.join(marked)}"


def place(cell: int) -> str:
    """A cell as `(row,column)`, with its level unless that is Ground: `(4,7) Air`."""
    level, square = divmod(cell, SQUARES)
    where = f"({square // 10 + 1},{square % 10 + 1})"
    return where if level == GROUND else f"{where} {LEVELS[level]}"


def name_at(piece: Piece) -> str:
    """A piece and where it stands: `Jet (4,7) Air`."""
    return f"{PIECES[piece.kind]} {place(piece.cell)}"


# -- an action -------------------------------------------------------------------------------


def say(state: State, action: Action) -> str:
    """One sentence without its full stop, from the state before the action. A piece that the
    state does not know is `An unseen piece`."""
    said = SENTENCES[type(action)](state, action)
    return said[0].upper() + said[1:]


def _named(state: State, ref: Ref) -> str:
    piece = find(state, state.side, ref)
    return "an unseen piece" if piece is None else name_at(piece)


def _carried(state: State, ref: Ref, index: int) -> str:
    """The article at a place of what a piece carries."""
    piece = find(state, state.side, ref)
    known = piece is not None and index in range(len(piece.gear))
    return ARTICLES[piece.gear[index].kind] if piece is not None and known else "article"


def _direction(heading: int) -> str:
    return DIRECTIONS[heading] if heading in HEADINGS else "nowhere"


def _joined(words: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def _move(state: State, action: acts.Move) -> str:
    piece = find(state, state.side, action.piece)
    said = f"{_named(state, action.piece)} moves to {place(action.route[-1])}"
    if piece is not None and piece.kind == "CH":
        ends = (piece.square, action.route[-1] % SQUARES)
        squares = dict.fromkeys(cell % SQUARES for cell in action.route)
        over = [place(square) for square in squares if square not in ends]
        said += f" over {_joined(over)}" if over else ""
    if action.passenger is not None:
        said += f" with {_named(state, action.passenger)}"
    return said


def _doze(state: State, action: acts.Doze) -> str:
    said = f"{_named(state, action.dozer)} dozes {_direction(action.heading)}"
    return said + (f" with {_joined(map(place, action.picked))}" if action.picked else "")


def _blast(state: State, action: acts.Blast) -> str:
    weapon = ARTICLES.get(action.weapon, action.weapon)
    return f"{_named(state, action.piece)} fires its {weapon} {_direction(action.heading)}"


def _launch(state: State, action: acts.Launch) -> str:
    start = f"{_named(state, action.piece)} fires its {ARTICLES.get(action.weapon, action.weapon)}"
    if action.heading >= 0:
        return f"{start} {_direction(action.heading)}"
    target = PIECES.get(action.target_kind, "a piece")
    return f"{start} at {target} {place(action.target_cell)}"


def _limited_rocket(state: State, action: acts.LimitedRocket) -> str:
    return f"{_named(state, action.piece)} fires its limited rocket at {place(action.square)}"


def _bike(state: State, action: acts.Bike) -> str:
    return f"{_named(state, action.piece)} rides its bike to {place(action.cell)}"


def _take_off(state: State, action: acts.TakeOff) -> str:
    does = "dives with its scuba" if action.pack == "SC" else "takes off with its jump pack"
    return f"{_named(state, action.piece)} {does} towards {place(action.target)}"


def _fly(state: State, action: acts.Fly) -> str:
    piece = find(state, state.side, action.piece)
    flight = piece.flight if piece is not None else None
    towards = f" towards {place(flight.target)}" if flight is not None else ""
    return f"{_named(state, action.piece)} flies on{towards}"


def _pick_up(state: State, action: acts.PickUp) -> str:
    article = ARTICLES.get(action.article, action.article)
    return f"{_named(state, action.piece)} picks up the {article}" + _cooling(state, action.ready)


def _drop(state: State, action: acts.Drop) -> str:
    return f"{_named(state, action.piece)} drops its {_carried(state, action.piece, action.place)}"


def _exchange(state: State, action: acts.Exchange) -> str:
    giver, receiver = _named(state, action.giver), _named(state, action.receiver)
    given = _carried(state, action.giver, action.give)
    if action.take < 0:
        return f"{giver} hands its {given} to {receiver}"
    taken = _carried(state, action.receiver, action.take)
    return f"{giver} swaps its {given} for the {taken} of {receiver}"


def _reinforce(state: State, action: acts.Reinforce) -> str:
    kind = PIECES.get(action.kind, action.kind)
    return f"{SEATS[state.side]} calls the {kind} at {place(action.square)}"


def _end_turn(state: State, action: acts.EndTurn) -> str:
    return f"{SEATS[state.side]} ends the Turn"


SENTENCES: Final[Mapping[type[Action], Callable[[State, Any], str]]] = MappingProxyType(
    {
        acts.Move: _move,
        acts.Doze: _doze,
        acts.Blast: _blast,
        acts.Launch: _launch,
        acts.LimitedRocket: _limited_rocket,
        acts.Bike: _bike,
        acts.TakeOff: _take_off,
        acts.Fly: _fly,
        acts.PickUp: _pick_up,
        acts.Drop: _drop,
        acts.Exchange: _exchange,
        acts.Reinforce: _reinforce,
        acts.EndTurn: _end_turn,
    }
)
