"""The arguments of every command. Bad ones are one line on stderr and exit code 2."""

from __future__ import annotations

import argparse
import sys
from importlib import metadata
from pathlib import Path
from typing import Any, Final, NoReturn

from cloakboard.achievements.record import STANDARD
from cloakboard.cli.exits import BAD_INPUT

MAX_TURNS: Final = 200  # where computer players agree on a draw
BOTS: Final = ("random",)
LONGEST_WAIT_S: Final = 7 * 24 * 60 * 60
_WAIT: Final = "how long to look for a lost friend"
_AT_MOST: Final = f"computer players agree on a draw at this Turn (standard {MAX_TURNS}, 0: never)"
_WHO: Final = "a name, the first fingerprint words, or the beginning of a key"
_GAME: Final = "a name that `cloakboard games` lists"


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


def command_line() -> argparse.ArgumentParser:
    """All commands with their arguments."""
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
    _add_host(host)
    _add_places(host, "show the room")
    host.add_argument(
        "--let-in", action="store_true", help="devices of the local network not yet known"
    )

    join = commands.add_parser("join", help="take the other seat")
    join.add_argument("invite", metavar="INVITE", help="or, with a place, who hosts the room")
    _add_playing(join)
    _add_join(join)
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


def _seconds(text: str) -> float:
    """Seconds that somebody can wait. Raises `ArgumentTypeError`."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= LONGEST_WAIT_S:  # which is so of what is no number, too
        raise argparse.ArgumentTypeError(f"{text!r} is none of 0 to {LONGEST_WAIT_S} seconds")
    return seconds


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


def _add_host(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--password", default="", metavar="TEXT", help="for who has no invite")
    parser.add_argument("--practice", action="store_true", help="the match moves no ratings")
    parser.add_argument(
        "--computers", type=int, default=0, metavar="N", help="fill N seats; the match is practice"
    )
    parser.add_argument("--spectators", action="store_true", help="others may watch")
    parser.add_argument(
        "--member",
        action="append",
        default=[],
        metavar="KEY",
        help="only who is named so may join; again for each",
    )
    parser.add_argument(
        "--room",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a setting of the room; `cloakboard games` lists them",
    )
    _add_accept(parser)


def _add_join(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--password", default="", metavar="TEXT", help="of the room")
    _add_accept(parser)


def _add_accept(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--accept", action="store_true", help="accept what the others ask for before the match"
    )
