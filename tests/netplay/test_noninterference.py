"""What a machine receives hangs on nothing that its seat may not know (VEIL 14).

Two worlds that a seat cannot tell apart by the rules are played in step. The frames agree in
number, kind and length, and the group operations in number. With an ideal lookup in place of
the real one, and commitments without content, they agree in every byte.
"""

from __future__ import annotations

from typing import Any

import pytest

from cloakboard.engine.game import Game
from cloakboard.netplay.transcript import read_body, read_entry
from cloakboard.netplay.veil import group, lookup
from cloakboard.netplay.veil.group import Point
from cloakboard.netplay.veil.rows import row_bytes
from cloakboard.netplay.veil.secrets import NOTE_BYTES, tagged
from cloakboard.netplay.wire import EntryFrame, unpack
from tests.cheats.positions import crowd
from tests.engine.wec.build import cell
from tests.netplay.worlds import Frame, Worlds
from tests.tiny import game as line


def subs(first: int, second: int) -> tuple[Game, Game]:
    """Two crowds: Black's Sub and AAA stand elsewhere, unseen by White in both."""
    return (
        crowd(sub_at=cell(1, 9, 2), aaa_at=cell(first, 7)),
        crowd(sub_at=cell(2, 8, 2), aaa_at=cell(second, 8)),
    )


CASES: dict[str, tuple[Any, int, int]] = {  # games, the seat that differs, actions
    "line2": (lambda: (line(2), line(2)), 0, 12),
    "line2 the other seat": (lambda: (line(2), line(2)), 1, 12),
    "line3": (lambda: (line(3), line(3)), 1, 12),
    "wec": (lambda: subs(1, 1), 0, 14),
    "wec the other seat": (lambda: (crowd(), crowd()), 1, 14),
}
OPTIONS: dict[str, dict[str, Any]] = {"line3": {"cells": 24}}
cases = pytest.mark.parametrize("case", CASES)


def shape(frames: list[Frame]) -> list[tuple[Any, ...]]:
    """From, to, length, and the kinds of what is in each frame."""
    shapes = []
    for source, target, frame in frames:
        message = unpack(frame)
        assert isinstance(message, EntryFrame)
        body = read_body(read_entry(message.data))
        kinds = [type(part).__name__ for part in getattr(body, "parts", ())]
        shapes.append((source, target, len(frame), type(body).__name__, kinds))
    return shapes


class Work:
    """Counts multiplications in the group."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        for name in ("mul", "base_mul"):
            monkeypatch.setattr(group, name, self._counting(getattr(group, name)))

    def _counting(self, real: Any) -> Any:
        def counted(*args: Any) -> Any:
            self.count += 1
            return real(*args)

        return counted


@cases
def test_frames_of_worlds_alike_have_one_shape(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make, other, actions = CASES[case]
    work = Work(monkeypatch)
    quiet = 0
    for seed in range(2 if case.startswith("wec") else 4):
        worlds = Worlds(make(), other, seed, **OPTIONS.get(case, {}))
        assert worlds.alike()
        for _ in range(actions):
            frames, spent = worlds.step(lambda: work.count)
            if not frames or not worlds.alike():
                break
            assert shape(frames[0]) == shape(frames[1])
            assert spent[0] == spent[1]
        quiet += worlds.quiet
    assert quiet >= 2, "too few secret differences to say anything"


@pytest.fixture
def ideal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lookups by a trusted third party: what travels is blank, and the asker is told. Secret
    parts of actions are sealed into blank commitments."""
    held: dict[lookup.Context, dict[int, bytes]] = {}

    def ask(secret: Any, ctx: lookup.Context, keys: Any, points: int, slots: Any = None) -> Any:
        return tuple(Point(tagged("ideal", ctx.lookup, place)) for place in range(points))

    def reply(secret: Any, ctx: lookup.Context, asked: Any, entries: Any, *sizes: int) -> Any:
        held[ctx] = dict(entries)
        rows, label_bytes = sizes
        return lookup.Reply(bytes(32 * len(asked)), bytes(rows * row_bytes(label_bytes)))

    def read(secret: Any, ctx: lookup.Context, keys: Any, *rest: Any, **more: Any) -> Any:
        return lookup.expected_reading(keys, held[ctx])

    def blank(*args: Any) -> tuple[bytes, bytes]:
        return bytes(32), bytes(NOTE_BYTES)

    for name, fake in (("ask", ask), ("reply", reply), ("read", read)):
        monkeypatch.setattr(lookup, name, fake)
    for name in ("check_query", "check_reply"):
        monkeypatch.setattr(lookup, name, lambda *args: None)
    for name in ("commit_action", "cover_commit"):
        monkeypatch.setattr(f"cloakboard.netplay.lockstep.core.{name}", blank)


@cases
@pytest.mark.usefixtures("ideal")
def test_with_an_ideal_lookup_worlds_alike_have_the_same_bytes(case: str) -> None:
    make, other, actions = CASES[case]
    quiet = 0
    for seed in range(8):
        worlds = Worlds(make(), other, seed, **OPTIONS.get(case, {}))
        for _ in range(actions):
            frames, _ = worlds.step()
            if not frames or not worlds.alike():
                break
            assert frames[0] == frames[1]
        quiet += worlds.quiet
    assert quiet >= 8


@pytest.mark.usefixtures("ideal")
def test_the_comparison_can_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """With commitments that show what they commit to, the bytes differ."""

    def bare(secret: Any, epoch: int, prev: bytes, slot: int, data: bytes) -> Any:
        return tagged("bare", data), bytes(NOTE_BYTES)

    monkeypatch.setattr("cloakboard.netplay.lockstep.core.commit_action", bare)
    worlds = Worlds((line(2), line(2)), 0, 1)
    while not worlds.quiet:
        frames, _ = worlds.step()
    assert worlds.alike() and frames[0] != frames[1]
