"""What players call things in WEC: the one home of these names, in text and on screen alike."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from cloakboard.engine.wec.state import AIR, GROUND, SUB

SEATS: Final = ("Black", "White")
LEVELS: Final = MappingProxyType({GROUND: "Ground", AIR: "Air", SUB: "Sub"})
DIRECTIONS: Final = (
    "forward", "forward-right", "right", "backward-right",
    "backward", "backward-left", "left", "forward-left",
)  # fmt: skip
PIECES: Final = MappingProxyType(
    {
        "FP": "Flamer Pawn", "RP": "Rocket Pawn", "STP": "Stun Gun Pawn",
        "CP": "Conversion Pawn", "SOP": "SAM & Torpedo Pawn", "XP": "XXX Pawn",
        "SHP": "Stealth Pawn", "TA": "Tank", "CL": "Cleric", "CH": "Chopper", "DO": "Dozer",
        "JE": "Jet", "SU": "Submarine", "DS": "Destroyer", "AAA": "AAA", "K": "King",
        "DI": "Dictator", "AV": "Avatar", "PR": "President", "Q": "Queen", "AS": "Assassin",
        "AC": "Acolyte", "PM": "Prime Minister",
    }
)  # fmt: skip
# Articles and weapons, LR a limited rocket; as they stand within a sentence.
ARTICLES: Final = MappingProxyType(
    {
        "FL": "flamer", "ST": "stun gun", "CS": "conversion", "RL": "rocket launcher",
        "SL": "SAM launcher", "TL": "torpedo launcher", "LR": "limited rocket", "BI": "bike",
        "JP": "jump pack", "SC": "scuba", "SH": "stealth", "ASH": "anti-stealth",
        "AFL": "anti-flamer", "AST": "anti-stun", "ACS": "anti-conversion",
        "ARL": "anti-rocket", "ASL": "anti-SAM", "ATL": "anti-torpedo", "XXX": "XXX box",
    }
)  # fmt: skip
SHOTS: Final = MappingProxyType({"R": "rocket", "S": "SAM", "T": "torpedo"})
