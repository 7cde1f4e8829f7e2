"""Dozing: a Move that shifts up to five squares of pieces at once (WEC-48)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.wec import losses
from cloakboard.engine.wec.actions import Doze
from cloakboard.engine.wec.board import Board, changed, may_share, refs
from cloakboard.engine.wec.events import Thwarted
from cloakboard.engine.wec.headings import HEADINGS, SIGN, STEPS, distance
from cloakboard.engine.wec.movement import NEIGHBOURS, STEP
from cloakboard.engine.wec.options import agreed
from cloakboard.engine.wec.rules.acting import (
    Resolving,
    check_actor,
    check_left,
    knows,
    left,
    may_act,
    meet,
    named,
    spend,
)
from cloakboard.engine.wec.state import GROUND, SQUARES, Piece, State

PICKED_AT_MOST = 4
AROUND: Final = tuple(sum(1 << near for near in NEIGHBOURS[square]) for square in range(SQUARES))

Group = tuple[tuple[int, ...], int]  # its squares, and the bit set of all next to one of them


def dozes(state: State, seat: int) -> Iterator[Doze]:
    """Every legal doze, as far as the state knows: few squares first."""
    if not left(state, seat, "move"):
        return
    board = Board(state, seat)
    pickable = frozenset(
        square
        for square in range(SQUARES)
        if square in board.at and _pick_fault(state, board, square) is None
    )
    for ref, piece in refs(state, seat):
        if piece.kind != "DO" or piece.level != GROUND or not may_act(state, piece):
            continue
        if len(board.ours(piece.cell)) < 2:
            continue
        held = _held(board, pickable | {piece.square}, piece.square, seat)
        for picked, group in _groups(piece.square, pickable):
            together = group | 1 << piece.square
            for heading, (off, behind, by) in enumerate(held):
                if not together & off and not _shifted(together & behind, by) & ~together:
                    yield Doze(ref, picked, heading)


def has_doze(state: State, seat: int) -> bool:
    """Whether dozing is possible (WEC-12)."""
    return next(dozes(state, seat), None) is not None


def _groups(square: int, pickable: frozenset[int]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every set of up to four pickable squares that is connected and touches the dozer's, as
    ascending tuple and as bit set: by size, then by squares."""
    yield (), 0
    free = sum([1 << one for one in pickable]) & ~(1 << square)
    groups: dict[int, Group] = {
        1 << one: ((one,), AROUND[one]) for one in NEIGHBOURS[square] if free >> one & 1
    }
    for size in range(1, PICKED_AT_MOST + 1):
        yield from sorted([(squares, group) for group, (squares, _) in groups.items()])
        if size < PICKED_AT_MOST:
            groups = _grown(groups, free)


def _grown(groups: dict[int, Group], free: int) -> dict[int, Group]:
    """The groups with one free square more, each once."""
    grown: dict[int, Group] = {}
    for group, (squares, near) in groups.items():
        fringe = near & free & ~group
        while fringe:
            bit = fringe & -fringe
            fringe ^= bit
            if group | bit not in grown:
                square = bit.bit_length() - 1
                grown[group | bit] = tuple(sorted((*squares, square))), near | AROUND[square]
    return grown


def _pick_fault(state: State, board: Board, square: int) -> str | None:
    """Why what is seen at Ground of a square cannot be picked."""
    here = board.here(square)
    if len({piece.side for piece in here}) > 1:
        return "Opposed pieces share that square; choose another one."
    if any(piece.side != board.seat for piece in here):
        if not agreed(state.options)["doze_enemies"]:
            return "In this match enemy pieces cannot be dozed; choose another square."
        if not any(piece.handle for piece in here):
            return "Only own and public pieces are dozed; choose another square."
    return None


def _held(
    board: Board, squares: Iterable[int], dozer: int, side: int
) -> list[tuple[int, int, int]]:
    """Per heading, of the squares a doze from the dozer's can reach: the bit set of those that
    cannot be shifted, the bit set of those that are shifted only with the square ahead, which is
    `by` on."""
    near = [square for square in squares if distance(square, dozer) <= PICKED_AT_MOST]
    held: list[tuple[int, int, int]] = []
    for heading in HEADINGS:
        off = behind = 0
        for square in near:
            target = STEP[side][square][heading]
            if target is None or not _has_room(board, square, target, emptied=True):
                off |= 1 << square
            elif not _has_room(board, square, target, emptied=False):
                behind |= 1 << square
        held.append((off, behind, SIGN[side] * (10 * STEPS[heading][0] + STEPS[heading][1])))
    return held


def _shifted(squares: int, by: int) -> int:
    return squares << by if by > 0 else squares >> -by


