"""Commands about what a player keeps: records, leaderboard, achievements, meet."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from cloakboard.achievements.definitions import Definition, words
from cloakboard.achievements.record import STANDARD, MatchRecord
from cloakboard.achievements.standings import Row, classes, leaderboard
from cloakboard.cli.exits import BAD_INPUT, CLEAN
from cloakboard.cli.friends import book_of
from cloakboard.engine.errors import EngineError
from cloakboard.engine.registry import games as registered
from cloakboard.keeping.copies import read_copy, write_copy
from cloakboard.keeping.keeper import Keeper
from cloakboard.keeping.sharing import Sharing
from cloakboard.netplay.identity import Identity, default_name
from cloakboard.netplay.profile import Profile
from cloakboard.netplay.room.party import Party, Plan
from cloakboard.netplay.settings import SettingsFile

DAY_S = 24 * 60 * 60


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the arguments of `records` ask for besides the list."""

    export: Path | None = None
    bring: Path | None = None
    forget: str = ""
    claim: Path | None = None


@contextmanager
def opened(folder: Path | None) -> Iterator[tuple[Profile, Identity, Keeper]]:
    """A profile with what it keeps; what the player must be told goes to stderr."""
    with Profile.open(folder) as profile:
        identity = Identity.open(profile.folder)
        keeper = Keeper(profile.folder, identity.key, registered())
        try:
            if keeper.notice:
                print(f"cloakboard: {keeper.notice}", file=sys.stderr)
            yield profile, identity, keeper
        finally:
            keeper.close()


def records(folder: Path | None, game: str, as_json: bool, wanted: Wanted) -> int:
    """Does what is wanted, or prints every match, the oldest first."""
    _check_game(game)
    with opened(folder) as (profile, identity, keeper):
        keeper.catch_up(profile.saves)
        if wanted.export is not None:
            return _export(keeper, identity, wanted.export)
        if wanted.bring is not None:
            return _import(keeper, wanted.bring)
        if wanted.forget:
            return _forget(keeper, wanted.forget)
        if wanted.claim is not None:
            keeper.claim(wanted.claim)
            print(f"claimed: {wanted.claim.name} is in the records, unrated")
            return CLEAN
        kept = keeper.ledger.records(game)
        if as_json:
            print(json.dumps([_as_json(record) for record in kept], indent=1))
        else:
            for record in kept:
                print(line(record))
            if not kept:
                which = f" of {game}" if game else ""
                print(f"cloakboard: no match{which} is in the records yet", file=sys.stderr)
        return CLEAN


def line(record: MatchRecord) -> str:
    """A record in one line."""
    players = " - ".join(
        f"{player.name}{' (won)' if seat in record.winners else ''}"
        for seat, player in enumerate(record.players)
    )
    named = " and ".join(record.players[seat].name for seat in record.by)
    return (
        f"{_date(record.ended)}  {record.match.hex()[:12]}  "
        f"{record.game} {record.rules}  {players}  "
        f"{record.reason or 'not ended'}, {record.turns} Turns  "
        f"{record.audit.value}{' ' + named if named else ''}"
    )


