"""The steps by which a player points out a WEC action: a piece, a place, a word."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from cloakboard.client.boards import wec_geometry as geometry
from cloakboard.client.words import ARTICLES, LEVELS, PIECES, piece_name, place
from cloakboard.engine.wec import actions as acts
from cloakboard.engine.wec.board import find
from cloakboard.engine.wec.state import AIR, GROUND, SQUARES, SUB, Piece, State


class Verb(enum.StrEnum):
    """What a player is about to do; the bottom bar has a button for each."""

    MOVE = "move"
    DOZE = "doze"
    FIRE = "fire"
    PICK_UP = "pick up"
    DROP = "drop"
    EXCHANGE = "exchange"
    REINFORCE = "reinforce"
    END = "end turn"


VERB_OF: Final[Mapping[type[acts.Action], Verb]] = MappingProxyType(
    {
        acts.Move: Verb.MOVE,
        acts.Doze: Verb.DOZE,
        acts.Blast: Verb.FIRE,
        acts.Launch: Verb.FIRE,
        acts.LimitedRocket: Verb.FIRE,
        acts.Bike: Verb.FIRE,
        acts.TakeOff: Verb.FIRE,
        acts.PickUp: Verb.PICK_UP,
        acts.Drop: Verb.DROP,
        acts.Exchange: Verb.EXCHANGE,
        acts.Reinforce: Verb.REINFORCE,
        acts.EndTurn: Verb.END,
    }
)
LAUNCH_LEVEL: Final = MappingProxyType({"RL": GROUND, "SL": AIR, "TL": SUB})  # WEC-59


@dataclass(frozen=True, slots=True)
class Who:
    """A piece to point at."""

    ref: acts.Ref
    cell: int
    text: str


@dataclass(frozen=True, slots=True)
class Where:
    """A place to point at: any of `cells`, of which the first is the place itself."""

    text: str
    cells: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Which:
    """A word to choose. `key` tells two with the same text apart."""

    text: str
    key: str = ""


Step = Who | Where | Which
Path = tuple[Step, ...]


def piece_of(state: State, seat: int, ref: acts.Ref) -> Piece:
    """The piece a `Ref` of `seat` names; raises KeyError if this state has none."""
    piece = find(state, seat, ref)
    if piece is None:
        raise KeyError(ref)
    return piece


def paths_of(state: State, seat: int, action: acts.Action) -> tuple[Path, ...]:
    """The ways to point out one action; none for actions that are not chosen."""
    match action:
        case acts.Move(piece=ref, route=route, passenger=passenger):
            end = route[-1]
            along = "Alone"
            if passenger is not None:
                along = f"With the {PIECES[piece_of(state, seat, passenger).kind]}"
            by = "Straight there"
            if len(route) > 1:
                by = "By " + ", ".join(place(cell) for cell in route[:-1])
            return (
                (
                    who_of(state, seat, ref),
                    Where(f"To {place(end % SQUARES)} at {LEVELS[end // SQUARES]}", (end,)),
                    Which(along, str(passenger)),
                    Which(by, str(route)),
                ),
            )
        case acts.Blast(piece=ref, weapon=weapon, heading=heading):
            start = piece_of(state, seat, ref).cell
            reach = blast_reach(state, weapon)
            line = line_of(start, heading, seat, start // SQUARES, reach)
            return ((who_of(state, seat, ref), Which(ARTICLES[weapon]), line),)
        case acts.Launch(piece=ref, weapon=weapon, heading=-1):
            where = place(action.target_cell)
            aim = Where(
                f"Home on the {PIECES[action.target_kind]} at {where}", (action.target_cell,)
            )
            return ((who_of(state, seat, ref), Which(ARTICLES[weapon]), aim),)
        case acts.Launch(piece=ref, weapon=weapon, heading=heading):
            start = piece_of(state, seat, ref).cell
            line = line_of(start, heading, seat, LAUNCH_LEVEL[weapon], geometry.SIDE)
            return ((who_of(state, seat, ref), Which(ARTICLES[weapon]), line),)
        case acts.LimitedRocket(piece=ref, square=square):
            aim = Where(f"At {place(square)}", (square,))
            return ((who_of(state, seat, ref), Which(ARTICLES["LR"]), aim),)
        case acts.Bike(piece=ref, cell=cell):
            ride = Where(f"To {place(cell)}", (cell,))
            return ((who_of(state, seat, ref), Which(ARTICLES["BI"]), ride),)
        case acts.TakeOff(piece=ref, pack=pack, target=target):
            flight = Where(f"To {place(target)}", (target,))
            return ((who_of(state, seat, ref), Which(ARTICLES[pack]), flight),)
        case acts.PickUp(piece=ref, article=article, ready=ready):
            text = ARTICLES[article]
            left = ready - state.turn
            return (
                (
                    who_of(state, seat, ref),
                    Which(f"{text} (cools for {left})" if left > 0 else text, f"{ready}"),
                ),
            )
        case acts.Drop(piece=ref, place=index):
            kind = piece_of(state, seat, ref).gear[index].kind
            return ((who_of(state, seat, ref), Which(ARTICLES[kind], f"{index}")),)
        case acts.Exchange():
            return _exchange_paths(state, seat, action)
        case acts.Reinforce(square=square, kind=kind):
            return ((Where(f"At {place(square)}", (square,)), Which(PIECES[kind])),)
        case acts.EndTurn():
            return ((),)
        case _:
            return ()


def _exchange_paths(state: State, seat: int, action: acts.Exchange) -> tuple[Path, ...]:
    giver, receiver = (piece_of(state, seat, ref) for ref in (action.giver, action.receiver))
    one, other = who_of(state, seat, action.giver), who_of(state, seat, action.receiver)
    given = ARTICLES[giver.gear[action.give].kind]
    key = f"{action.give} {action.take}"
    if action.take < 0:
        return (
            (one, other, Which(f"Hand over the {given}", key)),
            (other, one, Which(f"Take the {given}", key)),
        )
    taken = ARTICLES[receiver.gear[action.take].kind]
    mirrored = f"{action.take} {action.give}"
    return (
        (one, other, Which(f"Swap the {given} for the {taken}", key)),
        (other, one, Which(f"Swap the {taken} for the {given}", mirrored)),
    )


def who_of(state: State, seat: int, ref: acts.Ref) -> Who:
    piece = piece_of(state, seat, ref)
    return Who(ref, piece.cell, f"{piece_name(piece)}, {LEVELS[piece.level]}")


def line_of(start: int, heading: int, seat: int, level: int, reach: int) -> Where:
    squares = geometry.ray(start % SQUARES, heading, seat, reach)
    text = f"Towards {place(squares[0])}" if squares else "Off the board"
    return Where(text, tuple(level * SQUARES + square for square in squares))


def blast_reach(state: State, weapon: str) -> int:
    """Squares a flamer, stun gun or conversion reaches (WEC-55..57)."""
    options = dict(state.options)
    ranges = {"FL": options.get("flamer_range", 1), "ST": options.get("stun_range", 9)}
    return int(ranges.get(weapon, 1))
