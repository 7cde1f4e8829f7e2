"""The rules read word for word, slow and without tables: what the fast move generation is held
against. Squares are texts such as `b3N`; nothing here is shared with the engine but the text of
positions and moves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Final

FILES: Final = "zabcde"
MAINS: Final = {"W": (1, 2), "N": (3, 4), "B": (5, 6)}  # lowest rank, height (TD-03, TD-06)
# Lowest rank and height of the boards on pins 1..6 of either line (TD-05).
PINS: Final = {1: (0, 3), 2: (4, 3), 3: (2, 5), 4: (6, 5), 5: (4, 7), 6: (8, 7)}
NEIGHBOURS: Final = {  # lengthwise, then vertical (TD-60)
    1: ([2], [3]),
    2: ([1], [3, 4]),
    3: ([4], [1, 2, 5]),
    4: ([3], [2, 5, 6]),
    5: ([6], [3, 4]),
    6: ([5], [4]),
}
QUEENLY: Final = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)]
DIRECTIONS: Final = {"R": QUEENLY[:4], "B": QUEENLY[4:], "Q": QUEENLY, "K": QUEENLY}
LEAPS: Final = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]
HOME: Final = {  # king, rook kingside, rook queenside, the king's end queenside
    "w": ("d0KL1", "e0KL1", "z0QL1", "a0QL1"),
    "b": ("d9KL6", "e9KL6", "z9QL6", "a9QL6"),
}
Place = tuple[int, int, int, str]  # file, rank, height, board


@dataclass(frozen=True)
class World:
    """A position: owners of boards by pin, letters by square, and the other fields."""

    options: Mapping[str, str]
    boards: Mapping[str, str]
    men: Mapping[str, str]
    side: str
    castling: str
    passed: str  # the pawn that can be taken in passing, or -
    number: int

    @property
    def other(self) -> str:
        return "b" if self.side == "w" else "w"


def parse(text: str, options: Mapping[str, str]) -> World:
    """The world of a position string."""
    pins, men, side, castling, passed, _, number = text.split(" ")
    boards = {word[:3]: word[3] for word in pins.split(",")}
    standing = {}
    for board, rows in zip(["B", "N", "W", *boards], men.split("|"), strict=True):
        left, low, _ = corner(board)
        for row, line in enumerate(reversed(rows.split("/"))):
            file = left
            for letter in line:
                if letter.isdigit():
                    file += int(letter)
                else:
                    standing[f"{FILES[file]}{low + row}{board}"] = letter
                    file += 1
    return World(options, boards, standing, side, castling, passed, int(number))


def corner(board: str) -> tuple[int, int, int]:
    """A board's lowest file and rank, and its height."""
    if board in MAINS:
        return 1, *MAINS[board]
    return (0 if board[0] == "Q" else 4), *PINS[int(board[2])]


def squares(world: World) -> Mapping[str, Place]:
    """All squares there are."""
    return _squares(tuple(world.boards))


@cache
def _squares(pins: tuple[str, ...]) -> Mapping[str, Place]:
    found = {}
    for board in [*MAINS, *pins]:
        left, low, height = corner(board)
        size = 4 if board in MAINS else 2
        for file in range(left, left + size):
            for rank in range(low, low + size):
                found[f"{FILES[file]}{rank}{board}"] = (file, rank, height, board)
    return found


def column(world: World, file: int, rank: int) -> Mapping[str, Place] | None:
    """The squares of a column; None off the map."""
    return _column(tuple(world.boards), file, rank)


@cache
def _column(pins: tuple[str, ...], file: int, rank: int) -> Mapping[str, Place] | None:
    if not (0 <= file <= 5 and 0 <= rank <= 9):
        return None
    return {name: at for name, at in _squares(pins).items() if at[:2] == (file, rank)}


def owner(letter: str) -> str:
    return "w" if letter.isupper() else "b"


def forward(side: str) -> int:
    return 1 if side == "w" else -1


def stepped(world: World, origin: Place, file: int, rank: int) -> list[str]:
    """Squares of a neighbouring column that one step may end on (TD-32)."""
    there = column(world, file, rank) or {}
    if world.options["level_shift"] == "any":
        return list(there)
    heights = [at[2] for at in there.values()]
    near = {
        origin[2],
        min((h for h in heights if h > origin[2]), default=0),
        max((h for h in heights if h < origin[2]), default=0),
    }
    return [name for name, at in there.items() if at[2] in near]


