"""Positions and options in which the most happens: what the second reading is compared on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from cloakboard.engine.wec.notation.positions import write_setup
from cloakboard.engine.wec.options import MOVEMENTS, OPTIONS, PAWN_VARIANTS, complete
from cloakboard.engine.wec.pieces import ARTICLES, GOVERNMENTS, HANDED, INHERENT
from cloakboard.engine.wec.position import Placed, Position, faults
from cloakboard.engine.wec.state import AIR, GROUND, SIDES, SUB, Reserve, square_at
from tests.play import Dice

SWITCHES: Final = (
    "stealth_invisible", "sub_invisible", "stealth_lock_on", "stealth_range_detection",
    "seen_when_firing_stealth", "seen_when_firing_sub", "doze_enemies", "king_may_stealth",
    "king_may_fly", "king_may_submerge",
)  # fmt: skip
SPANS: Final = {
    "tank_range": (6, 7, 8), "cleric_range": (6, 7, 8), "queen_tank_range": (6, 7, 8),
    "queen_cleric_range": (6, 7, 8), "stealth_range": (0, 1, 2, 3, 9), "sub_range": (0, 1, 3, 9),
    "jet_rocket_range": (0, 1, 4), "homing_range": (3, 9), "stun_range": (1, 4, 9),
    "stun_turns": (1, 3), "flamer_range": (1, 2), "rate_stun": (1, 2), "rate_launchers": (1, 4),
}  # fmt: skip
OPTIONAL: Final = (
    "AAA", "AAA", "SU", "SU", "SU", "CH", "CH", "CH", "JE", "JE", "DS", "DO", "DO", "TA", "CL",
    "STP", "FP", "CP", "RP", "XP", "SHP", "SHP", "SOP", "Q",
)  # fmt: skip
LEVELS: Final = {"SU": (SUB, SUB, GROUND), "CH": (AIR, GROUND), "JE": (AIR, GROUND)}
CARRIED: Final = (*ARTICLES, "SH", "SH", "ASH", "BI", "JP", "SC", "TL", "", "", "", "")
TRIES: Final = 30


def drawn_rules(dice: Dice) -> dict[str, Any]:
    """Options that decide over moving and seeing, each as likely to be changed as not."""
    drawn: dict[str, Any] = {
        "movement": dice.choose(MOVEMENTS),
        "pawn_variant": dice.choose(PAWN_VARIANTS),
        "dominance": dice.choose(("submersion", "stealth")),
        "transport_from": dice.choose(("ground", "any")),
        "action_constraint": dice.choose(("none", "none", "one_per_piece", "move_only")),
    }
    for side in SIDES:
        drawn[f"government.{side}"] = dice.choose(tuple(GOVERNMENTS))
    for name in SWITCHES:
        usual = OPTIONS.option(name).default
        drawn[name] = dice.choose((usual, usual, not usual))
    for name, allowed in SPANS.items():
        drawn[name] = dice.choose(allowed)
    if drawn["movement"] != "weaponized" and dice.choose((True, False)):
        drawn |= {"action_constraint": "move_only", "sub_jet_combat": True}
    return drawn


def drawn_setup(dice: Dice, options: dict[str, Any]) -> str:
    """A start position with a crowd in a part of the board, as text."""
    size = dice.choose((5, 7, 10))
    first = dice.choose(range(1, 12 - size))
    area = range(first, first + size)
    placed: list[Placed] = []
    for kind in ("K", *OPTIONAL):
        for side in SIDES:
            if kind == "K" or dice.choose((True, True, False)):
                placed += some_place(dice, options, area, placed, side, kind)
    numbered = list(locked(dice, placed))
    squares = sorted({square_at(dice.choose(area), dice.choose(area)) for _ in range(8)})
    reserves = [
        Reserve(side, square_at(dice.choose(area), dice.choose(area)), dice.choose(("DO", "SU")))
        for side in SIDES
    ]
    position = Position(
        pieces=tuple(numbered),
        lying=tuple((square, dice.choose(ARTICLES)) for square in squares),
        reserves=tuple(reserves),
    )
    return write_setup(position)


def some_place(
    dice: Dice, options: dict[str, Any], area: range, placed: list[Placed], side: int, kind: str
) -> Iterator[Placed]:
    """The piece in some cell that takes it, if one is found."""
    rules = dict(complete(options))
    for _ in range(TRIES):
        square = square_at(dice.choose(area), dice.choose(area))
        level = dice.choose(LEVELS.get(kind, (GROUND, GROUND, GROUND, AIR, SUB)))
        article = dice.choose(CARRIED)
        one = Placed(
            side,
            kind,
            level * 100 + square,
            hand=dice.choose(("left", "right")) if kind in HANDED else "",
            articles=(article,) if article else (),
            stun=dice.choose((0,) * 12 + (2,)),
            moved=dice.choose((False, False, True)),
        )
        if not list(faults(Position(pieces=(*placed, one)), rules)):
            yield one
            return


def locked(dice: Dice, placed: list[Placed]) -> Iterator[Placed]:
    """The pieces, with a lock-on of each side where there can be one (WEC-91)."""
    number, changes = 0, dict[int, dict[str, Any]]()
    for side in SIDES:
        holders = [at for at, one in enumerate(placed) if one.side == side and has(one, "ASH")]
        targets = [at for at, one in enumerate(placed) if one.side != side and has(one, "SH")]
        if holders and targets and dice.choose(("a lock", "none")) == "a lock":
            number += 1
            changes.setdefault(dice.choose(holders), {})["holds"] = (number,)
            changes.setdefault(dice.choose(targets), {})["locked"] = number
    for at, one in enumerate(placed):
        fields = {name: getattr(one, name) for name in Placed.__struct_fields__}
        yield Placed(**{**fields, **changes.get(at, {})})


def has(placed: Placed, article: str) -> bool:
    """Whether it is inherent or carried."""
    return article in placed.articles or article in INHERENT.get(placed.kind, ())
