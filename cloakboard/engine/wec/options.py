"""What can be agreed before a match of WEC (RULES section 10)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from types import MappingProxyType
from typing import Any, Final, TypeVar

from cloakboard.engine.errors import BadOption
from cloakboard.engine.options import COMPETITIVE, Option, Schema
from cloakboard.engine.wec.pieces import GOVERNMENTS

Values = tuple[tuple[str, bool | int | str], ...]
T = TypeVar("T")

KEPT: Final = 64  # options whose results `per_options` keeps
RANGES: Final = (6, 8)
MOVEMENTS: Final = ("weaponized", "standard", "mass_destruction")
PAWN_VARIANTS: Final = ("forward_and_sides", "forward", "all_but_straight_ahead")

ARTICLES_AT_MOST: Final = 200  # WEC-06
# How many of each kind the set-up lays out; 0 leaves the kind out of the game.
ARTICLE_COUNTS: Final = MappingProxyType(
    {
        "FL": 2, "ST": 2, "CS": 2, "RL": 2, "SL": 8, "TL": 8, "BI": 4, "JP": 4, "SC": 4,
        "SH": 6, "ASH": 6, "AFL": 2, "AST": 2, "ACS": 2, "ARL": 2, "ASL": 4, "ATL": 4, "XXX": 4,
    }
)  # fmt: skip


def _switch(name: str, default: bool, rule: str, text: str, **more: Any) -> Option:
    return Option(name=name, default=default, rule=rule, text=text, **more)


def _number(name: str, default: int, first: int, last: int, rule: str, text: str) -> Option:
    return Option(name=name, default=default, span=(first, last), rule=rule, text=text)


def _word(name: str, choices: tuple[str, ...], rule: str, text: str, **more: Any) -> Option:
    return Option(name=name, default=choices[0], choices=choices, rule=rule, text=text, **more)


OPTIONS: Final = Schema(
    (
        _word("movement", MOVEMENTS, "WEC-40", "Which set of moves the pieces have"),
        _word(
            "pawn_variant", PAWN_VARIANTS, "WEC-42", "How pawns move in the mass destruction set"
        ),
        _number("tank_range", 7, *RANGES, "WEC-40", "Squares a tank goes at most"),
        _number("cleric_range", 7, *RANGES, "WEC-40", "Squares a cleric goes at most"),
        _number(
            "queen_tank_range",
            7,
            *RANGES,
            "WEC-40",
            "Squares a secondary government piece goes at most on tank paths",
        ),
        _number(
            "queen_cleric_range",
            7,
            *RANGES,
            "WEC-40",
            "Squares a secondary government piece goes at most on cleric paths",
        ),
        _word(
            "government.0", tuple(GOVERNMENTS), "WEC-21", "Black's government", needs_consent=False
        ),
        _word(
            "government.1", tuple(GOVERNMENTS), "WEC-21", "White's government", needs_consent=False
        ),
        _switch("stealth_invisible", True, "WEC-90", "Pieces with Stealth are unseen"),
        _switch("sub_invisible", True, "WEC-90", "Pieces at Sub are unseen"),
        _switch("stealth_lock_on", True, "WEC-91", "Picking up an Anti-stealth locks on"),
        _switch(
            "stealth_range_detection",
            False,
            "WEC-92",
            "Anti-stealth shows pieces with Stealth that are near",
        ),
        _number("stealth_range", 3, 0, 9, "WEC-92", "How near, in squares"),
        _number(
            "sub_range", 3, 0, 9, "WEC-93", "From how far a Torpedo launcher shows pieces at Sub"
        ),
        _switch("seen_when_firing_stealth", True, "WEC-95", "Firing shows a piece with Stealth"),
        _switch("seen_when_firing_sub", True, "WEC-95", "Firing shows a piece at Sub"),
        _word(
            "dominance",
            ("submersion", "stealth"),
            "WEC-96",
            "What hides a piece that has Stealth and is at Sub",
        ),
        _number(
            "jet_rocket_range", 0, 0, 9, "WEC-61", "How far a Jet's or Sub's limited rocket goes"
        ),
        _number("homing_range", 3, 0, 9, "WEC-59", "How near a target must be to home on it"),
        _number("stun_range", 9, 1, 9, "WEC-56", "How far a stun gun reaches"),
        _number("stun_turns", 3, 1, 255, "WEC-56", "Turns for which a stunned piece cannot act"),
        _number("flamer_range", 1, 1, 2, "WEC-55", "How far a flamer reaches"),
        _switch("doze_enemies", True, "WEC-48", "Enemy pieces can be dozed"),
        _switch("king_may_stealth", False, "WEC-33", "A primary piece may take a Stealth"),
        _switch("king_may_fly", True, "WEC-55a", "A primary piece may be taken into the Air"),
        _switch("king_may_submerge", True, "WEC-55a", "A primary piece may be taken to Sub"),
        _word(
            "transport_from",
            ("ground", "any"),
            "WEC-73",
            "Where a jump pack or scuba can be fired",
        ),
        _word(
            "action_constraint",
            ("none", "one_per_piece", "move_only"),
            "WEC-16",
            "What actions a Turn allows",
        ),
        _switch("sub_jet_combat", False, "WEC-41", "Subs and Jets take by moving"),
        _number("rate_stun", 2, 1, 99, "WEC-53", "Turns until a stun gun can fire again"),
        _number("rate_flamer", 4, 1, 99, "WEC-53", "Turns until a flamer can fire again"),
        _number("rate_conversion", 4, 1, 99, "WEC-53", "Turns until a conversion can fire again"),
        _number("rate_launchers", 4, 1, 99, "WEC-53", "Turns until a launcher can fire again"),
        *(
            Option(
                name=f"articles.{kind}",
                default=count,
                span=(0, ARTICLES_AT_MOST),
                rule="WEC-06",
                text=f"How many {kind} articles lie on the board",
            )
            for kind, count in ARTICLE_COUNTS.items()
        ),
        _switch("reinforcements", True, "WEC-82", "Reinforcements wait on their squares"),
        _switch(
            COMPETITIVE,
            False,
            "WEC-110",
            "No undo, no later change of options, a history with gaps until the end",
        ),
    )
)


def complete(changes: Mapping[str, Any]) -> Values:
    """Standard values with `changes` laid over them, as a state keeps them. Raises `BadOption`,
    also for values that do not go together (WEC-41)."""
    values = OPTIONS.complete(changes)
    if values["sub_jet_combat"] and (
        values["movement"] == "weaponized" or values["action_constraint"] != "move_only"
    ):
        raise BadOption(
            "sub_jet_combat",
            "sub_jet_combat needs movement=standard or mass_destruction, and"
            " action_constraint=move_only; turn it off or set those",
        )
    counts = {name: values[name] for name in values if name.startswith("articles.")}
    if sum(counts.values()) > ARTICLES_AT_MOST:
        most = max(counts, key=lambda name: counts[name])
        raise BadOption(
            most,
            f"articles: {sum(counts.values())} are more than the {ARTICLES_AT_MOST} that fit on"
            f" the board; lower {most} or another kind",
        )
    return tuple(sorted(values.items()))


def per_options(work: Callable[[Values], T]) -> Callable[[Values], T]:
    """The function with its results kept, each found by the options' identity: a match has the
    same tuple in all its states, and to hash sixty values costs more than most rules do."""
    known: dict[int, tuple[Values, T]] = {}

    @wraps(work)
    def kept(options: Values) -> T:
        entry = known.get(id(options))
        if entry is None or entry[0] is not options:
            if len(known) >= KEPT:
                known.clear()
            entry = known[id(options)] = options, work(options)
        return entry[1]

    return kept


@per_options
def agreed(options: Values) -> Mapping[str, Any]:
    """A state's options by name."""
    return MappingProxyType(dict(options))
