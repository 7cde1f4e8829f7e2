"""Undo by consent (VEIL 8): the chain goes on, the state goes back, nothing is used twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from cloakboard.engine.codec import encode as canonical
from cloakboard.engine.game import Game
from cloakboard.engine.wec import GAME as WEC
from cloakboard.netplay.lockstep.core import Core
from cloakboard.netplay.lockstep.effects import Consented, Declined, Happened, Offered, Send
from cloakboard.netplay.lockstep.judge import judge
from cloakboard.netplay.transcript import Agreed, encode, read_body
from cloakboard.netplay.wire import EntryFrame, RequestFrame, pack, unpack
from tests.cheats.positions import crowd
from tests.cheats.test_hidden_lies import DIVE, SHOT
from tests.netplay.rig import Dying, Rig
from tests.netplay.test_resume import derived, ended_well, signed
from tests.netplay.watch import Places, Uses, once
from tests.tiny import game as line

__all__ = ["derived", "signed"]


def take_back(rig: Rig, asker: int, target: int | None = None) -> None:
    """All seats agree to take the asker's last action back, or to another target."""
    value = target if target is not None else rig.peers[asker].undo_target
    assert value is not None
    rig.peers[asker].request("undo", value)
    rig.flush()
    for peer in rig.peers:
        if peer.seat != asker:
            peer.request("undo", value)
            rig.flush()


def known(rig: Rig) -> list[bytes]:
    """What each seat knows, counters aside."""
    return [canonical(plain(rig.game, peer.core.view)) for peer in rig.peers]


def plain(game: Game, state: Any) -> Any:
    """A state without its counters."""
    return replace(state, **dict.fromkeys(game.types.counters, 0))


def targets(rig: Rig, seat: int = 0) -> list[int]:
    """Every entry before which play may go on, as a seat's machine knows."""
    core = rig.peers[seat].core
    return [seq for seq in range(core.place.seq) if core.may_undo(seq)]


GAMES: dict[str, tuple[Game, int, dict[str, int], int]] = {  # game, seed, options, choices
    "line2": (line(2), 5, {"turns": 30}, 24),
    "line3": (line(3), 8, {"turns": 30}, 24),
    "line4": (line(4), 8, {"turns": 30}, 24),
    "wec": (WEC, 3, {}, 12),
    "wec in a crowd": (crowd(), 4, {}, 14),
}


@pytest.mark.parametrize("name", GAMES)
def test_veil_8_undo_after_every_action(name: str, signed: Places, derived: Uses) -> None:
    """After each choice the last one, or its Turn, is taken back, and then another is made. The
    states are those of before; no number is given twice; the audit is clean."""
    game, seed, options, choices = GAMES[name]
    rig = Rig(game, seed, options)
    rig.shares_audit = True
    before: dict[int, list[bytes]] = {}
    undone = 0
    for _ in range(choices):
        before[rig.peers[0].core.place.seq] = known(rig)
        if not rig.step() or rig.peers[0].core.result is not None:
            break
        author = rig.peers[0].core.timeline._played[-1].author
        target = rig.peers[author].undo_target
        if target is None or target not in before:
            continue
        length, draws = len(rig.entries(0)), rig.peers[0].core.scripts._draws
        handles = [getattr(rig.peers[0].core.shown, c) for c in game.types.counters]
        take_back(rig, author)
        undone += 1
        assert known(rig) == before[target]
        assert len(rig.entries(0)) == length + 1, "the chain is never shortened"
        assert rig.peers[0].core.scripts._draws == draws
        assert [getattr(rig.peers[0].core.shown, c) for c in game.types.counters] == handles
        before[rig.peers[0].core.place.seq] = known(rig)
        rig.step()
    assert undone > 4
    rig.peers[0].request("resign")
    rig.flush()
    ended_well(rig)
    assert once(signed) and once(derived)


@pytest.mark.parametrize("name", ["line3", "line4", "wec in a crowd"])
def test_veil_8_undo_to_every_place_it_may_lead_to(name: str) -> None:
    game, seed, options, _ = GAMES[name]
    played = Rig(game, seed, options)
    played.play(20)
    places = targets(played)
    assert len(places) > 2
    for target in places:
        rig = Rig(game, seed, options)
        rig.shares_audit = True
        stood: list[bytes] = []
        while rig.peers[0].core.place.seq < played.peers[0].core.place.seq:
            if rig.peers[0].core.place.seq == target:
                stood = known(rig)
            rig.step()
        take_back(rig, 0, target)
        assert known(rig) == stood
        assert rig.peers[0].core.floor() == (game.to_act(rig.peers[0].core.shown))
        rig.play(3)
        rig.peers[1].request("resign")
        rig.flush()
        ended_well(rig)


