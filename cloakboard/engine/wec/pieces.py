"""What each piece is (WEC section 3) and what each article does (section 4)."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from cloakboard.engine.wec.state import AIR, SUB

PAWNS: Final = ("FP", "RP", "STP", "CP", "SOP", "XP", "SHP")
PRIMARIES: Final = ("K", "DI", "AV", "PR")
SECONDARIES: Final = ("Q", "AS", "AC", "PM")
KINDS: Final = (
    *PAWNS, "TA", "CL", "CH", "DO", "JE", "SU", "DS", "AAA", *PRIMARIES, *SECONDARIES,
)  # fmt: skip
HANDED: Final = frozenset({"TA", "CL", "CH"})  # WEC-24
COEXISTS: Final = frozenset({"SU", "CH", "DO", "DS", "AAA"})  # WEC-04
COMBAT: Final = frozenset({*PAWNS, "TA", "CL", "CH", *PRIMARIES, *SECONDARIES})  # WEC-41
CARRIERS: Final = frozenset({"SU", "CH"})  # WEC-46
HOME: Final = MappingProxyType({AIR: frozenset({"CH", "JE"}), SUB: frozenset({"SU"})})  # WEC-47

# Inherent weapons, in the order of `Piece.own_ready`; LR is the limited rocket (WEC-61).
WEAPONS: Final = MappingProxyType(
    {
        "FP": ("FL",), "RP": ("RL",), "STP": ("ST",), "CP": ("CS",), "SOP": ("SL", "TL"),
        "TA": ("FL",), "CL": ("CS",), "CH": ("ST",), "JE": ("SL", "LR"), "SU": ("TL", "LR"),
        "DS": ("TL",), "AAA": ("SL",),
    }
)  # fmt: skip

# Inherent defences (WEC section 3, WEC-21), plus Stealth and Anti-stealth.
INHERENT: Final = MappingProxyType(
    {
        "FP": ("AFL",), "RP": ("ARL",), "STP": ("AST",), "CP": ("ACS",), "SHP": ("SH", "ASH"),
        "AAA": ("SH",),
        "K": ("AFL", "ARL"), "Q": ("ACS", "AST"), "DI": ("ACS", "ARL"), "AS": ("AFL", "AST"),
        "AV": ("AST", "ARL"), "AC": ("AFL", "ACS"), "PR": ("ACS", "AFL"), "PM": ("ARL", "AST"),
    }
)  # fmt: skip

ARTICLES: Final = (
    "FL", "ST", "CS", "RL", "SL", "TL", "BI", "JP", "SC", "SH", "ASH",
    "AFL", "AST", "ACS", "ARL", "ASL", "ATL", "XXX",
)  # fmt: skip
DEFENCE: Final = MappingProxyType(
    {"FL": "AFL", "ST": "AST", "CS": "ACS", "RL": "ARL", "LR": "ARL", "SL": "ASL", "TL": "ATL"}
)
PROJECTILE: Final = MappingProxyType({"RL": "R", "SL": "S", "TL": "T"})
GOVERNMENTS: Final = MappingProxyType(
    {"monarchy": ("K", "Q"), "dictatorship": ("DI", "AS"), "theocracy": ("AV", "AC"),
     "democracy": ("PR", "PM")}
)  # fmt: skip