def _shift_fault(
    board: Board, squares: tuple[int, ...], heading: int, side: int
) -> tuple[str, str] | None:
    """Why the squares cannot be shifted, as far as the board shows: a rule and its words."""
    targets = [STEP[side][square][heading] for square in squares]
    for square, target in zip(squares, targets, strict=True):
        if target is None:
            return "WEC-48", "A piece would be pushed off the board; choose another direction."
        if not _has_room(board, square, target, emptied=target in squares):
            return "WEC-48", "There is no room for what would be pushed; choose another direction."
    return None


def _has_room(board: Board, square: int, target: int, *, emptied: bool) -> bool:
    """Whether the target takes what is shifted from a square; `emptied`: it is shifted, too.
    Enemies that are seen privately stay where they are."""
    coming = [piece for piece in board.here(square) if _goes(piece, board.seat)]
    staying = [piece for piece in board.here(target) if not (emptied and _goes(piece, board.seat))]
    return not staying or may_share((*coming, *staying))


def check_doze(state: State, seat: int, action: Doze) -> None:
    """Raises `IllegalAction` if the doze cannot be tried, or cannot be whatever is unseen."""
    check_left(state, seat, "move")
    piece = check_actor(state, seat, action.dozer)
    if piece.kind != "DO" or piece.level != GROUND:
        raise IllegalAction("WEC-48", "Only a Dozer at Ground can doze; choose one.")
    board = Board(state, seat)
    if knows(state, seat) and len(board.ours(piece.cell)) < 2:
        raise IllegalAction(
            "WEC-48", "A Dozer needs another own piece in its square; bring one there first."
        )
    _check_picked(state, board, piece.square, action.picked)
    if action.heading not in HEADINGS:
        raise IllegalAction("WEC-48", "Choose one of the eight directions.")
    fault = _shift_fault(board, (piece.square, *action.picked), action.heading, seat)
    if fault is not None:
        raise IllegalAction(*fault)


def _check_picked(state: State, board: Board, square: int, picked: tuple[int, ...]) -> None:
    if list(picked) != sorted(set(picked)) or len(picked) > PICKED_AT_MOST or square in picked:
        raise IllegalAction(
            "WEC-48", "Pick up to four different squares besides the Dozer's own, in order."
        )
    if any(one not in range(SQUARES) for one in picked):
        raise IllegalAction("WEC-48", "That square is not on the board; pick another one.")
    if not _is_connected(square, picked):
        raise IllegalAction(
            "WEC-48", "The squares must hang together and touch the Dozer's; pick others."
        )
    for one in picked:
        if one not in board.at:
            if knows(state, board.seat):
                raise IllegalAction("WEC-48", "Nothing stands in a picked square; leave it out.")
            continue
        fault = _pick_fault(state, board, one)
        if fault is not None and (knows(state, board.seat) or board.theirs(one)):
            raise IllegalAction("WEC-48", fault)


def _is_connected(square: int, picked: tuple[int, ...]) -> bool:
    """Whether the squares hang together and one of them is next to the dozer's."""
    if not picked:
        return True
    if not set(picked) & set(NEIGHBOURS[square]):
        return False
    reached = {picked[0]}
    while True:
        grown = {one for one in picked if one in reached or set(NEIGHBOURS[one]) & reached}
        if grown == reached:
            return len(reached) == len(picked)
        reached = grown


def resolve_doze(state: State, seat: int, action: Doze) -> Resolving:
    """Asks for unseen enemies on the picked squares and the targets; shifts if there are none."""
    dozer = named(state, seat, action.dozer)
    veiled = dozer.handle == 0
    state = yield from spend(state, seat, "move", veiled)
    squares = (dozer.square, *action.picked)
    stop, state = yield from meet(state, seat, veiled, _asked(squares, action.heading, seat))
    if stop is not None:
        state = yield from losses.replace(state, dozer, changed(dozer, acted=state.turn), "dozed")
        state = yield Thwarted(side=seat, what="doze", square=stop, only=(seat,) if veiled else ())
        return state
    shifted = [one for one in state.pieces if one.cell in squares and _goes(one, seat)]
    for one in shifted:
        target = STEP[seat][one.square][action.heading]
        assert target is not None
        after = changed(
            one,
            cell=target,
            unmoved=False,
            acted=state.turn if one == dozer else one.acted,
        )
        state = yield from losses.replace(state, one, after, "dozed")
    return state


def _goes(piece: Piece, seat: int) -> bool:
    return piece.side == seat or piece.handle > 0


def _asked(squares: tuple[int, ...], heading: int, side: int) -> tuple[int, ...]:
    """The picked squares, then the target of the dozer's, then theirs, each once."""
    targets: Iterable[int | None] = (STEP[side][square][heading] for square in squares)
    named_first = (*squares[1:], *(target for target in targets if target is not None))
    return tuple(dict.fromkeys(named_first))