def test_veil_8_what_asked_something_goes_back_with_its_turn() -> None:
    """A shot at Black's line asks White's machine; a veiled dive asks by blind lookup."""
    rig = Rig(crowd(), 3)
    for _, action in (SHOT, DIVE):
        rig.peers[0].act(action)
        rig.flush()
        assert rig.peers[0].undo_target == 1
        assert targets(rig) == [1]
    take_back(rig, 0)
    assert rig.peers[0].undo_target is None
    rig.peers[0].act(DIVE[1])
    rig.flush()
    assert not rig.stopped() and len(set(rig.entries(0))) == len(rig.entries(0))


def test_veil_8_a_target_that_is_none_is_asked_by_nobody() -> None:
    rig = Rig(line(3), 8, {"turns": 30})
    rig.play(8)
    core = rig.peers[0].core
    for target in set(range(-1, core.place.seq + 3)) - set(targets(rig)):
        rig.peers[0].request("undo", target)
    rig.flush()
    assert not any(isinstance(told, Offered) for told in rig.told[1])


def test_veil_8_no_undo_in_a_competitive_match_or_after_the_result() -> None:
    rig = Rig(WEC, 3, {"competitive": True})
    rig.play(4)
    assert targets(rig) == [] and rig.peers[0].undo_target is None
    rig = Rig(line(2), 5)
    rig.play(4)
    assert targets(rig)
    rig.peers[0].request("resign")
    rig.flush()
    assert targets(rig) == [] and rig.peers[0].undo_target is None


def test_veil_8_undo_needs_every_seat() -> None:
    rig = Rig(line(3), 8, {"turns": 30})
    rig.play(6)
    target = targets(rig)[-1]
    before = known(rig)
    for seat in (1, 0):
        rig.peers[seat].request("undo", target)
        rig.flush()
        assert known(rig) == before
    rig.peers[2].request("undo", targets(rig)[0])  # asks for another one instead
    rig.flush()
    assert known(rig) == before
    rig.peers[2].request("undo", target)
    rig.flush()
    assert all(Consented("undo", target) in told for told in rig.told)


def test_veil_8_who_declines_is_not_asked_again_at_once() -> None:
    rig = Rig(line(2), 5, {"turns": 30})
    rig.play(5)
    asker = rig.peers[0].core.timeline._played[-1].author
    target = rig.peers[asker].undo_target
    assert target is not None
    for _ in range(2):
        rig.peers[asker].request("undo", target)
        rig.flush()
        rig.peers[1 - asker].decline("undo")
        rig.flush()
        assert rig.peers[asker].pending == rig.peers[1 - asker].pending == []
    assert rig.told[1 - asker].count(Offered(asker, "undo", target)) == 1
    assert rig.told[asker].count(Declined(1 - asker, "undo")) == 2


def test_veil_8_an_action_declines_it() -> None:
    rig = Rig(line(2), 5, {"turns": 30})
    while rig.peers[0].core.floor() != (1,) or rig.peers[0].undo_target is None:
        rig.step()
    rig.peers[0].request("undo", rig.peers[0].undo_target)
    rig.flush()
    rig.step()
    assert Declined(1, "undo") in rig.told[0]
    assert all(peer.pending == [] for peer in rig.peers)


