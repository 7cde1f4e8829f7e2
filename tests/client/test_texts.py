"""Texts in the player's language: what is turned and what is not, and what a language lacks."""

from __future__ import annotations

import gettext
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from types import ModuleType

import pytest
from babel.messages.pofile import read_po

from cloakboard.client import texts, theme
from cloakboard.client.dates import day_of, moment_of
from cloakboard.client.local_session import LocalSession
from cloakboard.client.saved import Saved
from cloakboard.client.texts import Catalogue, Raw, file_of, messages_of, of_system, shown
from cloakboard.client.views.about import AboutScreen
from cloakboard.client.views.start import Entry, StartScreen
from cloakboard.client.views.table import TableScreen
from cloakboard.client.views.trid_table import TridTable
from cloakboard.client.widgets import TextField
from cloakboard.client.window import CloakWindow
from cloakboard.engine.registry import game

LANGUAGES = ("ko", "zh-Hans", "zh-Hant")


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    texts.use("en")
    theme.load_fonts("en")


def messages(language: str) -> dict[str, str]:
    with file_of(language).open("rb") as file:
        return messages_of(gettext.GNUTranslations(file))


@pytest.mark.parametrize(
    ("language", "day", "row"),
    [
        ("en", "5 May 2026", "Weaponized Chess · 1 action · 30 November 2026, 09:05"),
        ("ko", "2026년 5월 5일", " · 행동 1번 · 2026년 11월 30일 09:05"),
        ("zh-Hans", "2026年5月5日", " · 1 个行动 · 2026年11月30日 09:05"),
        ("zh-Hant", "2026年5月5日", " · 1 個行動 · 2026年11月30日 09:05"),
    ],
)
def test_dates_are_of_the_players_language(language: str, day: str, row: str) -> None:
    texts.use(language)
    at = datetime(2026, 11, 30, 9, 5).timestamp()
    assert shown(day_of(datetime(2026, 5, 5).timestamp())) == day
    saved = Saved(2, "wec", 1, {}, "", b"", (), (), ((0, b"", 0),), 0)
    assert shown(f"Weaponized Chess · {saved.title()} · {moment_of(at)}").endswith(row)


@pytest.mark.parametrize(
    ("seconds", "days"),
    [
        (-(1 << 40), {"31 December 1969", "1 January 1970"}),  # as the zone of this machine is
        (1 << 40, {"30 December 2999", "31 December 2999"}),
        (1 << 60, {"30 December 2999", "31 December 2999"}),
    ],
)
def test_a_time_that_no_calendar_has_is_told_too(seconds: int, days: set[str]) -> None:
    assert {day_of(seconds), moment_of(seconds).partition(",")[0]} <= days


@pytest.mark.parametrize("month", range(1, 13))
def test_every_month_has_its_number(month: int) -> None:
    at = datetime(2026, month, 28, 7, 0).timestamp()
    for language, day in (
        ("ko", f"2026년 {month}월 28일"),
        ("zh-Hans", f"2026年{month}月28日"),
        ("zh-Hant", f"2026年{month}月28日"),
    ):
        texts.use(language)
        assert (shown(day_of(at)), shown(moment_of(at))) == (day, f"{day} 07:00")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_language_lacks_is_reported(build_texts: ModuleType, language: str) -> None:
    assert build_texts.missing(language.replace("-", "_")) == []


TOLD = [
    ('raise Refused("nobody may sing here", what="song")', ["nobody may sing here"]),
    ('FULL: Final = "the choir is full"', ["the choir is full"]),
    ('return "loud", f"{name} sings {count} songs"', ["{0} sings {1} songs"]),
    ('raise TypeError("a song is no number")', []),
    ('if "out of tune" in str(error): pass', []),
    ('database.execute("SELECT song FROM songs")', []),
    ('report = f"song {n}: {text}\\nchoir {m}\\n"', []),
    ('digest("cloak/song/1", data)', []),
]


@pytest.mark.parametrize(("code", "expected"), TOLD)
def test_sentences_of_parts_that_show_nothing_are_listed(
    build_texts: ModuleType, tmp_path: Path, code: str, expected: list[str]
) -> None:
    path = tmp_path / "choir.py"
    path.write_text(f"def sing():\n    {code}\n", "utf-8")
    assert [text for text, _ in build_texts.told_in(path)] == expected


