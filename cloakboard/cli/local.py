"""Commands for matches on this machine alone: play GAME, show of a match as text, scenarios."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cloakboard.assets import scenarios as assets
from cloakboard.cli.closing import outcome, summary
from cloakboard.cli.exits import CLEAN
from cloakboard.engine import registry
from cloakboard.engine.ai import dice
from cloakboard.engine.errors import EngineError, Malformed
from cloakboard.engine.game import Game, State
from cloakboard.engine.options import written
from cloakboard.engine.scenario import Scenario
from cloakboard.engine.table import Record, Table
from cloakboard.netplay.files import replace_file

TEXT_LIMIT: Final = 32 << 20  # bytes of a match as text
READABLE: Final = 0o644
EMPTY: Final = Scenario("", "", {}, "")


@dataclass(frozen=True, slots=True)
class Asked:
    """What the arguments of `play GAME` say. `path`: where the match goes as text, if anywhere."""

    options: Mapping[str, Any]
    setup: str
    bot: str
    seed: int
    max_turns: int
    path: Path | None


def scenario(game_id: str, asked: str) -> Scenario:
    """The scenario of that name, or in that file; the standard game if nothing is asked for.

    Raises `EngineError` that names the scenarios there are.
    """
    if not asked:
        return EMPTY
    if asked in assets.names(game_id):
        return registry.scenario(game_id, assets.text(game_id, asked))
    path = Path(asked)
    if path.suffix == assets.SUFFIX:
        return registry.scenario(game_id, _read(path))
    known = ", ".join(assets.names(game_id))
    ways = f"choose one of: {known}; or a file {assets.SUFFIX}" if known else "leave it out"
    raise EngineError(f"there is no scenario {asked!r} of {game_id}; {ways}")


def scenarios(game_id: str) -> int:
    """Prints every scenario of a game with what it teaches."""
    title = registry.game(game_id).title
    if not assets.names(game_id):
        print(f"cloakboard: {title} has no scenarios of its own", file=sys.stderr)
    for name in assets.names(game_id):
        found = registry.scenario(game_id, assets.text(game_id, name))
        print(f"{name}: {found.title}. {found.teaches}")
        if found.options:
            changes = ", ".join(f"{key}={written(one)}" for key, one in found.options.items())
            print(f"  {changes}")
    return CLEAN


def play(game: Game, asked: Asked) -> int:
    """Lets computer players play one match, and prints a line at the end of each Turn. Stopped
    from the keyboard, it keeps what was played."""
    if asked.path is not None and not asked.path.resolve().parent.is_dir():
        raise EngineError(f"{asked.path} cannot be written: there is no such folder")
    notation = None if asked.path is None else registry.notation(game.id)
    table = Table(game, asked.options, asked.setup, str(asked.seed).encode())
    turns = _Turns(table)
    try:
        while table.to_act:
            if 0 < asked.max_turns <= game.turn(table.state):
                for seat in range(game.seats):
                    table.offer_draw(seat)
            else:
                _act(table, asked.seed)
            turns.tell()
    except KeyboardInterrupt:
        print("cloakboard: stopped", file=sys.stderr)
    if notation is not None and asked.path is not None:
        text = notation.write(table, (asked.bot, asked.bot))
        try:
            replace_file(asked.path, text.encode(), READABLE)
        except OSError as error:
            raise EngineError(f"{asked.path} cannot be written: {error.strerror}") from error
    print(f"result: {outcome(game, table.result)} {summary(game, table.state)}", flush=True)
    return CLEAN


def _act(table: Table, seed: int) -> None:
    """One action of the first seat that may act, as its bot chooses."""
    seat = table.to_act[0]
    chosen = sum(record.seat == seat and not record.forced for record in table.log)
    action = dice.choose(table.game, table.view(seat), seat, seed, chosen)
    if action is None:
        raise EngineError("the computer player finds no legal action")
    table.act(seat, action)


def is_text(path: Path) -> bool:
    """Whether a file begins as a match in notation does. A file that cannot be read is none."""
    try:
        with path.open("rb") as stream:
            return stream.read(64).lstrip().startswith(b"[")
    except OSError:
        return False


def show(path: Path, seat: int | None, every_turn: bool) -> int:
    """Prints the position a match in notation has come to: all of it, or as a seat sees it; and
    the digest of what is public, at every Turn if asked for."""
    text = _read(path)
    try:
        game = registry.game_of_text(text)
    except EngineError as error:
        raise Malformed(f"{path}: {error}") from error
    if seat is not None and not 0 <= seat < game.seats:
        raise Malformed(f"there is no seat {seat}; choose 0 to {game.seats - 1}")
    try:
        table = registry.notation(game.id).replay(text)
    except EngineError as error:
        raise Malformed(f"{path}: {error}") from error
    print(game.text(table.state if seat is None else table.view(seat)))
    if every_turn:
        _Turns(table).tell()
    print(summary(game, table.state))
    return CLEAN


class _Turns:
    """Prints how many Turns are completed, and the digest, at the end of each."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._state: State = table.game.start(table.options, table.setup, table.seed)
        self._told = 0  # records

    def tell(self) -> None:
        """What came since the last call."""
        fresh: Iterable[Record] = self._table.log[self._told :]
        game = self._table.game
        for record in fresh:
            self._told += 1
            before = game.turn(self._state)
            for event in record.events:
                self._state = game.apply(self._state, event)
            if game.turn(self._state) > before:
                print(summary(game, self._state), flush=True)


def _read(path: Path) -> str:
    """The text of a file. Raises `EngineError`."""
    try:
        with path.open("rb") as stream:
            data = stream.read(TEXT_LIMIT + 1)
    except OSError as error:
        raise EngineError(f"{path} cannot be read: {error.strerror}") from error
    if len(data) > TEXT_LIMIT:
        raise Malformed(f"{path} is longer than {TEXT_LIMIT >> 20} MiB, which no match is")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Malformed(f"{path} is not text in UTF-8: byte {error.start} does not fit") from error
