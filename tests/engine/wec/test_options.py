"""The option schema against RULES section 10."""

from __future__ import annotations

from typing import Any

import pytest

from cloakboard.engine.errors import BadOption
from cloakboard.engine.wec.options import ARTICLE_COUNTS, OPTIONS, agreed, complete

STANDARD: dict[str, Any] = {
    "movement": "weaponized",
    "pawn_variant": "forward_and_sides",
    "tank_range": 7,
    "cleric_range": 7,
    "queen_tank_range": 7,
    "queen_cleric_range": 7,
    "government.0": "monarchy",
    "government.1": "monarchy",
    "stealth_invisible": True,
    "sub_invisible": True,
    "stealth_lock_on": True,
    "stealth_range_detection": False,
    "stealth_range": 3,
    "sub_range": 3,
    "seen_when_firing_stealth": True,
    "seen_when_firing_sub": True,
    "dominance": "submersion",
    "jet_rocket_range": 0,
    "homing_range": 3,
    "stun_range": 9,
    "stun_turns": 3,
    "flamer_range": 1,
    "doze_enemies": True,
    "king_may_stealth": False,
    "king_may_fly": True,
    "king_may_submerge": True,
    "transport_from": "ground",
    "action_constraint": "none",
    "sub_jet_combat": False,
    "rate_stun": 2,
    "rate_flamer": 4,
    "rate_conversion": 4,
    "rate_launchers": 4,
    "reinforcements": True,
    "competitive": False,
}


def test_the_standard_values() -> None:
    articles = {f"articles.{kind}": count for kind, count in ARTICLE_COUNTS.items()}
    assert OPTIONS.defaults() == STANDARD | articles
    assert dict(agreed(complete({}))) == STANDARD | articles
    assert complete({}) == tuple(sorted((STANDARD | articles).items()))


def test_only_the_government_needs_no_consent() -> None:
    free = [option.name for option in OPTIONS.options if not option.needs_consent]
    assert free == ["government.0", "government.1"]


@pytest.mark.parametrize("option", OPTIONS.options, ids=lambda option: option.name)
def test_every_option_names_its_rule_and_says_what_it_is(option: Any) -> None:
    assert option.rule.startswith("WEC-")
    assert option.text[0].isupper()
    assert option.check(option.default) == option.default


@pytest.mark.parametrize(
    ("name", "first", "last"),
    [
        *[(name, 6, 8) for name in STANDARD if name.startswith(("tank", "cleric", "queen"))],
        *[(f"rate_{what}", 1, 99) for what in ("stun", "flamer", "conversion", "launchers")],
        *[(name, 0, 9) for name in ("stealth_range", "sub_range", "homing_range")],
        ("jet_rocket_range", 0, 9),
        ("stun_range", 1, 9),
        ("flamer_range", 1, 2),
        ("stun_turns", 1, 255),
    ],
)
def test_ranges(name: str, first: int, last: int) -> None:
    for value in (first, last):
        assert dict(complete({name: value}))[name] == value
    wrong: tuple[Any, ...] = (first - 1, last + 1, str(first), True)
    for value in wrong:
        with pytest.raises(BadOption):
            complete({name: value})


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("movement", "weaponized standard mass_destruction"),
        ("pawn_variant", "forward_and_sides forward all_but_straight_ahead"),
        ("government.0", "monarchy dictatorship theocracy democracy"),
        ("dominance", "submersion stealth"),
        ("transport_from", "ground any"),
        ("action_constraint", "none one_per_piece move_only"),
    ],
)
def test_words(name: str, words: str) -> None:
    assert OPTIONS.option(name).choices == tuple(words.split())
    for word in words.split():
        assert dict(complete({name: word}))[name] == word
    with pytest.raises(BadOption):
        complete({name: "other"})


@pytest.mark.parametrize(
    ("movement", "constraint", "fits"),
    [
        ("standard", "move_only", True),
        ("mass_destruction", "move_only", True),
        ("weaponized", "move_only", False),
        ("standard", "none", False),
        ("standard", "one_per_piece", False),
    ],
)
def test_wec_41_sub_jet_combat_goes_with_two_sets_and_moves_alone(
    movement: str, constraint: str, fits: bool
) -> None:
    changes = {"movement": movement, "action_constraint": constraint, "sub_jet_combat": True}
    if fits:
        assert dict(complete(changes))["sub_jet_combat"] is True
    else:
        with pytest.raises(BadOption, match="sub_jet_combat needs"):
            complete(changes)


def test_wec_06_more_than_200_articles_are_refused() -> None:
    complete({"articles.FL": 2 + 200 - 68})
    with pytest.raises(BadOption, match="201 are more than the 200") as caught:
        complete({"articles.FL": 2 + 200 - 68 + 1})
    assert caught.value.name == "articles.FL"
