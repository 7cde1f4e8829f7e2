"""Commands that play: host, join, resume; by a computer player or by a person at a terminal."""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cloakboard.achievements.errors import KeepingError
from cloakboard.cli.closing import outcome, summary
from cloakboard.cli.computers import Computers
from cloakboard.cli.exits import CLEAN, FINDING
from cloakboard.cli.friends import book_of, tell_met
from cloakboard.cli.records import earned, opened, show_invite
from cloakboard.cli.room import Wanted, hand
from cloakboard.cli.rooms import Outside, Where
from cloakboard.cli.terminal import Terminal
from cloakboard.engine.ai import dice
from cloakboard.engine.errors import EngineError
from cloakboard.engine.registry import games as registered
from cloakboard.keeping.conduct import conduct_of
from cloakboard.keeping.keeper import Keeper
from cloakboard.keeping.sharing import Sharing
from cloakboard.netplay.errors import Lost, NetplayError
from cloakboard.netplay.finding.friends import FriendsFile
from cloakboard.netplay.identity import default_name
from cloakboard.netplay.links.greeting import Table
from cloakboard.netplay.lockstep import journal
from cloakboard.netplay.lockstep.effects import NameOffered, Offered
from cloakboard.netplay.lockstep.match import Match
from cloakboard.netplay.lockstep.online import LinkState, Told
from cloakboard.netplay.room.party import Links, Party, Plan
from cloakboard.netplay.settings import SettingsFile
from cloakboard.netplay.transcript import CONSENTED, Act, Entry, Slot, read_body

NOWHERE: Final = Where()


@dataclass(frozen=True, slots=True)
class Asked:
    """What the arguments of `host` and `join` say. `resigns`: the Turn at which the computer
    player gives up, 0 for never; `where`: places to show the room, or to find it."""

    profile: Path | None
    bot: str
    seed: int
    local: bool
    name: str
    max_turns: int
    wait_s: float
    app: str
    resigns: int = 0
    where: Where = NOWHERE


def host(asked: Asked, wanted: Wanted, table: Table) -> int:
    """Opens a room, and plays the match to its end."""
    seat, seats = table.host_seat, table.game.seats
    if not 0 <= seat < seats:
        raise EngineError(f"there is no seat {seat}; choose 0 to {seats - 1}")
    if not 0 <= wanted.computers < seats:
        raise EngineError(f"computers can fill 0 to {seats - 1} seats, not {wanted.computers}")
    table.game.start(table.options, table.setup)

    async def begin(party: Party, outside: Outside) -> Links | None:
        def show(invite: str) -> None:
            show_invite(invite)
            computers.start(invite, party.plan.profile.folder)

        shown = [outside.showing] if outside.showing is not None else []
        return await party.host(table, show, hand(wanted), shown)

    with Computers(wanted.computers, asked.seed, asked.local, asked.max_turns) as computers:
        return _run(asked, begin)


def join(asked: Asked, wanted: Wanted, invite: str) -> int:
    """Goes to the room of an invite, and plays the match to its end."""

    async def begin(party: Party, outside: Outside) -> Links | None:
        where = await outside.invite_of(invite, asked.wait_s)
        return await party.join(where, hand(wanted), wanted.password)

    return _run(asked, begin)


def resume(path: Path, profile: Path | None, invite: str | None, wait_s: float, app: str) -> int:
    """Goes on with a match, with the player that its save names."""
    meta = journal.read(path).meta
    asked = Asked(profile, meta.bot, meta.bot_seed, meta.local, "", meta.max_turns, wait_s, app)

    async def begin(party: Party, outside: Outside) -> Links | None:
        party.resume(path, show_invite, invite)
        return None

    return _run(asked, begin)


Begin = Callable[[Party, Outside], Awaitable[Links | None]]


def _run(asked: Asked, begin: Begin) -> int:
    asked.where.check(asked.local)
    with opened(asked.profile) as (profile, identity, keeper):
        settings = SettingsFile(profile.folder).now
        book = book_of(profile, identity.key)
        plan = Plan(
            profile=profile,
            identity=identity,
            name=asked.name or settings.name or default_name(identity.key),
            app=asked.app,
            local=asked.local,
            relays=settings.relays,
            bot=asked.bot,
            bot_seed=asked.seed,
            max_turns=asked.max_turns,
            patience_s=asked.wait_s,
            share=Sharing(keeper),
            refuses=book.refuses,
            where=book.address_of,
            is_friend=book.is_friend,
            conduct=lambda key: conduct_of(keeper.ledger.records(), key),
        )
        outside = Outside(plan, settings, asked.where)
        return asyncio.run(_play(outside, begin, keeper, book, asked.resigns))


