"""A blind lookup against the scalar multiplications it cannot do without (VEIL 5, 11)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from nacl.bindings import (
    crypto_scalarmult_ed25519_base_noclamp,
    crypto_scalarmult_ed25519_noclamp,
)

from cloakboard.netplay.veil import group, lookup
from cloakboard.netplay.veil.secrets import Secret
from tests.bench.timing import pair

POINTS: Final = 100
ROWS: Final = 24
LABEL_BYTES: Final = 32
KEYS: Final = tuple(range(60, 100))
ENTRIES: Final = {key: bytes([key]) * LABEL_BYTES for key in range(70, 86)}
ROUNDS: Final = 15

MATCH: Final = b"M" * 32
ASKER: Final = Secret(b"A" * 32).bind(MATCH, 0)
OWNER: Final = Secret(b"O" * 32).bind(MATCH, 1)
CTX: Final = lookup.Context(1, MATCH, 0, 1, "sight", 0, 1, b"P" * 32)


def run() -> Iterator[str]:
    """One line each for play and audit: cost, and ratio to the bare multiplications."""
    group.prepare(CTX.kind, range(300))
    asked = lookup.ask(ASKER, CTX, KEYS, POINTS)
    factor = group.scalar(b"f" * 64)._data
    point = asked[0].data

    def play() -> None:
        question = lookup.ask(ASKER, CTX, KEYS, POINTS)
        answer = lookup.reply(OWNER, CTX, question, ENTRIES, ROWS, LABEL_BYTES)
        lookup.read(ASKER, CTX, KEYS, POINTS, question, answer, ROWS, LABEL_BYTES)

    def audit() -> None:
        question = lookup.expected_query(ASKER, CTX, KEYS, POINTS)
        lookup.expected_reply(OWNER, ASKER, CTX, KEYS, question, ENTRIES, ROWS, LABEL_BYTES)

    def bare(full: int, base: int) -> Callable[[], None]:
        def multiply() -> None:
            for _ in range(full):
                crypto_scalarmult_ed25519_noclamp(factor, point)
            for _ in range(base):
                crypto_scalarmult_ed25519_base_noclamp(factor)

        return multiply

    dummies = POINTS - len(KEYS)
    cases = (
        ("play", play, 3 * POINTS + ROWS, 0),
        ("audit", audit, 2 * len(KEYS) + len(ENTRIES), 2 * dummies + 1),
    )
    for name, whole, full, base in cases:
        spent = pair(whole, bare(full, base), ROUNDS)
        yield (
            f"lookup {name} (P={POINTS}, Q={ROWS}): {spent.left * 1000:.1f} ms, "
            f"{spent.ratio:.2f}x its {full} multiplications"
            + (f" and {base} of the generator" if base else "")
        )
