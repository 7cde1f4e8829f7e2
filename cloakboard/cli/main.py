"""Arguments, and which command they name. Bad input is one line on stderr and exit code 2."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, Final, NoReturn

from cloakboard.achievements.errors import KeepingError
from cloakboard.achievements.record import STANDARD
from cloakboard.cli import files, friends, kept, local, match, records, room, rooms, watch
from cloakboard.cli.exits import BAD_INPUT, CLEAN, LOST
from cloakboard.engine.errors import EngineError
from cloakboard.engine.game import Game
from cloakboard.engine.perft import perft
from cloakboard.engine.registry import game as registered
from cloakboard.netplay.errors import Lost, NetplayError
from cloakboard.netplay.invite import parse_any
from cloakboard.netplay.links.greeting import Table
from cloakboard.netplay.plain import printable

MAX_TURNS: Final = 200  # where computer players agree on a draw
BOTS: Final = ("random",)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message}; see {self.prog} --help", file=sys.stderr)
        raise SystemExit(BAD_INPUT)


def version() -> str:
    """The program's version."""
    try:
        return metadata.version("cloakboard")
    except metadata.PackageNotFoundError:
        return "unpacked"


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="cloakboard",
        description="Hidden-move board games with friends. Without COMMAND the window opens.",
    )
    parser.add_argument("--version", action="version", version=f"cloakboard {version()}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)

    play = commands.add_parser(
        "play", help="open the window; with GAME: computer players, no window"
    )
    play.add_argument("game", metavar="GAME", nargs="?", help="computer players play it here")
    _add_profile(play)
    play.add_argument("--local", action="store_true", help="friends on this machine only")
    play.add_argument("--join", default="", metavar="INVITE", help="ask about a friend's room")
    _add_start(play)
    play.add_argument("--bot", choices=BOTS, default=BOTS[0], help="who plays all seats")
    play.add_argument("--seed", type=int, default=0, metavar="N", help="of the computer players")
    play.add_argument("--max-turns", type=int, metavar="N", help=_AT_MOST)
    play.add_argument("--notation", type=Path, metavar="FILE", help="write the match as text")

    host = commands.add_parser("host", help="open a match and wait for a friend")
    host.add_argument("game", metavar="GAME", help=_GAME)
    _add_playing(host)
    _add_start(host)
    host.add_argument("--seat", type=int, default=0, metavar="N", help="sit here, from 0")
    room.add_host_arguments(host)
    _add_places(host, "show the room")
    host.add_argument(
        "--let-in", action="store_true", help="devices of the local network not yet known"
    )

    join = commands.add_parser("join", help="take the other seat")
    join.add_argument("invite", metavar="INVITE", help="or, with a place, who hosts the room")
    _add_playing(join)
    room.add_join_arguments(join)
    _add_places(join, "find the room")

    found = commands.add_parser("rooms", help="list open rooms: on the local network, in halls")
    _add_profile(found)
    _add_places(found, "look for rooms")
    found.add_argument("--game", default="", metavar="GAME", help="this game's alone")
    found.add_argument("--free", type=int, default=0, metavar="N", help="with so many free seats")
    found.add_argument("--open", action="store_true", help="without a password")
    found.add_argument(
        "--setting",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="with this rule or setting of the room, such as scored=off",
    )
    found.add_argument(
        "--wait", type=_seconds, default=3.0, metavar="SECONDS", help="how long to look"
    )
    found.add_argument("--json", action="store_true", help="with invites, for programs")

    watched = commands.add_parser("watch", help="watch a match of others")
    watched.add_argument("invite", metavar="INVITE", help="to watch, from one of its players")
    _add_profile(watched)
    watched.add_argument("--local", action="store_true", help="on this machine only")
    watched.add_argument("--wait", type=_seconds, default=90.0, metavar="SECONDS", help=_WAIT)

    resume = commands.add_parser("resume", help="go on with a match; both players do this")
    resume.add_argument("file", type=Path, metavar="FILE")
    resume.add_argument("--invite", metavar="INVITE", help="where the other player is now")
    _add_profile(resume)
    resume.add_argument("--wait", type=_seconds, default=90.0, metavar="SECONDS", help=_WAIT)

    verify = commands.add_parser("verify", help="repeat the audit from saves alone")
    verify.add_argument("files", type=Path, nargs="+", metavar="FILE")
    _add_profile(verify)

    show = commands.add_parser("show", help="print the position of a save, or of a match as text")
    show.add_argument("file", type=Path, metavar="FILE")
    show.add_argument("--as", dest="seat", type=int, metavar="SEAT", help="as this seat sees it")
    show.add_argument("--turns", action="store_true", help="of a text: the digest at every Turn")
    _add_profile(show)

    commands.add_parser("games", help="list the games and their options")
    listed = commands.add_parser("scenarios", help="list the scenarios of a game")
    listed.add_argument("game", metavar="GAME", help=_GAME)

    perft = commands.add_parser("perft", help="count the sequences of so many actions")
    perft.add_argument("game", metavar="GAME", help=_GAME)
    perft.add_argument("depth", type=int, metavar="DEPTH", help="actions in a sequence")
    perft.add_argument("--position", default="", metavar="TEXT", help="from another start")
    _add_options(perft)
    _add_keeping(commands)
    return parser


def _add_keeping(commands: Any) -> None:
    saved = commands.add_parser("saves", help="list your saves; carry one to another machine")
    _add_profile(saved)
    acts = saved.add_mutually_exclusive_group()
    acts.add_argument(
        "--export", type=Path, nargs=2, metavar=("SAVE", "FILE"), help="write one to a file"
    )
    acts.add_argument("--import", dest="bring", type=Path, metavar="FILE", help="take one in")
    acts.add_argument(
        "--take-over",
        type=Path,
        metavar="FILE",
        help="another player's save of your match, as yours is lost",
    )

    played = commands.add_parser("records", help="list the matches you have played")
    _add_profile(played)
    played.add_argument("--game", default="", metavar="GAME", help="this game's alone")
    played.add_argument("--json", action="store_true", help="all of each record, for programs")
    acts = played.add_mutually_exclusive_group()
    acts.add_argument("--export", type=Path, metavar="FILE", help="write all of them to a file")
    acts.add_argument("--import", dest="bring", type=Path, metavar="FILE", help="take them in")
    acts.add_argument("--forget", default="", metavar="MATCH", help="delete one, by its number")
    acts.add_argument("--claim", type=Path, metavar="SAVE", help="the other side stays away")

    board = commands.add_parser("leaderboard", help="how you and your friends stand")
    board.add_argument("game", metavar="GAME", help=_GAME)
    _add_profile(board)
    board.add_argument("--rules", default=STANDARD, metavar="NAME", help="set of rules played")
    board.add_argument("--days", type=int, default=0, metavar="N", help="the last N days alone")
    board.add_argument("--friends", action="store_true", help="you and your friends alone")
    board.add_argument("--json", action="store_true", help="with ratings over time, for programs")

    earned = commands.add_parser("achievements", help="what you have earned, and what is left")
    _add_profile(earned)
    earned.add_argument("--json", action="store_true", help="for programs")

    meet = commands.add_parser("meet", help="exchange match records with a friend")
    meet.add_argument("invite", metavar="INVITE", nargs="?", help="of the friend; none: wait")
    _add_profile(meet)
    meet.add_argument("--local", action="store_true", help="this machine only")
    _add_friends(commands)
    links = commands.add_parser("register", help="open links of invites with this program")
    links.add_argument("--remove", action="store_true", help="do so no longer")


def _add_friends(commands: Any) -> None:
    known = commands.add_parser("friends", help="the players you know")
    _add_profile(known)
    known.set_defaults(act="list", who="", name="", json=False)
    acts = known.add_subparsers(dest="act", metavar="ACT", parser_class=_Parser)
    listed = acts.add_parser("list", help="everybody you know, and your own key")
    listed.add_argument("--json", action="store_true", help="for programs")
    add = acts.add_parser("add", help="add a friend")
    add.add_argument("who", metavar="INVITE|KEY", help="that the friend sent you")
    add.add_argument("--name", default="", metavar="NAME", help="your own name for them")
    name = acts.add_parser("name", help="call a friend by another name")
    name.add_argument("who", metavar="WHO", help=_WHO)
    name.add_argument("name", metavar="NAME")
    for act, told in (
        ("block", "let a player in nowhere, without telling"),
        ("unblock", "let a player in again"),
        ("remove", "end a friendship; matches and records stay"),
    ):
        acts.add_parser(act, help=told).add_argument("who", metavar="WHO", help=_WHO)
    for parser in acts.choices.values():
        parser.add_argument("--profile", type=Path, metavar="DIR", default=argparse.SUPPRESS)


_WHO: Final = "a name, the first fingerprint words, or the beginning of a key"
_GAME: Final = "a name that `cloakboard games` lists"


def _seconds(text: str) -> float:
    """Seconds that somebody can wait. Raises `ArgumentTypeError`."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= LONGEST_WAIT_S:  # which is so of what is no number, too
        raise argparse.ArgumentTypeError(f"{text!r} is none of 0 to {LONGEST_WAIT_S} seconds")
    return seconds


LONGEST_WAIT_S: Final = 7 * 24 * 60 * 60
_WAIT: Final = "how long to look for a lost friend"
_AT_MOST: Final = f"computer players agree on a draw at this Turn (standard {MAX_TURNS}, 0: never)"


def _add_profile(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--profile", type=Path, metavar="DIR", help="identity, saves and settings of its own"
    )


def _add_places(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("--lan", action="store_true", help=f"{what} on the local network")
    parser.add_argument(
        "--hall",
        action="append",
        default=[],
        metavar="HOST",
        help=f"{what} in a hall: its host, or mqtts://USER:PASSWORD@HOST:PORT",
    )


def _where(options: argparse.Namespace) -> rooms.Where:
    return rooms.Where(
        options.lan,
        tuple(options.hall),
        getattr(options, "let_in", False),
        getattr(options, "relays", None),
    )


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="change a rule; the name of a set of options changes several",
    )


def _add_start(parser: argparse.ArgumentParser) -> None:
    _add_options(parser)
    parser.add_argument(
        "--scenario",
        default="",
        metavar="NAME",
        help="start from there: a name of `cloakboard scenarios`, or a file",
    )


def _add_playing(parser: argparse.ArgumentParser) -> None:
    _add_profile(parser)
    parser.add_argument("--bot", choices=BOTS, help="a computer player plays")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the computer player")
    parser.add_argument("--local", action="store_true", help="this machine only")
    parser.add_argument("--name", default="", metavar="NAME", help="how others see you")
    parser.add_argument("--max-turns", type=int, metavar="N", help=_AT_MOST)
    parser.add_argument("--relays", metavar="URLS", help="instead of the settings'; '' for none")
    parser.add_argument("--wait", type=_seconds, default=90.0, metavar="SECONDS", help=_WAIT)
    parser.add_argument(
        "--resign", type=int, default=0, metavar="N", help="the computer player gives up at Turn N"
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
    options = _parser().parse_args(arguments)
    if options.command is None:
        options = _parser().parse_args(["play", *(arguments or ())])
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
