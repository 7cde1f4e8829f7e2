"""What the window makes of what a match with a friend tells."""

from __future__ import annotations

import pytest

from cloakboard.client.net_session import is_alike
from cloakboard.client.texts import sentence
from cloakboard.netplay.lockstep.online import LinkState


@pytest.mark.parametrize(
    ("link", "before", "expected"),
    [
        (LinkState("good", 20), None, False),
        (LinkState("good", 30), LinkState("good", 20), True),
        (LinkState("good", 60), LinkState("good", 20), False),
        (LinkState("slow", 900), LinkState("slow", 800), True),
        (LinkState("slow", 1200), LinkState("slow", 800), False),
        (LinkState("slow", 410), LinkState("good", 400), False),
        (LinkState("good", None), LinkState("good", None), True),
        (LinkState("good", 20), LinkState("good", None), False),
        (LinkState("lost", None, 89), LinkState("lost", None, 90), False),
        (LinkState("lost", None, 89), LinkState("lost", None, 89), True),
    ],
)
def test_a_delay_that_wavers_is_no_news(
    link: LinkState, before: LinkState | None, expected: bool
) -> None:
    assert is_alike(link, before) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the room is full", "The room is full."),
        ("Ask again?", "Ask again?"),
        ("nobody answers; try again.", "Nobody answers; try again."),
    ],
)
def test_an_error_is_told_as_a_sentence(text: str, expected: str) -> None:
    assert sentence(text) == expected
