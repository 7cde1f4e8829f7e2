"""Every achievement: what earns it, what just misses it, and what must hold for all of them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from cloakboard.achievements.definitions import Definition, definitions, words
from cloakboard.achievements.folds import wec as wec_folds
from cloakboard.achievements.folds.trid import ACTS
from cloakboard.achievements.moments import Began, Closed, Mode
from cloakboard.achievements.observer import TURN_ENDED, Observer, progress_of
from cloakboard.client.pictures import names
from cloakboard.engine.events import Event
from cloakboard.engine.registry import MODULES
from cloakboard.engine.trid import events as trid
from cloakboard.engine.wec import events as wec
from cloakboard.engine.wec.pieces import KINDS, PRIMARIES
from tests.achievements.cases import CASES, Case, Either
from tests.achievements.samples import closed

EVERY = definitions()
BY_ID = {one.id: one for one in EVERY}
WORDS = {one.id: words()[one.text] for one in EVERY}


def count(one: Definition, case: Either) -> int:
    """How far a case comes, played as the definition's first mode."""
    courses = [match for match in case if isinstance(match, Closed)]
    amounts: list[int] = []
    for match in case:
        if isinstance(match, Case):
            amounts.append(observed(one, match.events, match.end))
    return progress_of(one, courses, {one.id: amounts} if amounts else {})


def observed(one: Definition, events: Sequence[Event], end: Closed, seat: int = 0) -> int:
    observer = Observer([one], Began(game=end.game, mode=one.modes[0], seat=seat))
    for event in events:
        observer.see(event)
    observer.close(end)
    return observer.amounts.get(one.id, 0)


def test_there_are_at_least_forty_for_both_games_and_for_friends() -> None:
    assert len(EVERY) >= 40
    assert len(BY_ID) == len(EVERY)
    for game in ("", "wec", "trid"):
        assert sum(one.game == game for one in EVERY) >= 10


def test_each_has_a_case() -> None:
    assert set(CASES) == set(BY_ID)


@pytest.mark.parametrize("id_", BY_ID)
def test_what_earns_it(id_: str) -> None:
    assert count(BY_ID[id_], CASES[id_][0]) == BY_ID[id_].goal


@pytest.mark.parametrize("id_", BY_ID)
def test_what_just_misses_it(id_: str) -> None:
    assert count(BY_ID[id_], CASES[id_][1]) < BY_ID[id_].goal


@pytest.mark.parametrize("id_", BY_ID)
def test_words_and_picture(id_: str) -> None:
    one = BY_ID[id_]
    assert one.icon in names()
    assert 0 < len(WORDS[id_].title) <= 24
    assert WORDS[id_].text.endswith(".")
    assert one.goal == 1 or str(one.goal) in WORDS[id_].text


def test_no_two_have_the_same_words() -> None:
    assert len({word.title for word in WORDS.values()}) == len(EVERY)
    assert set(words()) == {one.text for one in EVERY}


@pytest.mark.parametrize("mode", [Mode.HOTSEAT, Mode.COMPUTER])
def test_at_this_machine_only_what_says_so_counts(mode: Mode) -> None:
    counting = {one.id for one in EVERY if one.counts("wec", mode) or one.counts("trid", mode)}
    assert counting
    assert counting < set(BY_ID)
    for one in EVERY:
        if one.over == "course" and mode not in one.modes:
            match = closed(mode=mode, game=one.game or "wec", turns=200)
            assert progress_of(one, [match] * 200, {}) == 0


def test_whatever_tells_of_unseen_enemies_waits_for_the_audit() -> None:
    """A piece with Stealth, a lock on an unseen piece, a loss below the surface: a toast about it
    would say in the match what only the audit may."""
    for one in EVERY:
        where = one.where
        tells = where.get("stealthy") or where.get("tag") == "LockMade"
        tells = tells or (one.game == "wec" and where.get("kinds") == ["SU"])
        if tells or (one.over == "course" and Mode.NET in one.modes):
            assert one.when == "audit", one.id


def test_the_words_of_folds_and_definitions_are_those_of_the_games() -> None:
    tags = {
        "wec": {str(e.__struct_config__.tag) for e in wec.AnyEvent.__args__},
        "trid": {str(e.__struct_config__.tag) for e in trid.AnyEvent.__args__},
    }
    assert {wec_folds.CHANGED, wec_folds.FLEW, TURN_ENDED} <= tags["wec"]
    assert {*ACTS, TURN_ENDED, "Taken"} <= tags["trid"]
    assert set(wec_folds.LOSSES) <= set(wec.CAUSES)
    assert set(wec_folds.PRIMARIES) == set(PRIMARIES)
    for one in EVERY:
        where = one.where
        assert set(where.get("causes", ())) <= set(wec.CAUSES), one.id
        if one.game == "wec":
            assert set(where.get("kinds", ())) <= set(KINDS), one.id
        if "tag" in where:
            assert where["tag"] in tags[one.game], one.id
        assert one.game in ("", "wec", "trid")
    assert "wec" in MODULES


def test_an_event_that_the_seat_may_not_know_counts_for_nothing() -> None:
    one = BY_ID["wec-take-off"]
    event = CASES[one.id][0][0].events[0]  # type: ignore[union-attr]  # a case of events
    assert isinstance(event, wec.Changed)
    hidden = wec.Changed(cause="takes_off", before=event.before, after=event.after, only=(1,))
    assert observed(one, [hidden], closed()) == 0
    assert observed(one, [event], closed()) == 1
