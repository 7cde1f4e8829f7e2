"""What the screens of tri-dimensional chess say, in the player's language."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cloakboard.client import texts
from cloakboard.client.texts import shown

TURNED = [
    (
        "ko",
        "Move 6, White: Knight on d5N takes the Pawn on c7B. White has won: Black is checkmated.",
        "6수, 백: d5N의 나이트이(가) c7B의 폰을(를) 잡습니다. 백 승리: 흑이 체크메이트되었습니다.",
    ),
    (
        "zh-Hant",
        "Attack board QL2 moves to QL1, turned by a half turn, carrying the Knight on a4QL2.",
        "攻擊板 QL2 移到 QL1，轉半圈，載著a4QL2的馬。",
    ),
    (
        "zh-Hans",
        "2... Pawn on b7B moves to b8B and the pawn becomes a Queen.",
        "2... b7B的兵走到 b8B，兵升变为王后。",
    ),
    (
        "zh-Hant",
        "The castling right K needs a king on d0KL1 and a rook on e0KL1",
        "入堡權 K 需要 d0KL1 的國王與 e0KL1 的車",
    ),
    (
        "zh-Hans",
        "The Pawn on b2W does not get to b5N; its squares are marked.",
        "b2W的兵到不了 b5N；可到的格子有标示。",
    ),
    ("ko", "Choose a lit pin for board QL2, turned by half. R turns it.",
     "공격판 QL2(반 바퀴 돌림)이 갈 밝은 핀을 고르세요. R로 돌립니다."),
    ("ko", "White King on d0KL1", "d0KL1의 백 왕"),
    ("ko", "1. d4W a6B", "1. d4W a6B"),
]  # fmt: skip


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    texts.use("en")


@pytest.mark.parametrize(("language", "text", "expected"), TURNED)
def test_sentences_are_turned(language: str, text: str, expected: str) -> None:
    texts.use(language)
    assert shown(text) == expected
