"""Weapons that hit at once, and launchers (WEC-50 to WEC-57, WEC-59, WEC-61).

A public piece fires for all machines to resolve. An unseen one that fires is veiled: it is
shown first where the options say so (WEC-95), and its owner publishes what follows.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from types import MappingProxyType
from typing import Any, Final

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.events import Event
from cloakboard.engine.probes import Probe
from cloakboard.engine.wec import losses
from cloakboard.engine.wec.actions import Blast, Launch, LimitedRocket, Ref
from cloakboard.engine.wec.board import Board, changed, refs, seen
from cloakboard.engine.wec.detection import STEALTH, around, fires_seen, hidden_by, searched
from cloakboard.engine.wec.events import Flew
from cloakboard.engine.wec.headings import HEADINGS, distance, line, step
from cloakboard.engine.wec.names import ARTICLES
from cloakboard.engine.wec.options import agreed
from cloakboard.engine.wec.pieces import PROJECTILE, WEAPONS
from cloakboard.engine.wec.probes import (
    FLIES_AT,
    FirstOwn,
    InLine,
    Path,
    Reached,
    Standing,
    first_public,
    nearest,
)
from cloakboard.engine.wec.rules.acting import (
    Resolving,
    check_actor,
    check_landed,
    check_left,
    knows,
    left,
    may_act,
    named,
    spend,
)
from cloakboard.engine.wec.sight import reveal, stated
from cloakboard.engine.wec.state import SQUARES, Gear, Piece, Projectile, State

BLASTS: Final = ("FL", "ST", "CS")
LAUNCHERS: Final = ("RL", "SL", "TL")
HOMING: Final = ("SL", "TL")
RATES: Final = MappingProxyType(
    {
        "FL": "rate_flamer",
        "ST": "rate_stun",
        "CS": "rate_conversion",
        "RL": "rate_launchers",
        "SL": "rate_launchers",
        "TL": "rate_launchers",
        "LR": "rate_launchers",
    }
)  # WEC-53


def strength(state: State, piece: Piece, weapon: str) -> int:
    """How many weapons of a kind, own and carried, can fire now (WEC-50, WEC-53)."""
    own = zip(WEAPONS.get(piece.kind, ()), piece.own_ready, strict=True)
    return sum(kind == weapon and ready <= state.turn for kind, ready in own) + sum(
        gear.kind == weapon and gear.ready <= state.turn for gear in piece.gear
    )


def _shooters(state: State, seat: int) -> Iterator[tuple[Ref, Piece]]:
    """The pieces that may fire now, as far as the state knows (WEC-11, WEC-52, WEC-71)."""
    if left(state, seat, "fires"):
        for ref, piece in refs(state, seat):
            if piece.flight is None and piece.fired < state.turn and may_act(state, piece):
                yield ref, piece


def _check_shooter(state: State, seat: int, ref: Ref, weapon: str) -> Piece:
    check_left(state, seat, "fires")
    piece = check_actor(state, seat, ref)
    check_landed(piece)
    if piece.fired >= state.turn:
        raise IllegalAction("WEC-52", "That piece has fired in this Turn; fire with another one.")
    if not strength(state, piece, weapon):
        raise IllegalAction(
            "WEC-53", f"It has no {ARTICLES[weapon]} that can fire now; wait for its count to end."
        )
    return piece


def _discharge(
    state: State, seat: int, piece: Piece, *weapons: str
) -> Generator[Probe | Event, Any, tuple[Piece, State]]:
    """The ready weapons of these kinds fire: the Fire is spent, their counts begin, and the
    piece is shown unless something hides it even so (WEC-52, WEC-53, WEC-95, WEC-97). The piece
    as it is now."""
    options = agreed(state.options)

    def cooled(weapon: str, ready: int) -> int:
        if weapon in weapons and ready <= state.turn:
            return state.turn + int(options[RATES[weapon]])
        return ready

    own = zip(WEAPONS.get(piece.kind, ()), piece.own_ready, strict=True)
    shown, bare = fires_seen(options, piece), not hidden_by(options, piece)
    after = changed(
        piece,
        handle=piece.handle or (state.next_handle if shown or bare else 0),
        own_ready=tuple(cooled(weapon, ready) for weapon, ready in own),
        gear=tuple(Gear(g.kind, cooled(g.kind, g.ready), g.lock) for g in piece.gear),
        fired=state.turn,
        acted=state.turn,
        shown_till=state.turn if shown else piece.shown_till,
    )
    state = yield from spend(state, seat, "fires", veiled=not after.handle)
    state = yield from losses.replace(state, piece, after, "fires")
    return after, state


# -- flamer, stun gun, conversion ------------------------------------------------------------


def blasts(state: State, seat: int) -> Iterator[Blast]:
    """Every legal shot with a flamer, stun gun or conversion."""
    for ref, piece in _shooters(state, seat):
        for weapon in BLASTS:
            if strength(state, piece, weapon):
                for heading in HEADINGS:
                    if step(piece.square, heading, seat) is not None:
                        yield Blast(ref, weapon, heading)


def check_blast(state: State, seat: int, action: Blast) -> None:
    """WEC-50, WEC-52, WEC-53."""
    if action.weapon not in BLASTS:
        raise IllegalAction("WEC-50", "Fire a flamer, a stun gun or a conversion this way.")
    piece = _check_shooter(state, seat, action.piece, action.weapon)
    _check_heading(piece, action.heading)


def _check_heading(piece: Piece, heading: int) -> None:
    if heading not in HEADINGS or step(piece.square, heading, piece.side) is None:
        raise IllegalAction(
            "WEC-50", "The next square that way is off the board; choose another direction."
        )


def resolve_blast(state: State, seat: int, action: Blast) -> Resolving:
    """Fires along a line and hits what stands there (WEC-55 to WEC-57)."""
    piece = named(state, seat, action.piece)
    hits = strength(state, piece, action.weapon)
    options = agreed(state.options)
    piece, state = yield from _discharge(state, seat, piece, action.weapon)
    if action.weapon == "CS":
        cells = line(piece.cell, action.heading, seat, 1)
        state = yield from _expose(state, cells, (1 - seat,))
        enemies = [p for p in _public_in(state, cells) if p.side != seat]
        return (yield from losses.convert(state, enemies, hits))
    if action.weapon == "FL":
        cells = line(piece.cell, action.heading, seat, int(options["flamer_range"]))
    else:
        reach = line(piece.cell, action.heading, seat, int(options["stun_range"]))
        ask = _reached if action.piece.handle else _felt_along
        place = yield from ask(state, seat, reach)
        cells = reach[place - 1 : place] if place else ()
    if cells:
        state = yield from _expose(state, cells, (seat, 1 - seat))
        targets = _public_in(state, cells)
        state = yield from losses.strike(state, targets, action.weapon, hits)
    return state


def _reached(state: State, seat: int, cells: tuple[int, ...]) -> Generator[Probe, Any, int]:
    """At which place of a public gun's line the first occupied square is, counted from 1; 0:
    nowhere.

    The firer's side asks blindly how far the shot goes, within what it sees itself, so that
    the enemy's answer says nothing of pieces behind; then it says how far (WEC-56)."""
    own = yield FirstOwn(owner=seat, cells=cells)
    found = yield InLine(owner=1 - seat, asker=seat, cells=cells)
    in_sight = first_public(state, cells)
    value = None
    if own is not None and found is not None:
        value = nearest(own, in_sight, *(label for _, label in found))
    place = yield Reached(owner=seat, value=value)
    if place not in range(len(cells) + 1) or (in_sight and not 0 < place <= in_sight):
        raise IllegalAction("WEC-56", "A shot is said to go where it cannot.")
    return int(place)