def test_of_the_engine_what_its_errors_say_is_listed(
    build_texts: ModuleType, tmp_path: Path
) -> None:
    path = tmp_path / "choir.py"
    path.write_text('WORDS = "no sound"\nraise IllegalAction("WEC-1", "No song now")\n', "utf-8")
    assert [text for text, _ in build_texts.refused_in(path)] == ["No song now"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_compiled_catalogue_is_that_of_the_texts(language: str) -> None:
    path = file_of(language).with_suffix(".po")
    with path.open("rb") as file:
        written = {str(m.id): str(m.string) for m in read_po(file) if m.id and m.string}
    assert messages(language) == written, "run scripts/build_texts.py compile"


@pytest.mark.parametrize("language", LANGUAGES)
def test_parts_stay_and_every_sign_can_be_shown(language: str) -> None:
    found = messages(language)
    for message, text in found.items():
        assert sorted(re.findall(r"\{\w+\}", message)) == sorted(re.findall(r"\{\w+\}", text))
    theme.load_fonts(language)
    assert theme.missing_characters("".join(found.values())) == set()


TURNED = [
    ("ko", "End Turn", "차례 끝"),
    ("ko", "Ann (Black) is to play.", "Ann (흑) 차례입니다."),
    ("zh-Hans", "Black's Tank moves from 2,10 to 7,9.", "黑方的坦克从 2,10 移到 7,9。"),
    ("zh-Hant", "White's torpedo is launched at 10,9.", "白方的魚雷在 10,9 發射。"),
    ("zh-Hans", "Carries a Stun gun and a Flamer", "携带眩晕枪和火焰喷射器"),
    ("zh-Hans", "This Tank is stunned for 2 more Turns.", "此坦克被眩晕 2 回合。"),
    (
        "zh-Hans",
        "Turn 39, Black: White's AAA comes into view at 7,9. White's AAA is taken at 7,9.",
        "第 39 回合，黑方：白方的高射炮在 7,9 现身。 白方的高射炮在 7,9 被吃。",
    ),
    (
        "ko",
        "It has no stun gun that can fire now; wait for its count to end.",
        "지금 쏠 수 있는 기절총이(가) 없습니다. 숫자가 끝나기를 기다리세요.",
    ),
    (
        "zh-Hant",
        "King and Tank cannot share (1,5); one of the two has to be Submarine.",
        "國王和坦克不能同在 (1,5)；其中之一須為潛艇。",
    ),
    ("zh-Hans", "Locked on to the Tank at 2,5 Air", "已锁定 2,5 空中 的坦克"),
    ("ko", "Enemies you do not see:\n  AAA: at 9,3", "보이지 않는 적:\n  대공포: 9,3"),
]


@pytest.mark.parametrize(("language", "text", "expected"), TURNED)
def test_sentences_are_turned_part_by_part(language: str, text: str, expected: str) -> None:
    texts.use(language)
    assert shown(text) == expected


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "text", ["", "  ", "1. MV:TA(1,1)->(2,1),FI1:FL/FP(2,3)->(3,3)", "쉬운 말", "Ann and Bob"]
)
def test_what_no_entry_fits_stays(language: str, text: str) -> None:
    texts.use(language)
    assert shown(text) == text


def test_what_somebody_typed_stays(window: CloakWindow) -> None:
    texts.use("ko")
    assert shown("Move") == "이동"
    assert shown(Raw("Move")) == "Move"
    screen = StartScreen(window, (Entry("Quit", "ui.exit", window.close),), lambda: "You are Ann")
    window.open_screen(screen)
    field = TextField(screen.stage, value="Move")
    field.place(screen.buttons[0].box)
    assert field._text._said[0] == "Move"
    assert isinstance(field._text._said[0], Raw)


def test_an_unknown_language_is_english() -> None:
    texts.use("tlh")
    assert shown("End Turn") == "End Turn"


def test_the_surest_pattern_wins_and_slight_ones_fit_within_others_only() -> None:
    catalogue = Catalogue(
        {
            "{0} and {1}": "{1}+{0}",
            "{who} catches {what}.": "<{what}|{who}>",
            "{who} catches {what} home.": "[{what}|{who}]",
            "cats": "CATS",
        }
    )
    assert catalogue.turned("Ann catches cats and dogs.") == "<dogs+CATS|Ann>"
    assert catalogue.turned("Ann catches cats home.") == "[CATS|Ann]"
    assert catalogue.turned("Ann and Bob") == "Ann and Bob"
    assert catalogue.turned("cats · Ann and Bob · 7") == "CATS · Bob+Ann · 7"


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("ko_KR.UTF-8", "ko"),
        ("zh_CN", "zh-Hans"),
        ("zh-TW", "zh-Hant"),
        ("zh_HK.UTF-8", "zh-Hant"),
        ("zh_Hant_SG", "zh-Hant"),
        ("de_DE", "en"),
        ("", "en"),
    ],
)
def test_the_desktops_language(name: str, language: str) -> None:
    assert of_system(name) == language


@pytest.mark.parametrize("language", LANGUAGES)
def test_screens_open_in_every_language(window: CloakWindow, language: str) -> None:
    window.set_language(language)
    screen = StartScreen(window, (Entry("Learn", "ui.learn", window.close),), lambda: "You are Ann")
    window.open_screen(screen)
    window.on_draw()
    assert screen.buttons[0].natural_width() > 0


def read_on(screen: TableScreen | TridTable) -> list[str]:
    """What the widgets of a screen say, as it is drawn."""
    return sorted(
        text._label.text
        for widget in screen.stage._widgets
        for text in widget._texts
        if text._label is not None
    )


@pytest.mark.parametrize(("game_id", "kind"), [("wec", TableScreen), ("trid", TridTable)])
def test_a_table_turns_to_a_language_chosen_above_it(
    window: CloakWindow, game_id: str, kind: type[TableScreen | TridTable]
) -> None:
    def table() -> TableScreen | TridTable:
        session = LocalSession(game(game_id), ("Ann", "Computer"), seed=b"t", computers=(1,))
        screen = kind(window, session, window.close)
        window.open_screen(screen)
        return screen

    screen = table()
    english = read_on(screen)
    window.open_screen(AboutScreen(window))
    window.set_language("ko")
    window.close_screen()
    assert read_on(screen) != english
    assert read_on(screen) == read_on(table())
