"""The guide: every piece and article has its page, and the drawn moves are those of the rules."""

from __future__ import annotations

import pytest

from cloakboard.client.guide import GUIDES, TRID, WEC, WEC_ARTICLES, WEC_PIECES
from cloakboard.client.views.guide import HERE, GuideScreen, reached
from cloakboard.client.window import CloakWindow
from cloakboard.engine.registry import game, games
from cloakboard.engine.wec.movement import BOTH, QUIET, TAKE
from cloakboard.engine.wec.pieces import ARTICLES, KINDS
from cloakboard.engine.wec.state import AIR, SQUARES, SUB

STANDARD = tuple(game("wec").options.defaults().items())


def at(row: int, column: int, level: int = 0) -> int:
    return level * SQUARES + (row - 1) * 10 + column - 1


def test_every_game_has_a_guide_and_every_piece_and_article_a_page() -> None:
    assert set(GUIDES) == set(games())
    assert tuple(WEC_PIECES) == KINDS
    assert tuple(WEC_ARTICLES) == ARTICLES
    assert [entry.kind for entry in WEC if entry.kind] == list(KINDS)
    assert len({entry.title for entry in (*WEC, *TRID)}) == len(WEC) + len(TRID)


# White moves towards row 1; the piece stands at 6,5.
MOVES = [
    (
        "WEC-42",
        "FP",
        {at(5, 4): QUIET, at(5, 6): QUIET, at(5, 5): TAKE, at(6, 4): TAKE, at(6, 6): TAKE},
    ),
    ("WEC-40", "K", {at(r, c): BOTH for r in (5, 6, 7) for c in (4, 5, 6) if (r, c) != (6, 5)}),
    ("WEC-41", "DS", {at(r, c): QUIET for r in (5, 6, 7) for c in (4, 5, 6) if (r, c) != (6, 5)}),
    (
        "WEC-43",
        "SU",
        {at(r, c): QUIET for r in (5, 6, 7) for c in (4, 5, 6) if (r, c) != (6, 5)}
        | {at(6, 5, SUB): QUIET},
    ),
    ("WEC-44", "JE", {at(6, 5, AIR): QUIET}),
]


@pytest.mark.parametrize(("rule", "kind", "expected"), MOVES)
def test_moves_are_drawn_by_the_rules(rule: str, kind: str, expected: dict[int, int]) -> None:
    assert at(6, 5) == HERE, rule
    assert reached(kind, STANDARD) == expected


def test_a_page_opens_by_its_title_and_by_the_list(window: CloakWindow) -> None:
    screen = GuideScreen(window, "wec", first="Tank")
    window.open_screen(screen)
    assert screen.entry.title == "Tank" and screen.diagram.is_visible
    screen.list.select(0, tells=True)
    assert screen.entry.title == "Winning"
    assert screen.text.label == WEC[0].text and not screen.legend.is_visible


@pytest.mark.parametrize("game_id", ["wec", "trid"])
def test_no_page_is_cut_off_without_a_way_to_scroll(window: CloakWindow, game_id: str) -> None:
    screen = GuideScreen(window, game_id)
    window.open_screen(screen)
    for index in range(len(screen.entries)):
        screen.list.select(index, tells=True)
        inside = screen.scroll.content_box
        assert screen.text.box.height <= inside.height + screen.scroll.limit
        assert inside.height >= screen.px(60)
