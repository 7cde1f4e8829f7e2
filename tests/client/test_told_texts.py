"""What netplay, the records and the engine tell, in the player's language, as screens draw it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from cloakboard.client import texts, theme
from cloakboard.client.canvas import Box
from cloakboard.client.lobby import SaveRow
from cloakboard.client.shelf import Kept
from cloakboard.client.texts import ENDS, sentence, shown
from cloakboard.client.views.replays import ReplaysScreen
from cloakboard.client.views.rooms import HallsScreen, RoomsScreen
from cloakboard.client.views.saves import SavesScreen
from cloakboard.client.views.shown_in import ShownIn
from cloakboard.client.views.trid_table import TridTable
from cloakboard.client.widgets.text import Text
from cloakboard.client.window import CloakWindow, Screen
from cloakboard.engine.registry import game, games
from cloakboard.netplay.finding.lan import UNHEARD
from cloakboard.netplay.finding.places import LAN, Spot
from cloakboard.netplay.lockstep import effects as net
from cloakboard.netplay.lockstep.gallery import FULL
from cloakboard.netplay.lockstep.judge import Finding, Judgement
from cloakboard.netplay.lockstep.online import STOPPED
from cloakboard.netplay.room.negotiator import Negotiator
from cloakboard.netplay.room.statements import House
from tests.client.pair import Pair
from tests.client.room_stage import Shown
from tests.client.test_rooms import Rooms

HALL = "the hall hall.example.org cannot be reached; it is tried again"
LANGUAGES = ("ko", "zh-Hans", "zh-Hant")
LONGEST = 100  # frames until all is shown
FALSE = "an answer that its own pieces contradict"


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    texts.use("en")
    theme.load_fonts("en")


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """All that is drawn, without blanks, since lines end where there is room."""
    found: list[str] = []
    write = Text._write

    def note(self: Text, text: str, *rest: Any) -> None:
        found.append("".join(text.split()))
        write(self, text, *rest)

    monkeypatch.setattr(Text, "_write", note)
    return found


class Empty:
    """A shelf with nothing on it."""

    def kept(self) -> list[Kept]:
        return []


def rooms(window: CloakWindow) -> Screen:
    """The hall is away, and so is the local network."""
    street = Rooms()
    street.told = (HALL, UNHEARD)
    every = tuple(games().values())
    screen = RoomsScreen(window, street, every, lambda *_: None, lambda key, name: name)
    window.open_screen(screen)
    window.on_update(0.016)
    return screen


def spots(window: CloakWindow) -> Screen:
    """The room cannot be shown on the local network, and the mouse rests there."""
    street = Rooms()
    street.spots = lambda: (Spot(LAN, True, UNHEARD),)  # type: ignore[method-assign]
    screen = Screen(window)
    row = ShownIn(screen.stage, street)
    window.open_screen(screen)
    row.place(Box(100, 100, 600, 40), 8)
    row.update()
    screen.stage._hint.appear(row.buttons[0])
    return screen


def halls(window: CloakWindow) -> Screen:
    """What was typed as relays is none."""
    screen = HallsScreen(window, Rooms())
    window.open_screen(screen)
    screen.relays.set_value("relay")
    screen.set_relays.click()
    return screen


def failed(window: CloakWindow, why: str) -> Screen:
    """A room that cannot go on."""
    room = Shown(window)
    room.lobby.failed = sentence(why)
    room.frame()
    return room.screen


def refused(window: CloakWindow) -> Screen:
    """Ada says what cannot be said."""
    room = Shown(window)
    room.seat.problem = sentence("this room has no chat")
    room.frame()
    return room.screen


def asked(window: CloakWindow) -> Screen:
    """Ada waits for Ben's answer."""
    room = Shown(window)
    room.seat.do(partial(Negotiator.ask, change=House((("move_seconds", 90),))))
    room.frame()
    return room.screen


def pasted(window: CloakWindow) -> Screen:
    """What was copied is no match."""
    window.write_clipboard('[Game "WEC"]\n\n1. MV:ZZ(1,1)->(2,1)\n')
    screen = ReplaysScreen(window, Empty(), lambda *_: None)  # type: ignore[arg-type]  # as far as asked
    window.open_screen(screen)
    screen.paste.click()
    return screen