def along(
    world: World, origin: str, step: tuple[int, int], kind: str, most: int = 9
) -> Iterator[tuple[str, int]]:
    """TD-43: squares at the end of a path in one direction, with the number of columns gone.
    A square comes once for each path."""
    start = squares(world)[origin]

    def levels(path: list[Place | None]) -> list[object]:
        by_board = world.options["level_identity"] == "board"
        merged: list[object] = []
        for at in path:
            if at is not None:
                level = at[3] if by_board else at[2]
                if not merged or merged[-1] != level:
                    merged.append(level)
        return merged

    def allowed(path: list[Place | None]) -> bool:
        if world.options["level_return"] == "forbidden" and world.options["blocking"] == "path":
            passed = levels(path)
            if len(set(passed)) != len(passed):
                return False
        for at, after in pairwise(path):
            if (at is None) != (after is None):
                board = (at or after or start)[3]
                if kind not in "QR" or board in MAINS:
                    return False
        return True

    def go(path: list[Place | None]) -> Iterator[tuple[str, int]]:
        gone = len(path)
        if gone > most:
            return
        last = next(at for at in reversed(path) if at is not None)
        file, rank = start[0] + gone * step[0], start[1] + gone * step[1]
        there = column(world, file, rank)
        if there is None:
            return
        if not there:
            if allowed([*path, None]):
                yield from go([*path, None])
            return
        for name in stepped(world, last, file, rank):
            if not allowed([*path, there[name]]):
                continue
            if not barred(path, there[name]):
                yield name, gone
            full = world.options["blocking"] == "column" and any(one in world.men for one in there)
            if name not in world.men and not full:
                yield from go([*path, there[name]])

    def barred(path: list[Place | None], end: Place) -> bool:
        return (
            world.options["attack_board_to_attack_board"] == "void_only"
            and kind in "QR"
            and start[3] not in MAINS
            and end[3] not in MAINS
            and start[3] != end[3]
            and None not in path
        )

    yield from go([start])


def attacks(world: World, origin: str) -> set[str]:
    """The squares on which a man could capture (TD-80)."""
    letter = world.men[origin]
    kind, at = letter.upper(), squares(world)[origin]
    if kind in "PD":
        rank = at[1] + forward(owner(letter))
        return {name for df in (-1, 1) for name in stepped(world, at, at[0] + df, rank)}
    if kind == "N":
        leaps = (column(world, at[0] + df, at[1] + dr) or {} for df, dr in LEAPS)
        return {name for there in leaps for name in there}
    if kind == "K":
        return {name for df, dr in QUEENLY for name in stepped(world, at, at[0] + df, at[1] + dr)}
    return {name for step in DIRECTIONS[kind] for name, _ in along(world, origin, step, kind)}


def is_check(world: World, side: str) -> bool:
    """Whether the side's king is attacked."""
    [king] = [name for name, letter in world.men.items() if letter == ("K" if side == "w" else "k")]
    return any(
        king in attacks(world, name) for name, letter in world.men.items() if owner(letter) != side
    )


def promoting(world: World, side: str) -> set[str]:
    """Squares on which the side's pawns promote now (TD-54)."""
    row, back, number = ("8B", 9, "6") if side == "w" else ("1W", 0, "1")
    found = {f"{file}{row}" for file in "abcd"}
    for pin in world.boards:
        if pin[2] == number:
            found |= {n for n, at in squares(world).items() if at[3] == pin and at[1] == back}
            if world.options["promotion_corner"] == "deferred":
                found -= {("a" if pin[0] == "Q" else "d") + row}
    return found


def moved(world: World, men: Mapping[str, str], boards: Mapping[str, str]) -> World:
    """The world with other men and boards, the enemy's pawns promoted (TD-55)."""
    after = replace(world, men=dict(men), boards=dict(boards))
    queen = "q" if world.side == "w" else "Q"
    for square in promoting(after, world.other):
        if after.men.get(square, "").upper() in ("P", "D") and owner(men[square]) == world.other:
            after = replace(after, men={**after.men, square: queen})
    return after


def moves(world: World) -> list[str]:
    """All legal moves as machine text, sorted."""
    found = [*man_moves(world), *board_moves(world), *castlings(world)]
    assert len(found) == len(set(found))
    return sorted(found)


def safe(world: World, men: Mapping[str, str], boards: Mapping[str, str]) -> bool:
    return not is_check(moved(world, men, boards), world.side)


def man_moves(world: World) -> Iterator[str]:
    for origin, letter in world.men.items():
        if owner(letter) != world.side:
            continue
        is_pawn = letter.upper() in "PD"
        for target, taken in pawn_ends(world, origin) if is_pawn else man_ends(world, origin):
            men = {n: one for n, one in world.men.items() if n not in (origin, taken)}
            men[target] = letter
            if not safe(world, men, world.boards):
                continue
            due = is_pawn and target in promoting(world, world.side)
            for suffix in ["=Q", "=R", "=B", "=N"] if due else [""]:
                yield f"{origin}-{target}{suffix}"


