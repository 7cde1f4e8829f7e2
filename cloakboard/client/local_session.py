"""A match on this machine: hotseat, against the computer, or one to learn from."""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from cloakboard.client.company import Company
from cloakboard.client.recording import Recording, of_table
from cloakboard.client.save_names import place_for
from cloakboard.client.saved import FORMAT, SUFFIX, Saved, keep_finished
from cloakboard.client.session import (
    Ended,
    Happened,
    Happening,
    Jumped,
    LinkState,
    Noticed,
    nobody,
)
from cloakboard.engine import codec
from cloakboard.engine.errors import EngineError, IllegalAction, Malformed
from cloakboard.engine.events import Event, may_know
from cloakboard.engine.game import Action, Game, Result, State
from cloakboard.engine.registry import game as registered
from cloakboard.engine.table import Table
from cloakboard.netplay.lockstep.stand_in import StandIn

UNFINISHED: Final = "unfinished-"  # how the name of a match begins that is kept by itself


class LocalSession:
    """See `session.Session`: hotseat, or against players that choose at random.

    `computers`: the seats they play; `seed` feeds the draws and their choices.
    """

    company: Company | None = None
    stand_in: StandIn | None = None

    def __init__(
        self,
        game: Game,
        names: tuple[str, ...],
        *,
        options: Mapping[str, Any] | None = None,
        setup: str = "",
        seed: bytes = b"",
        computers: tuple[int, ...] = (),
        saves: Path | None = None,
    ) -> None:
        """Raises `BadOption`, `BadSetup`. `saves` is the folder that `save` writes to, and where
        the match is kept by itself after every action of a player, so that it can be gone on
        with after a crash, and in the end, to look back on."""
        self.game = game
        self.names = names
        self.computers = computers
        self.seats_here = tuple(seat for seat in range(game.seats) if seat not in computers)
        self._saves = saves
        self._kept: Path | None = None  # what is kept by itself
        self._happenings: list[Happening] = []
        self._choice = random.Random(seed)
        self._views: dict[int, State] = {}
        self._has_ended = False
        self.listener: Callable[[Happening], None] = nobody
        self.table = Table(game, options, setup, seed, self._observe)
        self._happenings.clear()

    @classmethod
    def load(cls, path: Path, game_of: Callable[[str], Game] = registered) -> LocalSession:
        """The match kept in a file, at its last action. Raises `Malformed`, `OSError`."""
        saved = Saved.read(path)
        try:
            game = game_of(saved.game)
            if saved.rules_version != game.rules_version:
                raise Malformed(f"{path.name} was played by another version of the rules")
            seats = set(range(game.seats))
            if len(saved.names) != len(seats) or not seats - set(saved.computers):
                raise Malformed(f"{path.name} is damaged and cannot be opened")
            session = cls(
                game,
                saved.names,
                options=saved.options,
                setup=saved.setup,
                seed=saved.seed,
                computers=saved.computers,
                saves=path.parent,
            )
            coder = codec.Coder(game.types.action)
            played = ((seat, coder.decode(action), n) for seat, action, n in saved.actions)
            session.table.take_up(played, saved.drawn)
            session._agree(saved.agreed)
        except Malformed:
            raise
        except EngineError as error:
            raise Malformed(f"{path.name} is damaged and cannot be opened") from error
        if path.name.startswith(UNFINISHED):
            session._kept = path
        session._happenings.clear()
        return session

    @classmethod
    def going_on(
        cls,
        recording: Recording,
        step: int,
        *,
        computers: tuple[int, ...] = (),
        saves: Path | None = None,
    ) -> LocalSession:
        """A match that goes on from a recording's first `step` actions and what they force.
        Raises `IllegalAction` if it cannot (see `Recording.can_go_on`)."""
        log = recording.log
        while step < len(log) and log[step].forced:
            step += 1
        if not recording.can_go_on(step):
            raise IllegalAction("table", "The chances of this match cannot be met again here")
        session = cls(
            recording.game,
            recording.names,
            options=recording.options,
            setup=recording.setup,
            seed=secrets.token_bytes(32) if recording.seed is None else recording.seed,
            computers=computers,
            saves=saves,
        )
        session.table.replay(log[:step])
        session._views.clear()
        session._happenings.clear()
        return session

    def state(self, seat: int) -> State:
        """The seat's view."""
        if seat not in self._views:
            self._views[seat] = self.table.view(seat)
        return self._views[seat]

    def to_act(self) -> tuple[int, ...]:
        """The seats that may act now."""
        return self.table.to_act

    def waiting(self) -> str | None:
        """A sentence while a computer player is to act."""
        if any(seat in self.computers for seat in self.table.to_act):
            return "The computer is to play."
        return None

    def actions(self, seat: int) -> Iterable[Action]:
        """Legal actions of the seat as far as it knows."""
        if seat not in self.table.to_act:
            return iter(())
        return self.game.actions(self.state(seat), seat)

    def act(self, seat: int, action: Action) -> None:
        """Takes the action. Raises `IllegalAction`."""
        self.table.act(seat, action)
        self._note_end()
        if seat in self.seats_here and self.table.result is None:
            self._keep()

    def resign(self, seat: int) -> None:
        """Ends the match in favour of the others."""
        self.table.resign(seat)
        self._note_end()

    def offer_draw(self, seat: int) -> None:
        """In hotseat the players have agreed at the table; a computer never agrees."""
        self.table.offer_draw(seat)
        if not self.computers:
            for other in self.seats_here:
                if self.table.result is None:
                    self.table.offer_draw(other)
        elif self.table.result is None:
            self._happenings.append(Noticed("The computer plays on."))
        self._note_end()

    def can_undo(self) -> bool:
        """Whether there is an action to take back."""
        return self.table.can_undo

    def undo(self) -> None:
        """Takes the last action back, and with it what a computer did since."""
        self._take_back()
        while self.table.can_undo and not set(self.table.to_act) & set(self.seats_here):
            self._take_back()
        self._happenings.append(Jumped())

    def can_redo(self) -> bool:
        """Whether an action was taken back and nothing else done since."""
        return self.table.can_redo

    def redo(self) -> None:
        """Does the last action taken back again, and with it what a computer did after it."""
        self._do_again()
        while self.table.can_redo and not set(self.table.to_act) & set(self.seats_here):
            self._do_again()
        self._note_end()
        self._happenings.append(Jumped())

    def _do_again(self) -> None:
        self.table.redo()
        self._views.clear()

    def reseat(self, computers: tuple[int, ...]) -> None:
        """From now on the computer plays these seats; the rest sit here."""
        self.computers = computers
        self.seats_here = tuple(s for s in range(self.game.seats) if s not in computers)
        self._happenings.clear()

    def _take_back(self) -> None:
        self.table.undo()
        self._views.clear()
        self._has_ended = False

    def poll(self) -> list[Happening]:
        """What happened; if nothing did, a computer player takes its next action."""
        if not self._happenings:
            for seat in self.table.to_act:
                if seat in self.computers:
                    self.act(seat, self._chosen(seat))
                    break
        happenings, self._happenings = self._happenings, []
        for happening in happenings:
            self.listener(happening)
        return happenings

    def save(self, name: str) -> None:
        """Keeps the match in the saves folder, see `place_for`. Raises `OSError`."""
        if self._saves is None:
            raise FileNotFoundError("This table has no folder for saves")
        self._saved().write(path := place_for(self._saves, name, SUFFIX, self.table.seed))
        self._happenings.append(Noticed(f"Saved as {path.stem}."))

    def _keep(self) -> None:
        """Keeps a match that goes on in a file of its own, one that is over among the finished
        ones; a disk that refuses is no reason to stop playing."""
        if self._saves is None:
            return
        try:
            if self.table.result is not None:
                keep_finished(self._saves, self._saved())
                self.close()
                return
            if self._kept is None:
                self._kept = self._saves / f"{UNFINISHED}{secrets.token_hex(4)}{SUFFIX}"
            self._saved().write(self._kept)
        except OSError:
            self._kept = None

    def _saved(self) -> Saved:
        table = self.table
        return Saved(
            FORMAT,
            self.game.id,
            self.game.rules_version,
            dict(table.options),
            table.setup,
            table.seed,
            self.names,
            self.computers,
            tuple((r.seat, codec.encode(r.action), r.drawn) for r in table.log if not r.forced),
            table.drawn,
            table.agreed,
        )

    def _agree(self, result: Result | None) -> None:
        """Ends the match as it was agreed to end, if it was. Raises `IllegalAction`."""
        if result is None:
            return
        for seat in range(self.game.seats):
            if not result.winners:
                self.table.offer_draw(seat)
            elif seat not in result.winners:
                self.table.resign(seat)

    def result(self) -> Result | None:
        """How the match ended."""
        return self.table.result

    def verdict(self) -> str | None:
        """Nothing is audited on one machine."""
        return None

    def recording(self, seat: int) -> Recording | None:
        """All of it once the match is over."""
        return of_table(self.table, self.names, None if self.table.result is not None else seat)

    def link(self) -> LinkState:
        """There is no other machine."""
        return LinkState()

    def close(self) -> None:
        """What was kept by itself goes: the player has saved the match or wants none of it."""
        if self._kept is not None:
            self._kept.unlink(missing_ok=True)

    def _observe(self, event: Event, state: State) -> None:
        self._views.clear()
        for seat in self.seats_here:
            if may_know(event, seat):
                self._happenings.append(Happened(seat, event))

    def _note_end(self) -> None:
        result = self.table.result
        if result is not None and not self._has_ended:
            self._has_ended = True
            self._happenings.append(Ended(result))
            self._keep()

    def _chosen(self, seat: int) -> Action:
        """A kind of action at random, then one of that kind, so that no kind drowns the rest."""
        kinds: dict[type, list[Action]] = {}
        for action in self.actions(seat):
            kinds.setdefault(type(action), []).append(action)
        if not kinds:
            raise IllegalAction("table", "The computer has no action left")
        return self._choice.choice(kinds[self._choice.choice(list(kinds))])
