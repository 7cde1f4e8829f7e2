"""Which tests name which rules of WEC: the list of rules, and a pytest plugin that finds them.

A test names a rule by its own name (`test_wec_31_..`), the id of its parameters (`WEC-31 ..`)
or its docstring. With `-p tests.engine.wec.rule_ids`, `--rule WEC-31` runs the tests that name
it, and `--rules-to FILE` writes which tests name which rule, as JSON.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import MappingProxyType
from typing import Final

import pytest

AT_THE_BOARD: Final = MappingProxyType(  # sections 1 to 9
    {
        "WEC-01": "rows and columns as each side looks",
        "WEC-02": "three levels",
        "WEC-03": "two pieces of one side on a level of a square",
        "WEC-04": "coexistence",
        "WEC-05": "opposed pieces never share",
        "WEC-06": "two unowned articles a square, 200 in all",
        "WEC-07": "articles are permanent",
        "WEC-10": "Turns alternate; counters count Turns of either side",
        "WEC-11": "what a Turn allows",
        "WEC-12": "no end before the Move; the waiver",
        "WEC-13": "moving and being moved",
        "WEC-14": "winning by the primary piece",
        "WEC-15": "resigning and draws",
        "WEC-16": "action constraint",
        "WEC-17": "the order at the end of a Turn",
        "WEC-20": "codes",
        "WEC-21": "governments",
        "WEC-22": "government pieces",
        "WEC-23": "how many articles a piece carries",
        "WEC-24": "hands",
        "WEC-30": "Pick-up",
        "WEC-31": "Drop",
        "WEC-32": "Exchange",
        "WEC-33": "no Stealth for primary pieces",
        "WEC-34": "Stealth does not stack",
        "WEC-35": "unowned articles are public",
        "WEC-40": "paths and ends of moves",
        "WEC-41": "who takes by moving",
        "WEC-42": "pawns and origin squares",
        "WEC-43": "Sub",
        "WEC-44": "Jet",
        "WEC-45": "Chopper",
        "WEC-46": "carrying",
        "WEC-47": "losing the carrier",
        "WEC-48": "dozing",
        "WEC-49": "collision with the unseen",
        "WEC-50": "strength and defences",
        "WEC-51": "counting hits",
        "WEC-52": "once a Turn",
        "WEC-53": "rate of fire",
        "WEC-54": "friend and foe",
        "WEC-55": "flamer",
        "WEC-55a": "primary pieces kept on the Ground",
        "WEC-56": "stun gun",
        "WEC-57": "conversion",
        "WEC-58": "one of two converted",
        "WEC-59": "launchers and homing",
        "WEC-60": "projectiles",
        "WEC-61": "limited rocket",
        "WEC-62": "scatter",
        "WEC-63": "a stunned flyer comes down",
        "WEC-64": "what kills are shown as",
        "WEC-70": "bike",
        "WEC-71": "jump pack and scuba",
        "WEC-72": "what a flyer meets",
        "WEC-73": "packs fired off the Ground",
        "WEC-80": "arming and calling reinforcements",
        "WEC-81": "two on a square",
        "WEC-82": "the standard's reinforcements",
        "WEC-90": "stealthed and submerged",
        "WEC-91": "lock-on",
        "WEC-92": "range detection of stealth",
        "WEC-93": "submerged detection",
        "WEC-94": "distance",
        "WEC-95": "seen when firing",
        "WEC-96": "dominance",
        "WEC-97": "unseen, privately seen, public",
        "WEC-98": "last seen places",
        "WEC-99": "private sight",
    }
)
AROUND_IT: Final = MappingProxyType(  # sections 10 to 12
    {
        "WEC-110": "competitive matches",
        "WEC-111": "taking back",
        "WEC-112": "saving and loading",
    }
)
RULES: Final = MappingProxyType({**AT_THE_BOARD, **AROUND_IT})
NAMED: Final = re.compile(r"wec[-_](\d{2,3}[a-z]?)(?![a-z0-9])", re.IGNORECASE)
APART: Final = ("test_rule_ids.py", "test_mutants.py")  # they name every rule and test none


def named_by(item: pytest.Item) -> frozenset[str]:
    """The rules that a test names."""
    if item.path.name in APART:
        return frozenset()
    told = f"{item.name} {getattr(getattr(item, 'function', None), '__doc__', None) or ''}"
    return frozenset(f"WEC-{number.lower()}" for number in NAMED.findall(told))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rule", help="run only the tests that name this rule, such as WEC-31")
    parser.addoption("--rules-to", help="write which tests name which rule to this file")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    file, rule = config.getoption("--rules-to"), config.getoption("--rule")
    if file:
        found: dict[str, list[str]] = {}
        for item in items:
            for named in named_by(item):
                found.setdefault(named, []).append(item.nodeid)
        Path(file).write_text(json.dumps(found, indent=1, sort_keys=True))
    if rule:
        items[:] = [item for item in items if rule in named_by(item)]
