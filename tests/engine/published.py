"""An action resolved once more by a machine that goes by what was published (law 4)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import msgspec

from cloakboard.engine.drive import Diverged, Exchange, Outcome, drive, full_answer
from cloakboard.engine.events import Event, may_know
from cloakboard.engine.game import Action, Answer, Game, State
from cloakboard.engine.probes import BLIND, Form, Probe

PUBLIC = frozenset({Form.SHOW, Form.TELL, Form.CLAIM, Form.DRAW})


def same_question(recorded: Probe, asked: Probe) -> bool:
    """Whether a machine that may know less asks what was asked: the same but for fields left
    at their defaults, which only a machine that holds the secret fills."""
    if type(recorded) is not type(asked):
        return False
    if (recorded.owner, recorded.asker) != (asked.owner, asked.asker):
        return False
    return all(
        getattr(asked, name) in (getattr(recorded, name), default)
        for name, default in _own_fields(type(asked))
    )


@cache
def _own_fields(kind: type[Probe]) -> tuple[tuple[str, Any], ...]:
    """Names and defaults of a probe's fields but for owner and asker."""
    shared = Probe.__struct_fields__
    fields = msgspec.structs.fields(kind)
    return tuple((field.name, field.default) for field in fields if field.name not in shared)


class Published:
    """Answers for the machine of seat `holder` (None: a spectator) from recorded exchanges:
    public ones as published, blind ones if it is the asker, its own worked out anew."""

    def __init__(self, game: Game, holder: int | None, exchanges: Iterable[Exchange]) -> None:
        self._game = game
        self._holder = holder
        self._left = iter(exchanges)

    def __call__(self, state: State, probe: Probe) -> Answer:
        """The answer this machine goes on with. Raises `Diverged` if it asks something else
        than was recorded, or would itself have answered otherwise."""
        recorded = next(self._left, None)
        if recorded is None or not same_question(recorded.probe, probe):
            raise Diverged("This machine asks what was not asked in the match", recorded, probe)
        known = recorded.answer if self._may_know(probe) else None
        if self._answers(probe):
            own = full_answer(self._game, state, probe, lambda: 0)
            if own != known:
                raise Diverged("This machine would have answered otherwise", known, own)
        return known

    def finish(self) -> None:
        """Raises `Diverged` unless every recorded exchange was asked for."""
        for unasked in self._left:
            raise Diverged("This machine does not ask what was asked", unasked, None)

    def _answers(self, probe: Probe) -> bool:
        return probe.owner == self._holder and probe.form not in BLIND | {Form.DRAW}

    def _may_know(self, probe: Probe) -> bool:
        knower = probe.asker if probe.form in BLIND else probe.owner
        return probe.form in PUBLIC or knower == self._holder


def public_replay(
    game: Game,
    state: State,
    holder: int | None,
    seat: int,
    action: Action,
    exchanges: Iterable[Exchange],
) -> Outcome:
    """The action resolved as the machine of seat `holder` (None: a spectator) resolves it on
    its own `state`, with the answers recorded in the match. `action` is the full action where
    `holder` is `seat`, its open part elsewhere. Raises `Diverged`."""
    published = Published(game, holder, exchanges)

    def check(event: Event, _: State) -> None:
        if not may_know(event, holder):
            raise Diverged("This machine worked out what it may not know", None, event)

    outcome = drive(game, state, seat, action, published, check)
    published.finish()
    return outcome