def saves(window: CloakWindow) -> Screen:
    """One of them is a file of something else."""
    why = "far.cloak is no save of Cloakboard; choose a file that ends in .cloak"
    row = SaveRow(Path("far.cloak"), "far", "", why, is_local=False)
    screen = SavesScreen(window, lambda: [row], lambda save, invite: None)
    window.open_screen(screen)
    return screen


def table(window: CloakWindow, told: Callable[[Pair], None]) -> Screen:
    """A match with a friend in which something is told."""
    pair = Pair(game("trid"))
    told(pair)
    screen = TridTable(window, pair.sessions[0], window.close)
    window.open_screen(screen)
    for _ in range(LONGEST):
        window.on_update(0.1)
        window.on_draw()
        if screen.match.is_open or screen.toasts._shown:
            break
    return screen


def stopped(pair: Pair) -> None:
    """The other machine has found something."""
    pair.sessions[0].fail(f"{STOPPED}{FALSE}")


def judged(pair: Pair) -> None:
    """The audit has found something."""
    finding = Finding(7, 1, FALSE)
    told = Judgement(finding, True, True, 9, b"", None, ("Ann", "Ben"))
    pair.sessions[0].tell(net.Judged(told))


CLOSED = "the negotiation was ended: Ben: the room was closed"
LEFT = "Ben: 33% of the matches were left early; this room takes 10% at most"
DRAWN = [
    (rooms, "ko", "홀 hall.example.org에 연결할 수 없습니다. 다시 시도합니다."),
    (rooms, "zh-Hans", "此处无法经局域网寻找房间；请改为把邀请发给好友。"),
    (rooms, "zh-Hant", "計分 關"),
    (pasted, "ko", "3행 7열: 말의 부호이(가) 있어야 하는데"),
    (spots, "zh-Hans", "此处无法经局域网寻找房间；请改为把邀请发给好友。"),
    (halls, "zh-Hant", "Relay 不是中繼；請輸入 URL，例如 https://relay.example.org"),
    (refused, "ko", "대화가 없는 방입니다."),
    (asked, "zh-Hans", "你 · 等待 Ben"),
    (partial(failed, why=CLOSED), "ko", "협의가 끝났습니다: Ben: 방이 닫혔습니다."),
    (partial(failed, why=LEFT), "ko", "Ben: 대국의 33%를 도중에 나갔습니다. 이 방은 10%까지만"),
    (partial(failed, why=LEFT), "zh-Hant", "Ben: 33% 的對局提前離開；此房間最多接受 10%。"),
    (partial(failed, why=FULL), "zh-Hant", "此電腦已容不下更多旁觀者。"),
    (
        saves,
        "ko",
        "far.cloak은(는) Cloakboard 저장 파일이 아닙니다.",
    ),
    (partial(table, told=stopped), "zh-Hans", "好友的电脑中止了对局：与自身棋子矛盾的应答。"),
    (partial(table, told=judged), "ko", "Ben의 항목 7 (자리 1): 자기 말과 모순되는 답."),
]


@pytest.mark.parametrize(("show", "language", "expected"), DRAWN)
def test_screens_draw_what_is_told(
    window: CloakWindow,
    drawn: list[str],
    show: Callable[[CloakWindow], Screen],
    language: str,
    expected: str,
) -> None:
    window.open_screen(Screen(window))
    window.set_language(language)
    show(window)
    window.on_draw()
    whole = "".join(expected.split())
    assert any(whole in text for text in drawn), drawn


def filled(text: str) -> str:
    """A pattern with something in its parts that no entry fits."""
    return re.sub(r"\{(\w+)\}", r"Zx7\1", text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_found_as_it_is_written_and_as_it_is_said(
    build_texts: ModuleType, language: str
) -> None:
    texts.use(language)
    catalogue = build_texts.read(language.replace("-", "_"))
    told = {text for path, reads in build_texts.telling() for text, _ in reads(path)}
    assert len(told) > 300
    for text in sorted(told):
        more = " Zx7" if text.endswith(":") else ""
        expected = filled(catalogue.get(text).string) + more
        assert shown(filled(text) + more) == expected
        said = shown(sentence(filled(text) + more))
        assert said.rstrip(".。") == expected.rstrip(".。")
        assert said.endswith(ENDS)
