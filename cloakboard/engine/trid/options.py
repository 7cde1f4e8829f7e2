"""What can be agreed before a match (TRID section 11). The first value is the standard."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import msgspec

from cloakboard.engine.options import Bundle, Option, Schema

Values = tuple[tuple[str, str], ...]


def _word(name: str, choices: tuple[str, ...], rule: str, text: str) -> Option:
    return Option(name=name, default=choices[0], choices=choices, rule=rule, text=text)


OPTIONS: Final = Schema(
    options=(
        _word(
            "empty_board",
            ("immobile", "original_owner"),
            "TD-61",
            "Who may move an attack board on which nobody stands",
        ),
        _word(
            "board_rider",
            ("any_piece", "no_king", "pawn_only"),
            "TD-61",
            "Which single man an attack board may carry",
        ),
        _word(
            "board_direction",
            ("any", "forward_or_sideways"),
            "TD-60",
            "Where an attack board with a man may go",
        ),
        _word(
            "board_rotation",
            ("with_move", "never"),
            "TD-65",
            "Whether an attack board may be turned while it moves",
        ),
        _word(
            "pawn_board",
            ("sideways", "no_backward"),
            "TD-67",
            "Where an attack board with a pawn may go",
        ),
        _word(
            "blocking",
            ("path", "column"),
            "TD-34",
            "What stops a man on its way: men on the path, or any man in a column",
        ),
        _word(
            "level_return",
            ("forbidden", "allowed"),
            "TD-35",
            "Whether a man may come back to a level it left in the same move",
        ),
        _word(
            "level_identity",
            ("plane", "board"),
            "TD-31",
            "What a level is: a height, or each board by itself",
        ),
        _word(
            "level_shift",
            ("any", "adjacent"),
            "TD-32",
            "How far up or down one step may go",
        ),
        _word(
            "attack_board_to_attack_board",
            ("any_path", "void_only"),
            "TD-39",
            "How a queen or rook gets from one attack board to another",
        ),
        _word(
            "promotion_corner",
            ("immediate", "deferred"),
            "TD-54",
            "Whether a pawn promotes on a corner below an attack board",
        ),
        _word(
            "castling_first_turn",
            ("forbidden", "allowed"),
            "TD-75",
            "Whether a player may castle on the first turn",
        ),
    ),
    bundles=(
        Bundle(
            name="meder",
            text="Jens Meder's tournament rules",
            changes=(
                ("empty_board", "original_owner"),
                ("board_direction", "forward_or_sideways"),
                ("board_rotation", "never"),
                ("pawn_board", "no_backward"),
                ("blocking", "column"),
                ("promotion_corner", "deferred"),
            ),
        ),
    ),
)


def complete(changes: Mapping[str, Any]) -> Values:
    """Standard values with `changes` laid over them, as a state keeps them. Raises
    `BadOption`."""
    return tuple(sorted(OPTIONS.complete(changes).items()))


class LineRules(msgspec.Struct, frozen=True):
    """The options that say which squares a man reaches on given boards."""

    by_column: bool
    may_return: bool
    level_is_board: bool
    adjacent: bool
    void_only: bool
    corner_waits: bool


class Variant(msgspec.Struct, frozen=True):
    """A state's options as the rules ask for them."""

    lines: LineRules
    empty_moves: bool
    rider: str
    forward_only: bool
    turns: bool
    pawn_rides_ahead: bool
    castles_at_once: bool


@lru_cache(maxsize=64)
def variant(options: Values) -> Variant:
    """What agreed values say."""
    agreed = dict(options)
    return Variant(
        lines=LineRules(
            by_column=agreed["blocking"] == "column",
            may_return=agreed["level_return"] == "allowed",
            level_is_board=agreed["level_identity"] == "board",
            adjacent=agreed["level_shift"] == "adjacent",
            void_only=agreed["attack_board_to_attack_board"] == "void_only",
            corner_waits=agreed["promotion_corner"] == "deferred",
        ),
        empty_moves=agreed["empty_board"] == "original_owner",
        rider=agreed["board_rider"],
        forward_only=agreed["board_direction"] == "forward_or_sideways",
        turns=agreed["board_rotation"] == "with_move",
        pawn_rides_ahead=agreed["pawn_board"] == "no_backward",
        castles_at_once=agreed["castling_first_turn"] == "allowed",
    )
