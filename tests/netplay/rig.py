"""Matches between peers in one process: synchronous delivery, hand-turned clock, no disk."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from cloakboard.engine.game import Action, Game
from cloakboard.netplay.identity import Identity
from cloakboard.netplay.lockstep import journal
from cloakboard.netplay.lockstep.effects import Audit, Effect, Send, Stopped, Write
from cloakboard.netplay.lockstep.judge import Judgement, judge
from cloakboard.netplay.lockstep.match import Match
from cloakboard.netplay.room_settings import settings
from cloakboard.netplay.transcript import (
    ALL_SEATS,
    NO_HASH,
    VERSION,
    Entry,
    Header,
    Opening,
    SeatOpening,
    body_hash,
    encode,
    header_hash,
    read_entry,
    sign_joint,
)
from cloakboard.netplay.veil.blind import Hand
from cloakboard.netplay.veil.chain import Chain
from cloakboard.netplay.veil.seal import box_public
from cloakboard.netplay.veil.secrets import Secret
from cloakboard.netplay.wire import Message, pack, unpack


def identity(seat: int) -> Identity:
    """A fixed identity a seat."""
    return Identity(bytes([seat + 1]) * 32)


def secret(seat: int, salt: int = 0) -> Secret:
    """A fixed secret a seat."""
    return Secret(bytes([seat + 101, salt]) * 16)


def opening_entry(
    game: Game,
    options: Mapping[str, Any] | None = None,
    setup: str = "",
    salt: int = 0,
    room: Mapping[str, Any] | None = None,
) -> tuple[Entry, Opening]:
    """Entry 0 signed by all seats."""
    nonce = bytes([salt]) * 32
    seats = tuple(
        SeatOpening(
            key=identity(seat).key,
            name=f"player {seat}",
            box=box_public(secret(seat, salt).prepare(nonce, seat)),
            commitment=secret(seat, salt).prepare(nonce, seat).commitment(),
            sealed=b"",
            tip=Chain(secret(seat, salt).prepare(nonce, seat)).tip,
        )
        for seat in range(game.seats)
    )
    agreed = game.options.complete(options or {})
    opening = Opening(
        version=VERSION,
        app="test",
        game=game.id,
        rules_version=game.rules_version,
        options=tuple(sorted(agreed.items())),
        setup=setup,
        room=settings(room or {}),
        nonce=nonce,
        seats=seats,
    )
    body = encode(opening)
    header = Header(VERSION, NO_HASH, 0, 0, ALL_SEATS, NO_HASH, NO_HASH, 0, (), body_hash(body))
    signatures = tuple(sign_joint(identity(seat), header) for seat in range(game.seats))
    return Entry(header, body, signatures), opening


class Rig:
    """All peers of one match. `files[seat]`: the records its journal holds; `wire`: every
    frame in order as (from, to, bytes)."""

    shares_audit = False

    def __init__(
        self,
        game: Game,
        seed: int = 0,
        options: Mapping[str, Any] | None = None,
        setup: str = "",
        machine: Callable[..., Match] | Mapping[int, Callable[..., Match]] = Match,
        room: Mapping[str, Any] | None = None,
    ) -> None:
        self.game = game
        self.machine = machine
        self.entry, self.opening = opening_entry(game, options, setup, seed % 251, room)
        self.salt = seed % 251
        self.files: list[list[tuple[bytes, bytes]]] = [
            [(journal.ENTRY, encode(self.entry))] for _ in range(game.seats)
        ]
        self.wire: list[tuple[int, int, bytes]] = []
        self.queue: deque[tuple[int, int, bytes]] = deque()
        self.told: list[list[Effect]] = [[] for _ in range(game.seats)]
        self.random = random.Random(seed)
        self.copies: Callable[[], int] = lambda: 1  # how often the next frame arrives
        self._judgement: Judgement | None = None
        self.peers = [self.load(seat) for seat in range(game.seats)]
        for peer in self.peers:
            peer.begin()
        self.flush()

    def load(self, seat: int) -> Match:
        """A machine that starts from its journal alone."""
        entries = [read_entry(data) for kind, data in self.files[seat] if kind == journal.ENTRY]
        hand = Hand(secret(seat, self.salt), self.opening, header_hash(self.entry.header), seat)
        machine = self.machine
        make = machine.get(seat, Match) if isinstance(machine, Mapping) else machine
        return make(self.game, identity(seat), entries, seat, hand, lambda: 0)

    def carry_out(self, seat: int) -> None:
        """Does what one peer's outbox says."""
        for effect in self.peers[seat].drain():
            if isinstance(effect, Write):
                self.files[seat].append((effect.kind, effect.payload))
            elif isinstance(effect, Send):
                self.send(seat, effect.seat, effect.message)
            elif isinstance(effect, Audit):
                self.peers[seat].judged(self.audit(effect))
                self.carry_out(seat)
            else:
                self.told[seat].append(effect)

    def audit(self, effect: Audit) -> Judgement:
        """One audit serves all peers if they share it, where it is not what is tested."""
        if self._judgement is None or not self.shares_audit:
            self._judgement = judge(self.game, effect.entries)[0]
        return self._judgement

    def send(self, source: int, target: int, message: Message) -> None:
        if target in self.peers[source].connected:
            frame = pack(message)
            self.wire.append((source, target, frame))
            self.queue.extend([(source, target, frame)] * self.copies())

    def flush(self) -> None:
        """Delivers everything, and what follows from it."""
        for seat in range(self.game.seats):
            self.carry_out(seat)
        while self.queue:
            source, target, frame = self.queue.popleft()
            self.peers[target].received(source, unpack(frame))
            self.carry_out(target)

    def cut(self) -> None:
        """All links break, with what is under way."""
        self.queue.clear()
        for peer in self.peers:
            for other in peer.others:
                peer.disconnect(other)

    def crash(self, seat: int) -> None:
        """A machine dies with what it has not written, and starts from its journal; the links
        break."""
        self.peers[seat].outbox.clear()
        self.cut()
        self.peers[seat] = self.load(seat)

    def reconnect(self, *order: int) -> None:
        """All links are back; the machines notice in that order."""
        for seat in order or range(self.game.seats):
            self.peers[seat].reconnect()
            self.carry_out(seat)
        self.flush()

    def write(self, seat: int, path: Path) -> Path:
        """The journal of a seat as a file on the disk."""
        meta = journal.Meta("test", self.game.id, self.game.rules_version, seat, 0)
        file = journal.Journal.create(path, meta)
        for kind, payload in self.files[seat]:
            file.append(kind, payload)
        file.close()
        return path

    def choose(self, seat: int) -> Action | None:
        """A random legal action: its class first, so that no class drowns the others."""
        peer = self.peers[seat]
        classes: dict[str, list[Action]] = {}
        for count, action in enumerate(self.game.actions(peer.core.view, seat)):
            classes.setdefault(type(action).__name__, []).append(action)
            if count > 600:
                break
        if not classes:
            return None
        return self.random.choice(classes[self.random.choice(sorted(classes))])

    def step(self) -> bool:
        """One chosen action of whoever may act; False if nobody may."""
        for seat, peer in enumerate(self.peers):
            if peer.may_act:
                action = self.choose(seat)
                assert action is not None, "a seat may act and cannot"
                peer.act(action)
                self.flush()
                return True
        return False

    def play(self, most: int = 100_000) -> int:
        """Plays on at random; the number of actions."""
        count = 0
        while count < most and self.step():
            count += 1
        return count

    def stopped(self) -> list[Stopped]:
        """Every peer's finding in play."""
        return [effect for told in self.told for effect in told if isinstance(effect, Stopped)]

    def entries(self, seat: int) -> list[Entry]:
        """The chain as that seat's journal holds it."""
        return [read_entry(data) for kind, data in self.files[seat] if kind == journal.ENTRY]

    def refused(self, seat: int) -> list[Entry]:
        """The evidence that seat's journal holds."""
        return [read_entry(data) for kind, data in self.files[seat] if kind == journal.REFUSED]


class Dying(Rig):
    """A rig whose peer `victim` dies before it carries out its effect number `at` (from 0): what
    it had still to write or send is lost. `effects` counts the writes and frames."""

    shares_audit = True
    victim, at = -1, -1
    effects = 0
    died = False

    def carry_out(self, seat: int) -> None:
        if seat != self.victim or self.died:
            super().carry_out(seat)
            return
        for effect in self.peers[seat].drain():
            if isinstance(effect, Write | Send):
                if self.effects == self.at:
                    self.died = True
                    self.crash(seat)
                    return
                self.effects += 1
            self.peers[seat].outbox.append(effect)
            super().carry_out(seat)
