"""Whole Turns of WEC between two machines, and the audit of them, beside the work on the curve
that they cannot do without: the multiplications of the lookups, and the entries' signatures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from time import process_time
from typing import Any, Final
from unittest.mock import patch

from nacl.bindings import (
    crypto_scalarmult_ed25519_base_noclamp,
    crypto_scalarmult_ed25519_noclamp,
)

from cloakboard.engine import registry
from cloakboard.engine.game import Action
from cloakboard.netplay import transcript
from cloakboard.netplay.identity import Identity, verify
from cloakboard.netplay.lockstep.judge import judge
from cloakboard.netplay.veil import group
from tests.bench.timing import pair, summed_up
from tests.netplay.rig import Rig, identity

TURNS: Final = 20
SEED: Final = 3
AUDITS: Final = 3

FACTOR: Final = group.scalar(b"f" * 64)._data
POINT: Final = group.hash_to_point("bench", 1).data
SIGNER: Final = identity(0)
SIGNED: Final = ("bench", b"x" * 200)
SIGNATURE: Final = SIGNER.sign(*SIGNED)

# What the protocol calls, where it does, and the same without it.
Work = Callable[[], object]
BARE: Final[Mapping[str, Work]] = {
    "multiplications": lambda: crypto_scalarmult_ed25519_noclamp(FACTOR, POINT),
    "of the generator": lambda: crypto_scalarmult_ed25519_base_noclamp(FACTOR),
    "signatures": lambda: SIGNER.sign(*SIGNED),
    "checks of one": lambda: verify(SIGNER.key, *SIGNED, SIGNATURE),
}
CALLS: Final[Mapping[str, tuple[Any, str]]] = {
    "multiplications": (group, "crypto_scalarmult_ed25519_noclamp"),
    "of the generator": (group, "crypto_scalarmult_ed25519_base_noclamp"),
    "signatures": (Identity, "sign"),
    "checks of one": (transcript, "verify"),
}


class Timed(Rig):
    """Random play, `chosen_s` seconds of which went into choosing."""

    chosen_s = 0.0

    def choose(self, seat: int) -> Action | None:
        start = process_time()
        action = super().choose(seat)
        self.chosen_s += process_time() - start
        return action


def run() -> Iterator[str]:
    """One line for play, one for the audit."""
    wec = registry.game("wec")
    rig = Timed(wec, SEED)
    actions = 0
    needed: Counter[str] = Counter()
    spent: list[tuple[float, float]] = []
    for turn in range(TURNS + 1):
        rig.chosen_s = 0.0
        with counted() as counts:
            start = process_time()
            while wec.turn(rig.peers[0].core.shown) == turn and rig.step():
                actions += 1
            whole = process_time() - start - rig.chosen_s
        if turn:  # the first one fills the tables that all later ones use
            needed.update(counts)
            spent.append((whole / 2, bare(counts) / 2))
    play = summed_up(spent)
    rest_ms = (play.left - play.right) * 1000
    yield (
        f"turns: {play.left * 1000:.1f} ms a Turn on each machine ({actions / TURNS:.1f} actions), "
        f"{play.ratio:.2f}x its {told(needed, 2 * TURNS)}; {rest_ms:.1f} ms beside them"
    )
    for peer in rig.peers:
        peer.request("draw")
    rig.flush()
    entries = rig.entries(0)
    with counted() as counts:
        assert judge(wec, entries)[0].text == "clean"
    audit = pair(lambda: judge(wec, entries), lambda: bare(counts), AUDITS)
    turns = TURNS + 1
    yield (
        f"turns audit: {audit.left / turns * 1000:.1f} ms a Turn, "
        f"{audit.ratio:.2f}x its {told(counts, turns)}; 200 Turns in "
        f"{audit.left / turns * 200:.1f} s"
    )


@contextmanager
def counted() -> Iterator[Counter[str]]:
    """How often each of `CALLS` is called while it lasts."""
    counts: Counter[str] = Counter()

    def counting(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any) -> Any:
            counts[name] += 1
            return call(*args)

        return counted

    patches = [
        patch.object(owner, call, counting(name, getattr(owner, call)))
        for name, (owner, call) in CALLS.items()
    ]
    for one in patches:
        one.start()
    try:
        yield counts
    finally:
        for one in patches:
            one.stop()


def bare(counts: Counter[str]) -> float:
    """Seconds that as many calls take by themselves."""
    start = process_time()
    for name, count in counts.items():
        work = BARE[name]
        for _ in range(count):
            work()
    return process_time() - start


def told(counts: Counter[str], parts: int) -> str:
    """The calls of one part."""
    return ", ".join(f"{counts[name] / parts:.0f} {name}" for name in BARE if counts[name])
