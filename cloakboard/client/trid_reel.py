"""Looking back on a match of tri-dimensional chess: moves in words and on a score sheet."""

from __future__ import annotations

from functools import cached_property

from cloakboard.client.boards.trid_play import Ply, ply
from cloakboard.client.film import TAG, Film, Line
from cloakboard.client.recording import Recording
from cloakboard.engine.trid.board import BLACK
from cloakboard.engine.trid.rules import checked
from cloakboard.engine.trid.state import NOWHERE
from cloakboard.engine.trid.text import SEATS, ending


class TridReel(Film):
    """See `Film`. Nothing is hidden, so all eyes see the same."""

    has_headings = False  # every move has its number

    def __init__(self, recording: Recording, eyes: int | None) -> None:
        super().__init__(recording, eyes)
        self._plies: list[Ply] = []

    def plies(self, step: int) -> list[Ply]:
        """The moves that led to a step."""
        for done in range(len(self._plies) + 1, step + 1):
            self._plies.append(ply(self.state(done - 1), self.events(done)))
        return self._plies[:step]

    def told(self, step: int) -> str:
        """When it was, and what came of it."""
        before = self.state(max(0, step - 1))
        return f"Move {before.number}, {SEATS[before.side]}: {' '.join(self.sentences(step))}"

    def sentences(self, step: int) -> tuple[str, ...]:
        """The move, and what came of it."""
        if step == 0:
            return ("The start position.",)
        one, after = self.plies(step)[-1], self.state(step)
        said = [f"{self.recording.game.say(one.before, one.action)}."]
        if after.ended:
            said.append(ending(after))
        elif checked(after) != NOWHERE:
            said.append(f"{SEATS[after.side]} is in check.")
        return tuple(said)

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """A line for each move."""
        found: list[Line] = []
        for step in range(1, self.steps + 1):
            before = self.state(step - 1)
            dots = "..." if before.side == BLACK else "."
            text = f"{before.number}{dots} {' '.join(self.sentences(step))}"
            found.append(Line(step, before.number, before.side, text))
        return tuple(found)

    @cached_property
    def notation_lines(self) -> tuple[Line, ...]:
        """A line for each pair of moves; its step is the second's."""
        texts = [text for text in self.notation().splitlines() if text and text[0] != TAG]
        ends = [
            step
            for step in range(1, self.steps + 1)
            if step == self.steps or self.state(step - 1).side == BLACK
        ]
        return tuple(
            Line(step, self.state(step - 1).number, 0, text)
            for step, text in zip(ends, texts, strict=True)
        )