def _date(at: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


def _as_json(record: MatchRecord) -> dict[str, Any]:
    return {
        "match": record.match.hex(),
        "game": record.game,
        "rules_version": record.rules_version,
        "options": record.options.hex(),
        "rules": record.rules,
        "players": [{"key": p.key.hex(), "name": p.name} for p in record.players],
        "winners": list(record.winners),
        "reason": record.reason,
        "turns": record.turns,
        "used_ms": record.used_ms,
        "ended": record.ended,
        "audit": record.audit.value,
        "by": list(record.by),
        "note": record.note,
        "rated": record.is_rated,
        "signed": record.is_signed,
    }


def _export(keeper: Keeper, identity: Identity, path: Path) -> int:
    if path.exists():
        raise EngineError(f"{path} exists already; choose another name")
    try:
        count = write_copy(keeper, identity, path)
    except OSError as error:
        raise EngineError(f"{path} cannot be written: {error.strerror}") from None
    print(f"exported: {count} records to {path}")
    return CLEAN


def _import(keeper: Keeper, path: Path) -> int:
    merged = read_copy(keeper, path)
    print(f"imported: {merged.fresh} new records from {path}")
    for reason in merged.refused:
        print(f"cloakboard: refused: {reason}", file=sys.stderr)
    return BAD_INPUT if merged.refused else CLEAN


def _forget(keeper: Keeper, start: str) -> int:
    found = [r.match for r in keeper.ledger.records() if r.match.hex().startswith(start.lower())]
    if len(found) != 1:
        count = "no record" if not found else f"{len(found)} records"
        raise EngineError(f"{count} begins with {start}; `cloakboard records` lists them")
    keeper.ledger.forget(found)
    print(
        "forgotten: leaderboards no longer count the match, and friends do not bring it back; "
        "what you have earned stays"
    )
    return CLEAN


def table(
    folder: Path | None,
    game: str,
    rules: str,
    days: int,
    as_json: bool,
    *,
    among_friends: bool = False,
) -> int:
    """Prints a leaderboard, the same on every machine that holds the same records; of the
    player and the friends alone, each friend by the player's own name, if that is asked for."""
    _check_game(game)
    with opened(folder) as (profile, identity, keeper):
        keeper.catch_up(profile.saves)
        book = book_of(profile, identity.key)
        own = identity.key
        among = {own, *(known.key for known in book.friends())} if among_friends else None
        now = int(time.time())
        kept = keeper.ledger.records(game)
        since = now - days * DAY_S if days else 0
        played = classes(kept, game)
        if rules != STANDARD and rules not in played:
            known = f"choose one of: {', '.join(played)}" if played else "no match is known yet"
            print(f"cloakboard: nobody has played by the rules {rules!r}; {known}", file=sys.stderr)
            return BAD_INPUT
        rows = leaderboard(kept, game, rules=rules, since=since, now=now, among=among)
        if among_friends:
            rows = [replace(row, name=book.name_of(row.key, row.name)) for row in rows]
        if as_json:
            print(json.dumps([_row_as_json(row) for row in rows], indent=1))
            return CLEAN
        for text in _lines(rows):
            print(text)
        others = [name for name in played if name != rules]
        if others:
            print(f"also played: {', '.join(others)} (--rules NAME)", file=sys.stderr)
        return CLEAN


HEAD = ("", "player", "points", "played", "won", "lost", "drawn", "win %", "streak", "best",
        "refused", "found", "left")  # fmt: skip


def _lines(rows: list[Row]) -> Iterator[str]:
    cells: list[tuple[str, ...]] = [HEAD]
    for place, row in enumerate(rows, 1):
        numbers = (row.points, row.matches, row.wins, row.losses, row.draws, row.win_rate,
                   row.streak, row.best_streak, row.refusals, row.findings,
                   row.disconnects)  # fmt: skip
        cells.append((str(place), row.name, *map(str, numbers)))
    widths = [max(len(cell[at]) for cell in cells) for at in range(len(HEAD))]
    for cell in cells:
        padded = [
            text.ljust(width) if at == 1 else text.rjust(width)
            for at, (text, width) in enumerate(zip(cell, widths, strict=True))
        ]
        yield "  ".join(padded).rstrip()


def _row_as_json(row: Row) -> dict[str, Any]:
    named = {name: getattr(row, name) for name in row.__struct_fields__ if name != "course"}
    return named | {"key": row.key.hex(), "course": [list(point) for point in row.course]}


def achievements(folder: Path | None, as_json: bool) -> int:
    """Prints every achievement with its progress."""
    with opened(folder) as (profile, _, keeper):
        keeper.catch_up(profile.saves)
        standings = keeper.standings()
        if as_json:
            listed = [
                {"id": s.one.id, "count": s.count, "goal": s.one.goal, "earned": s.earned}
                for s in standings
            ]
            print(json.dumps(listed, indent=1))
            return CLEAN
        for standing in standings:
            one, text = standing.one, words()[standing.one.text]
            if one.hidden and not standing.earned:
                print("[ ] hidden")
            elif standing.earned:
                print(f"[x] {text.title}: {text.text} {_date(standing.earned)}")
            else:
                print(f"[ ] {text.title}: {text.text} {standing.count}/{one.goal}")
        print(f"{sum(bool(s.earned) for s in standings)} of {len(standings)} earned")
        return CLEAN


def meet(folder: Path | None, invite: str | None, local: bool, app: str) -> int:
    """Exchanges records with a friend: prints an invite, or goes to the friend's."""
    with opened(folder) as (profile, identity, keeper):
        keeper.catch_up(profile.saves)
        settings = SettingsFile(profile.folder).now
        sharing = Sharing(keeper)
        plan = Plan(
            profile=profile,
            identity=identity,
            name=settings.name or default_name(identity.key),
            app=app,
            local=local,
            relays=settings.relays,
            share=sharing,
            refuses=book_of(profile, identity.key).refuses,
        )
        asyncio.run(_meet(plan, invite))
        print(f"met: {sharing.fresh} new records")
        for reason in sharing.refused:
            print(f"cloakboard: refused: {reason}", file=sys.stderr)
        return CLEAN


async def _meet(plan: Plan, invite: str | None) -> None:
    async with Party(plan, registered(), lambda told: None) as party:
        await party.meet(show_invite, invite)


def show_invite(text: str) -> None:
    """Prints an invite for the friend."""
    print(f"invite: {text}", flush=True)


def _check_game(game: str) -> None:
    if game and game not in registered():
        known = ", ".join(registered())
        raise EngineError(f"There is no game {game!r}; choose one of: {known}")


def earned(fresh: list[Definition]) -> None:
    """Tells what was earned, on stderr."""
    for one in fresh:
        print(f"earned: {words()[one.text].title}", file=sys.stderr, flush=True)