def _felt_along(state: State, seat: int, cells: tuple[int, ...]) -> Generator[Probe, Any, int]:
    """The same for a gun that was unseen, whose owner alone resolves the shot: it asks as a
    veiled action does, for the cells up to the first piece it sees itself."""
    own = yield FirstOwn(owner=seat, cells=cells)
    limit = nearest(own or 0, first_public(state, cells)) or len(cells)
    found = yield Path(owner=1 - seat, asker=seat, cells=cells[:limit])
    held = {cell for cell, _ in found or ()}
    met = next((place for place, cell in enumerate(cells[:limit], 1) if cell in held), 0)
    return nearest(met, own or 0, first_public(state, cells))


def _expose(state: State, cells: tuple[int, ...], sides: Iterable[int]) -> Resolving:
    """Each side's unseen pieces in the cells become public, all at once (WEC-97)."""
    shown: list[Piece] = []
    for side in sides:
        shown.extend((yield from stated(Standing(owner=side, cells=cells))))
    return (yield from reveal(state, shown))


def _public_in(state: State, cells: tuple[int, ...]) -> list[Piece]:
    return [piece for piece in state.pieces if piece.handle and piece.cell in cells]


# -- launchers -------------------------------------------------------------------------------


def launches(state: State, seat: int) -> Iterator[Launch]:
    """Every legal launch: by direction, then homing on what the seat sees."""
    for ref, piece in _shooters(state, seat):
        for weapon in LAUNCHERS:
            if not strength(state, piece, weapon):
                continue
            for heading in HEADINGS:
                if step(piece.square, heading, seat) is not None:
                    yield Launch(ref, weapon, heading)
            named_already = set()
            for target in seen(state, seat):
                launch = _homing(ref, weapon, target)
                if (
                    target.side != seat
                    and launch not in named_already
                    and _in_range(state, piece, weapon, target.cell)
                ):
                    named_already.add(launch)
                    yield launch