def test_a_machine_that_starts_from_its_journal_after_an_undo_is_where_it_was() -> None:
    rig = Rig(line(3), 8, {"turns": 30})
    for _ in range(3):
        rig.play(5)
        take_back(rig, 0, targets(rig)[len(targets(rig)) // 2])
        for seat, peer in enumerate(rig.peers):
            loaded = rig.load(seat)
            assert canonical(loaded.core.view) == canonical(peer.core.view)
            assert loaded.core.place.head == peer.core.place.head
            assert targets(rig) == [s for s in range(loaded.core.place.seq)
                                    if loaded.core.may_undo(s)]  # fmt: skip


def test_events_taken_back_are_not_told_from_the_file() -> None:
    """Those that a program is given at the end of a file fold to what stands there."""
    rig = Rig(crowd(), 4)
    rig.play(9)
    take_back(rig, 0, targets(rig)[-1])
    rig.play(4)
    peer = rig.peers[0]
    core = Core(rig.game, rig.opening, peer.id, 0, peer.core._hand)
    for entry in rig.entries(0)[1:]:
        core.feed(entry, again=True)
    told = core.drain()
    state = rig.game.view(rig.game.start({}, "", peer.id), 0)
    for event in told:
        state = rig.game.apply(state, event)
    assert known(rig)[0] == canonical(plain(rig.game, state))
    all_told = [e for one in rig.told[0] if isinstance(one, Happened) for e in one.events]
    assert len(told) < len(all_told)


def test_three_seats_with_links_of_their_own_pace_agree_on_an_undo() -> None:
    """A request that comes before the entry it names is heard once that has come."""
    rig = Rig(line(3), 8, {"turns": 30})
    rig.shares_audit = True
    rig.play(5)
    mover = rig.peers[0].core.floor()[0]
    asker, late = (seat for seat in range(3) if seat != mover)
    action = rig.choose(mover)
    rig.peers[mover].act(action)
    held: list[bytes] = []
    for effect in rig.peers[mover].drain():  # what it sends to one of the others is on its way
        if isinstance(effect, Send) and effect.seat == late:
            held.append(pack(effect.message))
        elif isinstance(effect, Send):
            rig.peers[effect.seat].received(mover, effect.message)
    target = targets(rig, asker)[-1]
    rig.peers[asker].request("undo", target)
    (asked,) = [e.message for e in rig.peers[asker].drain()
                if isinstance(e, Send) and e.seat == late
                and isinstance(e.message, RequestFrame)]  # fmt: skip
    rig.peers[late].received(asker, asked)
    assert not any(isinstance(e, Offered) for e in rig.peers[late].outbox)
    for frame in held:
        rig.peers[late].received(mover, unpack(frame))
    told = [e for e in rig.peers[late].outbox if isinstance(e, Offered)]
    assert told == [Offered(asker, "undo", target)]


@pytest.mark.parametrize("victim", [0, 1, 2])
def test_veil_8_a_crash_around_an_undo(victim: int, signed: Places, derived: Uses) -> None:
    """A machine dies before anything it writes or sends while an undo is agreed on. All come
    back to one chain, whether the undo had happened or not."""
    happened = set()
    for at in range(12):
        rig = Dying(line(3), 8, {"turns": 12})
        rig.play(6)
        target = targets(rig)[-1]
        rig.victim, rig.at = victim, at
        for seat in (1, 0, 2):
            rig.peers[seat].request("undo", target)
            rig.flush()
        if not rig.died:
            break
        rig.reconnect(*rig.random.sample(range(3), 3))
        bodies = [read_body(entry) for entry in rig.entries(0)[1:]]
        happened.add(Agreed("undo", target) in bodies)
        rig.play()
        ended_well(rig)
        assert once(signed) and once(derived), at
        signed.clear()
        derived.clear()
    assert len(happened) == 2 or victim == 2


def test_an_undo_sent_again_happens_once() -> None:
    """KNOWN_FAILURES 22."""
    rig = Rig(line(2), 5, {"turns": 12})
    rig.shares_audit = True
    rig.copies = lambda: rig.random.randint(1, 4)
    rig.play(6)
    take_back(rig, 0, targets(rig)[-1])
    frames = [f for *_, f in rig.wire if isinstance(unpack(f), RequestFrame | EntryFrame)]
    chain = [encode(entry) for entry in rig.entries(0)]
    for frame in frames[-6:]:
        for seat in range(2):
            message = unpack(frame)
            if isinstance(message, RequestFrame):
                rig.peers[seat].received(1 - seat, message)
    rig.flush()
    assert [encode(entry) for entry in rig.entries(0)] == chain
    rig.play()
    ended_well(rig)


def test_veil_8_what_was_taken_back_is_audited(tmp_path: Path) -> None:
    """The whole chain is played again: the judge stands where the machines do, and a cut in
    what was taken back shows."""
    rig = Rig(crowd(), 3)
    for _, action in (SHOT, DIVE):
        rig.peers[0].act(action)
        rig.flush()
    take_back(rig, 0)
    rig.play(3)
    rig.peers[1].request("resign")
    rig.flush()
    judgement, state = judge(rig.game, rig.entries(0))
    assert judgement.text == "clean" and judgement.judged
    assert canonical(state) == canonical(rig.peers[0].core.shown)
    gone = [entry for at, entry in enumerate(rig.entries(0)) if at != 2]
    assert judge(rig.game, gone)[0].finding is not None