async def _play(
    outside: Outside,
    begin: Begin,
    keeper: Keeper,
    book: FriendsFile,
    resigns: int,
) -> int:
    plan = outside.plan
    changed = asyncio.Event()
    asked: deque[str] = deque()  # of a computer player, that it has yet to decline
    terminal = None if plan.bot else Terminal()

    def tell(told: Told) -> None:
        changed.set()
        if isinstance(told, Offered) and told.kind in CONSENTED:
            asked.append(told.kind)
        elif isinstance(told, NameOffered):
            asked.append("save")
        if terminal is not None:
            terminal.tell(told)
        elif isinstance(told, LinkState) and told.quality == "lost":
            print(f"looking for the other player: {told.seconds_left} s", file=sys.stderr)

    async with outside, Party(plan, registered(), tell) as party:
        link = await begin(party, outside)
        online = party.online
        assert online is not None and party.opened is not None
        path = party.opened.journal.path
        print(f"save: {path}", file=sys.stderr, flush=True)
        if party.opened.repaired:
            print(
                "cloakboard: the end of the save was damaged and has been cut off; the file as it "
                "was is kept beside it",
                file=sys.stderr,
                flush=True,
            )
        if online.gallery.invite():
            print(f"watch: {online.gallery.invite()}", file=sys.stderr, flush=True)
        if terminal is not None:
            player = terminal.play(online, changed)
        else:
            player = _bot(plan, party, changed, resigns, asked)
        running = asyncio.create_task(party.play(link))
        moving = asyncio.create_task(player)
        try:
            await asyncio.wait({running, moving}, return_when=asyncio.FIRST_COMPLETED)
            if moving.done() and moving.exception() is not None:
                running.cancel()
                moving.result()
            await running
        except Lost:
            # The own audit stands on its own; only the other side's signature is missing.
            if party.opened.match.judgement is None:
                raise
        finally:
            moving.cancel()
        _keep(keeper, path)
        where = party.opened.addresses
        seats = enumerate(party.opened.match.opening.seats)
        others = [(s, laid) for s, laid in seats if laid.key != plan.identity.key]
        tell_met(book, [(laid.key, laid.name, where.get(s, "")) for s, laid in others])
        return _report(party.opened.match)


def _keep(keeper: Keeper, save: Path) -> None:
    """The record is an extra: whatever is wrong with it, the match's own report follows."""
    try:
        keeper.keep(save)
    except (KeepingError, NetplayError) as error:
        print(f"cloakboard: no record of this match: {error}", file=sys.stderr)
    earned(keeper.fresh())


async def _bot(
    plan: Plan, party: Party, changed: asyncio.Event, resigns: int, asked: deque[str]
) -> None:
    """A computer player at this seat; it gives up at Turn `resigns`, if that is not 0, agrees on
    a draw at the plan's last Turn, and declines whatever else it is `asked` for."""
    online = party.online
    assert online is not None
    match = online.match
    game, seat = match.game, match.seat
    asked_draw = False
    gives_up = resigns > 0
    chosen = counted = 0  # own actions among the entries counted
    while True:
        changed.clear()
        while asked:
            await online.decline(asked.popleft())
        if gives_up and game.turn(match.core.shown) >= resigns and match.core.result is None:
            gives_up = False
            await online.request("resign")
        late = 0 < plan.max_turns <= game.turn(match.core.shown)
        if late and not asked_draw and match.core.result is None and match.together:
            asked_draw = True
            await online.request("draw")
        elif not late and match.may_act:
            chosen += _actions(match.entries[counted:], seat)
            counted = len(match.entries)
            action = dice.choose(game, match.core.view, seat, plan.bot_seed, chosen)
            if action is None:
                raise EngineError("the computer player finds no legal action")
            await online.act(action)
            continue
        await changed.wait()


def _actions(entries: Iterable[Entry], seat: int) -> int:
    """How many of the entries are actions of the seat."""
    mine = (entry for entry in entries if entry.header.author == seat)
    return sum(isinstance(read_body(entry), Act | Slot) for entry in mine)


def _report(match: Match) -> int:
    """Prints the closing line, alike on both machines; the exit code."""
    judgement = match.judgement
    game, core = match.game, match.core
    if match.stopped is not None:
        audit = match.stopped.text
    else:
        audit = judgement.text if judgement is not None else "not done"
    ended = f"{outcome(game, core.result)} {summary(game, core.shown)}"
    print(f"result: {ended} audit: {audit}", flush=True)
    return CLEAN if audit == "clean" else FINDING
