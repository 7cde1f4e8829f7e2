"""Machines that do not follow the protocol: each tells one lie, and is honest otherwise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from cloakboard.engine.game import Game, Resolution
from cloakboard.engine.probes import Form, Probe
from cloakboard.netplay.lockstep.match import Match
from cloakboard.netplay.transcript import Header, Request, TaggedBody, encode, sign_entry
from cloakboard.netplay.wire import EntryFrame

Tamper = Callable[["Liar", Any], Any]  # of a body about to be signed; the same if it is left


class Lying:
    """A game that gives some false results. `lies` of a method: (arguments, true result) to the
    result given; of `claim`: (probe) to the value claimed; of `asks`: (state, seat, action) to a
    probe that no rule asks there, or None."""

    def __init__(self, game: Game, lies: dict[str, Callable[..., Any]]) -> None:
        self._game = game
        self._lies = lies
        self.told = 0

    def __getattr__(self, name: str) -> Any:
        honest, lie = getattr(self._game, name), self._lies.get(name)
        if name == "resolve" and "claim" in self._lies:
            return self._claiming
        if name == "resolve" and "asks" in self._lies:
            return self._asking
        if lie is None:
            return honest

        def lying(*args: Any) -> Any:
            truth = honest(*args) if name != "legal" else True
            said = lie(*args, truth)
            self.told += said != truth
            return said

        return lying

    def _asking(self, *args: Any) -> Resolution:
        yield from self._game.resolve(*args)
        extra = self._lies["asks"](*args)
        if extra is not None:
            self.told += 1
            yield extra

    def _claiming(self, *args: Any) -> Resolution:
        resolution, sent = self._game.resolve(*args), None
        while True:
            try:
                item = resolution.send(sent)
            except StopIteration:
                return
            if isinstance(item, Probe) and item.form is Form.CLAIM:
                said = self._lies["claim"](item)
                self.told += said != item.value  # type: ignore[attr-defined]
                item = msgspec.structs.replace(item, value=said)
            sent = yield item


class Liar(Match):
    """A seat's machine with a lying game, or one that tampers with what it writes."""

    def __init__(
        self, *args: Any, tamper: Tamper | None = None, lies: dict[str, Callable[..., Any]]
    ) -> None:
        game, *rest = args
        self.lying = Lying(game, lies)
        self.tampered = 0
        self._tamper = tamper
        super().__init__(self.lying, *rest)
        self.game = game  # its audit of itself is honest

    @property
    def has_lied(self) -> bool:
        """Whether an occasion came."""
        return bool(self.lying.told or self.tampered)

    def _write(self, body: TaggedBody, digest: bytes) -> None:
        changed = self._tamper(self, body) if self._tamper and not self.tampered else body
        self.tampered += changed != body
        super()._write(changed, digest)


class Raw(Match):
    """A seat's machine whose entries are changed when they are signed. `change` gives the
    header and body bytes to sign from those of the honest entry, once."""

    def __init__(
        self, *args: Any, change: Callable[[Raw, Header, bytes], tuple[Header, bytes]]
    ) -> None:
        self._change = change
        self.has_lied = False
        super().__init__(*args)

    def _write(self, body: TaggedBody, digest: bytes) -> None:
        if self.has_lied:
            super()._write(body, digest)
            return
        data = encode(body)
        honest = self._header(self.seat, data, digest, tuple(self.pending), 0)
        header, changed = self._change(self, honest, data)
        if (header, changed) == (honest, data):
            super()._write(body, digest)
            return
        self.has_lied = True
        entry = sign_entry(self.identity, header, changed)
        self.core.follow(entry)
        self._keep(entry)
        self._broadcast(EntryFrame(encode(entry)))


def liar(tamper: Tamper | None = None, **lies: Callable[..., Any]) -> Callable[..., Liar]:
    """A maker of machines for `Rig(machine={seat: ...})`."""
    return lambda *args: Liar(*args, tamper=tamper, lies=lies)


def raw(change: Callable[[Raw, Header, bytes], tuple[Header, bytes]]) -> Callable[..., Raw]:
    """The same for a change of signed bytes."""
    return lambda *args: Raw(*args, change=change)


def part(kind: type[Any], change: Callable[[Any], Any]) -> Tamper:
    """A tamper that changes the first part of a kind for which `change` gives another one."""

    def tamper(match: Liar, body: Any) -> Any:
        parts = list(getattr(body, "parts", ()))
        for index, one in enumerate(parts):
            if type(one) is kind and (other := change(one)) != one:
                parts[index] = other
                return msgspec.structs.replace(body, parts=tuple(parts))
        return body

    return tamper


def forged(request: Request) -> Callable[[Raw, Header, bytes], tuple[Header, bytes]]:
    """A change that takes in one request more."""
    return lambda match, header, body: (
        msgspec.structs.replace(header, requests=(*header.requests, request)),
        body,
    )
