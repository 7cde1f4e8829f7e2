"""A match in the weather of one seed, and what must be true when it is over."""

from __future__ import annotations

import os
import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from unittest.mock import patch

from cloakboard.engine.game import Game
from cloakboard.netplay.errors import NetplayError
from cloakboard.netplay.links.greeting import Begun
from cloakboard.netplay.lockstep import journal, saves
from cloakboard.netplay.lockstep.effects import Audit
from cloakboard.netplay.lockstep.judge import Judgement, judge
from cloakboard.netplay.transcript import (
    Agreed,
    Entry,
    Verdict,
    encode,
    header_hash,
    read_body,
    sign_joint,
)
from cloakboard.netplay.veil.opening import compose, joint_entry, lay_down, opening_header
from tests.netplay.rig import identity
from tests.netplay.watch import derivations, kept, signatures
from tests.weather.edge import House, live_through
from tests.weather.forecast import GAMES, Forecast, forecast
from tests.weather.machine import Machine
from tests.weather.sky import Sky

NONCE: Final = bytes(32)


@dataclass
class Run:
    """What came of a seed. `agreed`: what all seats consented to, by kind; `ends`: why it ended;
    `secrets`: those that served, each once.
    `problems`: what must not be, in words; none in a good run."""

    seed: int
    game: str
    faults: Counter[str]
    agreed: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    entries: int = 0
    secrets: int = 0
    epochs: int = 0
    trace: str = ""
    problems: list[str] = field(default_factory=list)


def simulate(game: str, seed: int, edge: bool = False) -> Run:
    """One match; `edge`: with the links and timeouts of real ones."""
    with tempfile.TemporaryDirectory() as scratch, _same_each_time(seed):
        with signatures() as places, derivations() as uses:
            run = (_simulate_edge if edge else _simulate)(game, seed, Path(scratch))
            files = [journal.read(path) for path in Path(scratch).rglob(f"*{journal.SUFFIX}")]
        run.problems += [
            f"seat {place[-1]} signed {len(signed)} entries for place {place[2]}"
            for place, signed in places.items()
            if len(signed) > 1
        ]
        entries = {entry for file in files for entry in (*file.entries, *file.refused)}
        written = kept(uses, entries)
        run.secrets = sum(map(bool, written.values()))
        run.problems += [
            f"one secret served {len(used)} times as {use[0]} of seat {use[2]}"
            for use, used in written.items()
            if len(used) > 1
        ]
        return run


def _simulate_edge(name: str, seed: int, folder: Path) -> Run:
    game, plan = GAMES[name][0](), forecast(name, seed)
    houses, faults = live_through(plan, seed, game, _begin(game, plan), folder)
    run = Run(seed, name, faults)
    run.problems += [problem for house in houses for problem in house.problems]
    _check(run, game, houses)
    return run


def _simulate(name: str, seed: int, folder: Path) -> Run:
    game, plan = GAMES[name][0](), forecast(name, seed)
    sky = Sky(plan, seed)
    court = _Court(game)
    begun = _begin(game, plan)
    machines = []
    for seat in range(game.seats):
        meta = journal.Meta("test", game.id, game.rules_version, seat, 0)
        own = Begun(begun.entry, begun.opening, begun.match, seat)
        opened = saves.create(folder / str(seat), game, identity(seat), own, meta)
        opened.journal.close()
        path, games = opened.journal.path, {game.id: game}
        machines.append(Machine(sky, seed, identity(seat), games, path, seat, court.judgement))
    sky.machines = machines
    for machine in machines:
        machine.start()
    run = Run(seed, name, sky.faults)
    try:
        sky.turn(lambda: all(machine.is_done for machine in machines))
    except Exception as error:
        run.problems.append(f"a program failed: {type(error).__name__}: {error}")
    run.trace = sky.trace.hexdigest()
    if not all(machine.is_done for machine in machines):
        run.problems.append("the match did not end for all")
    for machine in machines:
        run.problems += [f"seat {machine.seat} would not take: {f}" for f in machine.faults]
        run.problems += [f"seat {machine.seat} accused {s.seat}: {s.text}" for s in machine.accused]
    _check(run, game, machines)
    return run


def _begin(game: Game, plan: Forecast) -> Begun:
    options = GAMES[plan.game][1]
    room = {"move_seconds": plan.move_seconds, "grace_seconds": 2}
    laid = tuple(lay_down(identity(seat), f"p{seat}", NONCE, seat) for seat in range(game.seats))
    opening = compose(game, "test", options, "", NONCE, laid, room)
    header = opening_header(opening)
    signatures = tuple(sign_joint(identity(seat), header) for seat in range(game.seats))
    return Begun(joint_entry(opening, signatures), opening, header_hash(header), 0)


class _Court:
    """One audit a chain: it is a function of the chain alone, and takes long."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._known: dict[tuple[bytes, ...], Judgement] = {}

    def judgement(self, effect: Audit) -> Judgement:
        key = tuple(map(encode, effect.entries))
        if key not in self._known:
            self._known[key] = judge(self._game, effect.entries)[0]
        return self._known[key]


def _check(run: Run, game: Game, machines: Sequence[Machine | House]) -> None:
    problems = run.problems
    if not any(machine.is_done for machine in machines):
        problems.append("the match did not end")
        return
    chains = [_read(machine.path, problems) for machine in machines]
    whole = max(chains, key=len)
    for machine, chain in zip(machines, chains, strict=True):
        lacks = [read_body(entry) for entry in whole[len(chain) :]]
        if chain != whole[: len(chain)]:
            problems.append("the machines came to different ends")
            return
        if any(not isinstance(body, Verdict) for body in lacks):
            problems.append("the match did not end")
            return
        # Who has all may be gone before the others have: friends' records bring them the rest.
        run.faults["last word lost"] += not machine.is_done
    cores = [machine.match.core for machine in machines]
    if len({(str(core.result), core.digest()) for core in cores}) > 1:
        problems.append("the machines came to different ends")
        return
    bodies = [read_body(entry) for entry in whole[1:]]
    run.agreed.update(body.kind for body in bodies if isinstance(body, Agreed))
    run.ends.update(core.result.reason for core in cores[:1] if core.result)
    run.entries, run.epochs = len(whole), cores[0].place.epoch
    try:
        found, _ = saves.verify_file(machines[chains.index(whole)].path, {game.id: game})
    except NetplayError as error:
        problems.append(f"the save does not verify: {error}")
        return
    if found.text != "clean" or not found.judged:
        problems.append(f"the save is judged: {found.text}")
    cut = random.Random(run.seed).randrange(1, len(whole))
    early = judge(game, whole[:cut])[0]
    if early.finding is not None:
        problems.append(f"the file's first {cut} entries are judged: {early.text}")


def _read(path: Path, problems: list[str]) -> tuple[Entry, ...]:
    contents = journal.read(path)
    if contents.refused or contents.damaged:
        problems.append(f"{path.parent.name} keeps refused entries or damage at its end")
    return contents.entries


@contextmanager
def _same_each_time(seed: int) -> Iterator[None]:
    """What comes from the operating system comes from the seed. Nothing waits for the disk: a
    program that is killed loses nothing that it has handed over."""
    source = random.Random(f"system/{seed}")
    with patch.object(os, "urandom", source.randbytes), patch.object(os, "fsync", lambda _: None):
        yield
