"""Commands that read saves: verify, show, games."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from cloakboard.cli.exits import BAD_INPUT, CLEAN, FINDING
from cloakboard.engine.errors import EngineError
from cloakboard.engine.registry import games as registered
from cloakboard.netplay.errors import Malformed, NetplayError, Refused
from cloakboard.netplay.identity import Identity
from cloakboard.netplay.lockstep import journal, saves
from cloakboard.netplay.lockstep.core import Core
from cloakboard.netplay.lockstep.judge import check_opening, opened_secrets
from cloakboard.netplay.plain import printable
from cloakboard.netplay.profile import Profile
from cloakboard.netplay.room_settings import ROOM
from cloakboard.netplay.veil.blind import Hand
from cloakboard.netplay.veil.opening import clean_name, own_hand


def verify(paths: Sequence[Path]) -> int:
    """Prints one line a file; 0 if all are clean, 1 for a finding, 2 for one that cannot be read
    whole."""
    worst = CLEAN
    for path in paths:
        try:
            judgement, contents = saves.verify_file(path, registered())
        except (NetplayError, EngineError) as error:
            print(f"{path}: unreadable: {printable(str(error))}", file=sys.stderr)
            worst = BAD_INPUT
            continue
        damaged = f" (its last {contents.damaged} bytes are damaged)" if contents.damaged else ""
        if damaged:
            worst = BAD_INPUT
        print(
            f"{path}: {judgement.text}{damaged} turns: {judgement.turns} "
            f"digest: {judgement.digest.hex()}"
        )
        if judgement.finding is not None:
            worst = max(worst, FINDING)
    return worst


def show(path: Path, seat: int | None, folder: Path | None) -> int:
    """Prints the position: public, or as a seat sees it if its secret is open or its identity
    is this profile's."""
    contents = journal.read(path)
    game = saves.game_of(path, contents, registered())
    opening, match = check_opening(contents.entries[0], game)
    hand: Hand | None = None
    if seat is not None:
        if not 0 <= seat < len(opening.seats):
            raise Malformed(f"there is no seat {seat}; choose 0 to {len(opening.seats) - 1}")
        secret = opened_secrets(contents.entries, opening).get(seat)
        if secret is not None:
            hand = Hand(secret, opening, match, seat)
        else:
            with Profile.open(folder) as profile:
                identity = Identity.open(profile.folder)
            if identity.key != opening.seats[seat].key:
                who = clean_name(opening.seats[seat].name)
                raise Refused(
                    f"what seat {seat} sees is sealed to {who} until the "
                    "match is over; leave --as away to see what everyone may know"
                )
            hand = own_hand(identity, opening, match, seat)
    core = Core(game, opening, match, seat, hand)
    for entry in contents.entries[1:]:
        core.feed(entry, again=True)
    names = game.seat_names()
    for number, laid in enumerate(opening.seats):
        print(f"{names[number]}: {clean_name(laid.name)}")
    print(game.text(core.view))
    return CLEAN


def games() -> int:
    """Prints every game with its options."""
    for game in registered().values():
        print(f"{game.id}: {game.title}, {game.seats} seats, rules version {game.rules_version}")
        for option in game.options.options:
            print(f"  {option.name} = {option.default}: {option.text}")
        for bundle in game.options.bundles:
            changes = ", ".join(f"{name}={value}" for name, value in bundle.changes)
            print(f"  set {bundle.name}: {bundle.text}: {changes}")
    print("room: settings of any match with friends, for --room NAME=VALUE")
    for option in ROOM.options:
        print(f"  {option.name} = {option.default}: {option.text}")
    return CLEAN
