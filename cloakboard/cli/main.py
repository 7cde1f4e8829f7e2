"""Which command the arguments name. Bad input is one line on stderr and exit code 2."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from cloakboard.achievements.errors import KeepingError
from cloakboard.cli import files, friends, kept, local, match, records, room, rooms, watch
from cloakboard.cli.arguments import MAX_TURNS, command_line, version
from cloakboard.cli.exits import BAD_INPUT, CLEAN, LOST
from cloakboard.engine.errors import EngineError
from cloakboard.engine.game import Game
from cloakboard.engine.perft import perft
from cloakboard.engine.registry import game as registered
from cloakboard.netplay.errors import Lost, NetplayError
from cloakboard.netplay.invite import parse_any
from cloakboard.netplay.links.greeting import Table
from cloakboard.netplay.plain import printable


def _where(options: argparse.Namespace) -> rooms.Where:
    return rooms.Where(
        options.lan,
        tuple(options.hall),
        getattr(options, "let_in", False),
        getattr(options, "relays", None),
    )


def _options(game: Game, texts: Sequence[str]) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if equals:
            changes[name] = game.options.option(name).parse(value)
        else:
            changes |= game.options.bundle(name)
    return changes


def _asked(options: argparse.Namespace) -> match.Asked:
    turns = options.max_turns
    return match.Asked(
        profile=options.profile,
        bot=options.bot or "",
        seed=options.seed,
        local=options.local,
        name=options.name,
        max_turns=(MAX_TURNS if options.bot else 0) if turns is None else turns,
        wait_s=options.wait,
        app=version(),
        where=_where(options),
        resigns=options.resign,
    )


def _play(options: argparse.Namespace) -> int:
    if options.game is not None:
        return _play_alone(options)
    if options.join:
        parse_any(options.join)
    if options.scenario or options.option or options.notation:
        raise EngineError("name the GAME to play it without a window: cloakboard play GAME ...")
    try:
        from cloakboard.client.friends import NetFriends
        from cloakboard.client.run import run
    except ImportError as error:
        raise EngineError(f"the window cannot be opened: {error}; see README.md") from None
    return run(
        options.profile,
        friends=lambda profile, settings, keeper: NetFriends(
            profile, settings, keeper, local=options.local, app=version()
        ),
        invite=options.join,
    )


def _play_alone(options: argparse.Namespace) -> int:
    game = registered(options.game)
    start = local.scenario(game.id, options.scenario)
    turns = MAX_TURNS if options.max_turns is None else options.max_turns
    return local.play(
        game,
        local.Asked(
            options={**start.options, **_options(game, options.option)},
            setup=start.setup,
            bot=options.bot,
            seed=options.seed,
            max_turns=turns,
            path=options.notation,
        ),
    )


def _show(options: argparse.Namespace) -> int:
    if local.is_text(options.file):
        return local.show(options.file, options.seat, options.turns)
    return files.show(options.file, options.seat, options.profile)


def _host(options: argparse.Namespace) -> int:
    game = registered(options.game)
    start = local.scenario(game.id, options.scenario)
    changes = {**start.options, **_options(game, options.option)}
    wanted = room.wanted(options)
    table = Table(
        game,
        game.options.complete(changes),
        start.setup,
        options.seat,
        start.title if start.setup else "",
        wanted.settings,
        wanted.password,
        wanted.members,
    )
    return match.host(_asked(options), wanted, table)


def _join(options: argparse.Namespace) -> int:
    return match.join(_asked(options), room.wanted(options), options.invite)


def _resume(options: argparse.Namespace) -> int:
    return match.resume(options.file, options.profile, options.invite, options.wait, version())


def _perft(options: argparse.Namespace) -> int:
    game = registered(options.game)
    if options.depth < 0:
        raise EngineError(f"the depth counts from 0; {options.depth} is below it")
    agreed = game.options.complete(_options(game, options.option))
    state = game.start(agreed, options.position)
    for depth in range(1, options.depth):
        print(f"depth {depth}: {perft(game, state, depth)}", flush=True)
    print(f"depth {options.depth}: {perft(game, state, options.depth)}")
    return CLEAN


COMMANDS: Final[Mapping[str, Callable[[argparse.Namespace], int]]] = {
    "play": _play,
    "host": _host,
    "join": _join,
    "resume": _resume,
    "watch": lambda options: watch.watch(
        options.invite, options.profile, options.local, options.wait, version()
    ),
    "verify": lambda options: files.verify(options.files),
    "show": _show,
    "games": lambda options: files.games(),
    "scenarios": lambda options: local.scenarios(options.game),
    "records": lambda options: records.records(
        options.profile,
        options.game,
        options.json,
        records.Wanted(options.export, options.bring, options.forget, options.claim),
    ),
    "leaderboard": lambda options: records.table(
        options.profile,
        options.game,
        options.rules,
        options.days,
        options.json,
        among_friends=options.friends,
    ),
    "achievements": lambda options: records.achievements(options.profile, options.json),
    "meet": lambda options: records.meet(options.profile, options.invite, options.local, version()),
    "friends": lambda options: friends.friends(
        options.profile,
        friends.Asked(options.act or "list", options.who, options.name, options.json),
    ),
    "register": lambda options: friends.register(options.remove),
    "perft": _perft,
    "saves": lambda options: kept.kept(
        options.profile,
        kept.Wanted(
            tuple(options.export) if options.export else None, options.bring, options.take_over
        ),
    ),
    "rooms": lambda options: rooms.rooms(
        options.profile,
        _where(options),
        rooms.Wanted(
            options.game, options.free, options.open, options.json, tuple(options.setting)
        ),
        options.wait,
    ),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns the exit code."""
    options = command_line().parse_args(arguments)
    if options.command is None:
        options = command_line().parse_args(["play", *(arguments or ())])
    try:
        return COMMANDS[options.command](options)
    except (EngineError, NetplayError, KeepingError) as error:
        print(f"cloakboard: {printable(str(error))}", file=sys.stderr)
        return LOST if isinstance(error, Lost) else BAD_INPUT
    except KeyboardInterrupt:
        print(
            "cloakboard: stopped; the match is saved, go on with cloakboard resume FILE",
            file=sys.stderr,
        )
        return LOST
    except BrokenPipeError:
        return BAD_INPUT
    except OSError as error:
        where = error.filename or "the disk"
        print(
            f"cloakboard: {where}: {error.strerror or error}; make room on the disk, or choose "
            "another folder with --profile DIR",
            file=sys.stderr,
        )
        return BAD_INPUT
