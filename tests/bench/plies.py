"""Plies a second, from the action to the digest of the state after it, beside python-chess."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import chess

from cloakboard.engine import registry
from cloakboard.engine.codec import state_digest
from cloakboard.engine.drive import drive, full_answer
from cloakboard.engine.game import Answer, Game, State
from cloakboard.engine.probes import Form, Probe
from cloakboard.engine.table import Record
from tests.bench.timing import pair
from tests.play import Dice, random_game

ROUNDS: Final = 15
GAMES: Final = 3
ACTIONS: Final = 60  # chosen ones a game; forced ones come on top


def run() -> Iterator[str]:
    """One line: random games of WEC played again, and random games of chess."""
    wec = registry.game("wec")
    start = wec.start(wec.options.complete({}))
    logs = [random_game(wec, seed, ACTIONS).log for seed in range(GAMES)]
    lines = [_chess_line(Dice(seed), len(log)) for seed, log in enumerate(logs)]
    count = sum(map(len, logs))

    def ours() -> None:
        for log in logs:
            state = start
            for record in log:
                state = _played(wec, state, record)
                state_digest(wec, state)

    def theirs() -> None:
        for line in lines:
            board = chess.Board()
            for move in line:
                board.push(move)
                list(board.legal_moves)

    spent = pair(ours, theirs, ROUNDS)
    yield (
        f"plies: {count / spent.left:,.0f} a second through resolve, apply and digest; "
        f"python-chess {count / spent.right:,.0f} through push and legal moves: "
        f"{1 / spent.ratio:.2f}x as many"
    )


def _played(game: Game, state: State, record: Record) -> State:
    """The state after an action, with the draws it had."""
    drawn = iter([e.answer for e in record.exchanges if e.probe.form is Form.DRAW])

    def ask(at: State, probe: Probe) -> Answer:
        return full_answer(game, at, probe, lambda: next(drawn))

    return drive(game, state, record.seat, record.action, ask).state


def _chess_line(dice: Dice, plies: int) -> list[chess.Move]:
    """Random legal moves; a finished game starts again from the last position that was not."""
    board, line = chess.Board(), list[chess.Move]()
    while len(line) < plies:
        moves = list(board.legal_moves)
        if not moves:
            board.pop()
            line.pop()
            continue
        line.append(dice.choose(moves))
        board.push(line[-1])
    return line
