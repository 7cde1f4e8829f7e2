"""Games that break one law each, to show that the laws catch it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import ClassVar, Final

from msgspec.structs import replace

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.events import Event
from cloakboard.engine.game import Action, Resolution
from cloakboard.engine.probes import Probe
from tests.tiny import Line
from tests.tiny.actions import Creep, End, Step
from tests.tiny.events import Acted, Crept
from tests.tiny.probes import Met, Stock, Way
from tests.tiny.state import Secrets, State


class LeakyPublic(Line):
    """Its public state keeps how much fuel the first seat has."""

    def public(self, state: State) -> State:
        own = state.known[0]
        kept = None if own is None else Secrets(fuel=own.fuel)
        return replace(super().public(state), known=(kept, *(None,) * (self.seats - 1)))


class LeakyView(Line):
    """A seat's view holds the traps of the others."""

    def view(self, state: State, seat: int) -> State:
        known = (
            own if other == seat or own is None else Secrets(traps=own.traps)
            for other, own in enumerate(state.known)
        )
        return replace(state, known=tuple(known))


class Moody(Line):
    """What a step does hangs on how often anything was resolved."""

    resolved: ClassVar[int] = 0

    def resolve(self, state: State, seat: int, action: Action) -> Resolution:
        Moody.resolved += 1
        yield from super().resolve(state, seat, action)
        if isinstance(action, Step) and Moody.resolved % 2:
            yield Acted(shot=True)


class Peeping(Line):
    """A public event hangs on what one seat alone knows."""

    def resolve(self, state: State, seat: int, action: Action) -> Resolution:
        yield from super().resolve(state, seat, action)
        fuel = yield Stock(owner=seat)
        if isinstance(action, Step) and fuel:
            yield Acted(shot=True)


class Chatty(Line):
    """Only machines that know a seat's fuel go on to ask something of everyone."""

    def resolve(self, state: State, seat: int, action: Action) -> Resolution:
        fuel = yield Stock(owner=seat)
        if isinstance(action, Step) and fuel:
            yield Met(owner=seat, cells=())
        yield from super().resolve(state, seat, action)


class Strict(Line):
    """It takes no hidden token to be able to take anything."""

    def admits(self, state: State, seat: int, event: Event) -> None:
        super().admits(state, seat, event)
        if not isinstance(event, Acted):
            raise IllegalAction("LINE-4", "Nothing can be taken from the dark")


class Uncovered(Line):
    """Its veiled actions ask more than they are covered for."""

    def cover(self, state: State, seat: int) -> tuple[Probe, ...]:
        return super().cover(state, seat)[:-1]


class Unsized(Line):
    """It asks in the order of the way, which shows where the way comes from."""

    def query(self, state: State, probe: Probe) -> tuple[int, ...]:
        return probe.cells if isinstance(probe, Way) else super().query(state, probe)


class Stubborn(Line):
    """It offers veiled actions that it refuses."""

    def legal(self, state: State, seat: int, action: Action) -> None:
        super().legal(state, seat, action)
        if isinstance(action, Creep) and action.length == 2:
            raise IllegalAction("LINE-4", "A hidden token creeps one cell only")


class Trusting(Line):
    """It lets every step pass, that of a token that does not exist too."""

    def legal(self, state: State, seat: int, action: Action) -> None:
        if not isinstance(action, Step):
            super().legal(state, seat, action)


class Shuffling(Line):
    """It offers its actions the other way round every other time."""

    asked: ClassVar[int] = 0

    def actions(self, state: State, seat: int) -> Iterator[Action]:
        Shuffling.asked += 1
        offered = list(super().actions(state, seat))
        yield from reversed(offered) if Shuffling.asked % 2 else offered


class Listed(Line):
    """Its states hold a list, which no bytes bring back."""

    def apply(self, state: State, event: Event) -> State:
        return replace(super().apply(state, event), due=list(state.due))


class Floating(Line):
    """Its states hold a float."""

    def apply(self, state: State, event: Event) -> State:
        return replace(super().apply(state, event), turns=float(state.turns))


class Tattling(Line):
    """A private event changes what everyone sees."""

    def apply(self, state: State, event: Event) -> State:
        after = super().apply(state, event)
        return replace(after, shot=True) if isinstance(event, Crept) else after


class Echoing(Line):
    """Where a hidden token creeps to shows in the views of the others."""

    def apply(self, state: State, event: Event) -> State:
        after = super().apply(state, event)
        return replace(after, turns=event.cell) if isinstance(event, Crept) else after


class Secretive(Line):
    """Whose turn it is hangs on how much fuel is left."""

    def to_act(self, state: State) -> tuple[int, ...]:
        own = state.known[0]
        return super().to_act(state) if own is None or own.fuel else ()


class Stuck(Line):
    """A Turn cannot be ended."""

    def actions(self, state: State, seat: int) -> Iterator[Action]:
        offered = super().actions(state, seat)
        yield from (action for action in offered if not isinstance(action, End))


class Compelling(Line):
    """It forces what is not legal."""

    def forced(self, state: State, seat: int) -> Action | None:
        return End() if seat == state.mover and not state.acted else super().forced(state, seat)


class Mute(Line):
    """It has no words for its actions."""

    def say(self, state: State, action: Action) -> str:
        return ""


class Hashing(Line):
    """Its order of actions is that of a set of text."""

    def actions(self, state: State, seat: int) -> Iterator[Action]:
        offered = {repr(action): action for action in super().actions(state, seat)}
        for name in set(offered):
            yield offered[name]


BROKEN: Final[Mapping[str, tuple[Callable[[int], Line], ...]]] = MappingProxyType(
    {
        "public_is_the_fold_of_public_events": (LeakyPublic,),
        "view_is_the_fold_of_what_the_seat_may_know": (LeakyView,),
        "same_answers_give_the_same_events": (Moody,),
        "published_answers_suffice": (Peeping, Chatty),
        "admits_what_veiled_actions_show": (Strict,),
        "cover_answers_the_lookups_of_veiled_actions": (Uncovered,),
        "lookups_keep_their_bounds": (Unsized,),
        "offered_actions_are_legal": (Stubborn,),
        "mutated_actions_are_refused_or_resolved": (Trusting,),
        "actions_have_one_order": (Shuffling,),
        "records_survive_their_bytes": (Listed,),
        "states_hold_exact_values_only": (Floating, Listed),
        "private_events_change_no_other_view": (Tattling,),
        "a_view_holds_nothing_of_another_world": (Echoing,),
        "everyone_agrees_on_the_course": (Secretive,),
        "whose_turn_it_is_can_act": (Stuck,),
        "everything_can_be_said": (Mute,),
        "what_is_forced_is_legal": (Compelling,),
    }
)
