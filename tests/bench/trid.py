"""Move generation of tri-dimensional chess against python-chess, by node counts from the start."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import process_time
from typing import Final

import chess

from cloakboard.engine import registry
from cloakboard.engine.perft import perft

DEPTH: Final = 3
ROUNDS: Final = 5


def chess_perft(board: chess.Board, depth: int) -> int:
    """Sequences of `depth` moves in ordinary chess, the last ply counted without being made."""
    if depth == 1:
        return board.legal_moves.count()
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += chess_perft(board, depth - 1)
        board.pop()
    return total


def run() -> Iterator[str]:
    """One line: nodes a second of both, the fastest of alternating rounds, and their ratio."""
    game = registry.game("trid")
    start = game.start(game.options.defaults())
    ours, theirs = _fastest(
        lambda: perft(game, start, DEPTH), lambda: chess_perft(chess.Board(), DEPTH)
    )
    yield (
        f"trid perft {DEPTH}: {ours / 1000:.0f} k nodes/s, python-chess {theirs / 1000:.0f} k,"
        f" ratio {ours / theirs:.2f}"
    )


def _fastest(*tasks: Callable[[], int]) -> list[float]:
    """Nodes a second of each task in its fastest round."""
    best = [0.0] * len(tasks)
    for _ in range(ROUNDS):
        for at, task in enumerate(tasks):
            began = process_time()
            nodes = task()
            best[at] = max(best[at], nodes / (process_time() - began))
    return best