def man_ends(world: World, origin: str) -> Iterator[tuple[str, str]]:
    for target in attacks(world, origin):
        if owner(world.men.get(target, "?")) != world.side or target not in world.men:
            yield target, target


def pawn_ends(world: World, origin: str) -> Iterator[tuple[str, str]]:
    """Targets, and which square is emptied by it."""
    letter, at = world.men[origin], squares(world)[origin]
    ahead = forward(world.side)
    ends = set(stepped(world, at, at[0], at[1] + ahead))
    if letter.upper() == "D" and column(world, at[0], at[1] + ahead):
        ends |= {n for n, gone in along(world, origin, (0, ahead), "P", 2) if gone == 2}
    yield from ((end, end) for end in ends if end not in world.men)
    for target in attacks(world, origin):
        if target in world.men:
            if owner(world.men[target]) != world.side:
                yield target, target
        elif world.passed != "-":
            file, rank, *_ = squares(world)[world.passed]
            if squares(world)[target][:2] == (file, rank + ahead):
                yield target, world.passed


def board_moves(world: World) -> Iterator[str]:
    options = world.options
    for pin in world.boards:
        riders = [name for name in world.men if name.endswith(pin)]
        kinds = [world.men[name].upper().replace("D", "P") for name in riders]
        if len(riders) > 1 or any(owner(world.men[name]) != world.side for name in riders):
            continue
        if not riders and (options["empty_board"] == "immobile" or world.boards[pin] != world.side):
            continue
        if options["board_rider"] == "no_king" and "K" in kinds:
            continue
        if options["board_rider"] == "pawn_only" and riders and kinds != ["P"]:
            continue
        yield from rides(world, pin, riders, kinds == ["P"])


def rides(world: World, pin: str, riders: list[str], is_pawn: bool) -> Iterator[str]:
    sideways = ("K" if pin[0] == "Q" else "Q") + pin[1:]
    lengthwise, vertical = NEIGHBOURS[int(pin[2])]
    for to in [sideways, *(pin[:2] + str(number) for number in lengthwise + vertical)]:
        ahead = (corner(to)[1] - corner(pin)[1]) * forward(world.side)
        if to in world.boards:
            continue
        if riders and world.options["board_direction"] != "any" and ahead < 0:
            continue
        stays = world.options["pawn_board"] == "sideways" or ahead < 0
        if is_pawn and to != sideways and stays:
            continue
        can_turn = riders and world.options["board_rotation"] == "with_move"
        for turned in [False, True] if can_turn and not (is_pawn and to == sideways) else [False]:
            boards = {one: who for one, who in world.boards.items() if one != pin}
            boards[to] = world.boards[pin]
            men = {name: one for name, one in world.men.items() if name not in riders}
            for name in riders:
                men[carried(name, pin, to, turned)] = world.men[name]
            if not safe(world, men, boards):
                continue
            after = moved(world, men, boards)
            due = any(
                after.men.get(square, "").upper() in ("P", "D")
                and owner(after.men[square]) == world.side
                for square in promoting(after, world.side)
            )
            for suffix in ["=Q", "=R", "=B", "=N"] if due else [""]:
                yield f"{pin}-{to}{'r' if turned else ''}{suffix}"


def carried(name: str, pin: str, to: str, turned: bool) -> str:
    """TD-66."""
    left, low, _ = corner(pin)
    i, j = FILES.index(name[0]) - left, int(name[1]) - low
    if turned:
        i, j = 1 - i, 1 - j
    left, low, _ = corner(to)
    return f"{FILES[left + i]}{low + j}{to}"


def castlings(world: World) -> Iterator[str]:
    king, near, far, beside = HOME[world.side]
    if world.number == 1 and world.options["castling_first_turn"] == "forbidden":
        return
    if is_check(world, world.side):
        return
    rights = world.castling if world.side == "b" else world.castling.swapcase()
    rest = {n: one for n, one in world.men.items() if n not in (king, near)}
    if "k" in rights:
        men = {**rest, near: world.men[king], king: world.men[near]}
        if safe(world, men, world.boards):
            yield "O-O"
    rest = {n: one for n, one in world.men.items() if n not in (king, far)}
    if "q" in rights and beside not in world.men:
        men = {**rest, beside: world.men[king], king: world.men[far]}
        if safe(world, men, world.boards):
            yield "O-O-O"
