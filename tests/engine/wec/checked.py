"""Plays one action and holds it against the laws, so that every rule's table tests them too."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from cloakboard.engine.drive import drive, full_answer
from cloakboard.engine.events import Event
from cloakboard.engine.probes import Probe
from cloakboard.engine.table import Record
from cloakboard.engine.wec import GAME
from cloakboard.engine.wec.actions import Action
from cloakboard.engine.wec.state import SIDES, State
from tests.engine.laws import LAWS, Known, Moment, fold

FOLLOWED: Final = (
    "public_is_the_fold_of_public_events",
    "view_is_the_fold_of_what_the_seat_may_know",
    "same_answers_give_the_same_events",
    "published_answers_suffice",
    "admits_what_veiled_actions_show",
    "cover_answers_the_lookups_of_veiled_actions",
    "lookups_keep_their_bounds",
    "offered_actions_are_legal",
    "records_survive_their_bytes",
    "private_events_change_no_other_view",
    "everyone_agrees_on_the_course",
)


class Played:
    """What an action came to: the state after it, its events, and the probes it asked."""

    def __init__(self, after: State, events: tuple[Event, ...], probes: tuple[Probe, ...]) -> None:
        self.after = after
        self.events = events
        self.probes = probes

    def causes(self) -> list[tuple[str, int]]:
        """Every change of a piece: what a player saw, and the handle of the piece (0: unseen)."""
        changes = [event for event in self.events if type(event).__name__ == "Changed"]
        return [(one.cause, (one.after or one.before).handle) for one in changes]  # type: ignore[attr-defined]

    def names(self) -> list[str]:
        """The kinds of probe asked, in order, each with its owner: `Standing/1`."""
        return [f"{type(probe).__name__}/{probe.owner}" for probe in self.probes]


def play(before: State, action: Action, draws: Iterable[int] = ()) -> Played:
    """The action played by the side whose Turn it is, where all is known; the laws hold."""
    seat, chance = before.side, iter(draws)
    GAME.legal(GAME.view(before, seat), seat, action)
    outcome = drive(
        GAME,
        before,
        seat,
        action,
        lambda state, probe: full_answer(GAME, state, probe, lambda: next(chance)),
    )
    record = Record(seat, action, False, outcome.exchanges, outcome.events)
    views = tuple(GAME.view(before, side) for side in SIDES)
    stages = fold(GAME, Known(before, GAME.public(before), views), record)
    moment = Moment(GAME, dict(before.options), record, stages)
    for law in FOLLOWED:
        LAWS[law](moment)
    probes = tuple(exchange.probe for exchange in outcome.exchanges)
    return Played(outcome.state, outcome.events, probes)
