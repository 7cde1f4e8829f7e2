"""Legal Moves a second in WEC's opening, beside python-chess in its own."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

import chess

from cloakboard.engine.registry import game
from cloakboard.engine.wec.actions import Move
from tests.bench.timing import pair

ROUNDS: Final = 31
REPEATS: Final = 40  # enumerations a round


def run() -> Iterator[str]:
    """One line for Moves against python-chess, one for all that a seat may do."""
    wec = game("wec")
    view = wec.view(wec.start(wec.options.complete({})), 0)
    board = chess.Board()

    found = sum(isinstance(action, Move) for action in wec.actions(view, 0))
    known = board.legal_moves.count()

    def ours() -> None:
        for _ in range(REPEATS):
            list(islice(wec.actions(view, 0), found))  # they come first

    def theirs() -> None:
        for _ in range(REPEATS):
            list(board.legal_moves)

    spent = pair(ours, theirs, ROUNDS)
    rate, beside = REPEATS * found / spent.left, REPEATS * known / spent.right
    yield (
        f"moves: {found} legal Moves of WEC's opening, {rate:,.0f} a second; "
        f"python-chess {beside:,.0f} of its {known}: {found / known / spent.ratio:.2f}x as many"
    )

    def everything() -> None:
        for _ in wec.actions(view, 0):
            pass

    whole = pair(everything, everything, ROUNDS).left
    count = sum(1 for _ in wec.actions(view, 0))
    yield f"actions: all {count} of the opening, dozes included, in {whole * 1000:.1f} ms"