def _homing(ref: Ref, weapon: str, target: Piece) -> Launch:
    return Launch(ref, weapon, -1, target.handle, target.cell, target.kind)


def _in_range(state: State, piece: Piece, weapon: str, cell: int) -> bool:
    """Whether a target in the cell is at the projectile's level and near enough (WEC-59)."""
    return (
        weapon in HOMING
        and cell // SQUARES == FLIES_AT[PROJECTILE[weapon]]
        and distance(piece.square, cell % SQUARES) <= agreed(state.options)["homing_range"]
    )


def check_launch(state: State, seat: int, action: Launch) -> None:
    """WEC-50, WEC-52, WEC-53, WEC-59."""
    if action.weapon not in LAUNCHERS:
        raise IllegalAction("WEC-59", "Only rocket, SAM and torpedo launchers are fired this way.")
    piece = _check_shooter(state, seat, action.piece, action.weapon)
    if action.heading >= 0:
        _check_heading(piece, action.heading)
        if action != Launch(action.piece, action.weapon, action.heading):
            raise IllegalAction("WEC-59", "Choose a direction or a target, not both.")
        return
    if action.heading < -1 or not _in_range(state, piece, action.weapon, action.target_cell):
        raise IllegalAction(
            "WEC-59", "It homes only on a seen enemy at its level that is near enough."
        )
    targets = {
        _homing(action.piece, action.weapon, target)
        for target in seen(state, seat)
        if target.side != seat
    }
    if action not in targets and (action.target or knows(state, seat)):
        raise IllegalAction("WEC-59", "No enemy that you see stands there; choose another target.")


def resolve_launch(state: State, seat: int, action: Launch) -> Resolving:
    """Launches as many projectiles together as launchers are ready (WEC-59, WEC-60)."""
    piece = named(state, seat, action.piece)
    shots = strength(state, piece, action.weapon)
    piece, state = yield from _discharge(state, seat, piece, action.weapon)
    homing = action.heading < 0
    for _ in range(shots):
        shot = Projectile(
            number=state.next_shot,
            kind=PROJECTILE[action.weapon],
            side=seat,
            square=piece.square,
            heading=action.heading,
            homing=homing,
            target_side=1 - seat if homing else -1,
            target_cell=action.target_cell,
        )
        state = yield Flew(
            square=piece.square,
            after=shot,
            target=action.target,
            target_kind="" if action.target else action.target_kind,
        )
    return state


# -- limited rocket --------------------------------------------------------------------------


def limited_rockets(state: State, seat: int) -> Iterator[LimitedRocket]:
    """Every legal limited rocket of a Jet or Sub."""
    shooters = [(r, p) for r, p in _shooters(state, seat) if strength(state, p, "LR")]
    if shooters:
        board = Board(state, seat)
        for ref, piece in shooters:
            for square in around(piece.square, int(agreed(state.options)["jet_rocket_range"])):
                if board.theirs(square):
                    yield LimitedRocket(ref, square)


def check_limited_rocket(state: State, seat: int, action: LimitedRocket) -> None:
    """WEC-61. A private sight of the target is not for others to check."""
    piece = _check_shooter(state, seat, action.piece, "LR")
    options = agreed(state.options)
    if action.square not in around(piece.square, int(options["jet_rocket_range"])):
        raise IllegalAction("WEC-61", "That square is out of the limited rocket's range.")
    privately = not knows(state, seat) and STEALTH in searched(options)
    if not Board(state, seat).theirs(action.square) and not privately:
        raise IllegalAction("WEC-61", "It needs an enemy that you see at Ground of that square.")


def resolve_limited_rocket(state: State, seat: int, action: LimitedRocket) -> Resolving:
    """Hits everything at Ground of a square at once; rocket launchers carried fire with it."""
    piece = named(state, seat, action.piece)
    hits = strength(state, piece, "LR") + strength(state, piece, "RL")
    piece, state = yield from _discharge(state, seat, piece, "LR", "RL")
    cells = (action.square,)
    state = yield from _expose(state, cells, (seat, 1 - seat))
    return (yield from losses.strike(state, _public_in(state, cells), "RL", hits))
