"""How a table is looked at: what is marked besides the choice, and what of the board is shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cloakboard.client.grid import Lighting
from cloakboard.client.marks import Mark
from cloakboard.client.suspects import Suspect, Tracker
from cloakboard.client.words import PIECES, listed
from cloakboard.engine.wec.state import SQUARES, Piece

if TYPE_CHECKING:
    from cloakboard.client.play import Play

LIGHTS = tuple(Lighting)
QUARTERS = ((0, 1), (1, 1), (0, 0), (1, 0))  # (right, up), as one reads


@dataclass(frozen=True, slots=True)
class ViewPrefs:
    """What a player prefers; `keep` is told the name and value of what changed."""

    lighting: str = "lamp"
    is_single: bool = False
    last_seen: bool = True
    keep: Callable[[str, object], None] = lambda name, value: None


class TableView:
    """The switches of one table. `quarter` is the enlarged part of the board, or None."""

    def __init__(self, play: Play, prefs: ViewPrefs) -> None:
        self._play = play
        self._prefs = prefs
        self.lighting = Lighting(prefs.lighting)
        self.is_single = prefs.is_single
        self.last_seen = prefs.last_seen
        self.threats = False
        self.reserves = False
        self.places = False
        self.quarter: tuple[int, int] | None = None
        self._trackers: dict[int, Tracker] = {}
        self._suspects: dict[int, tuple[Suspect, ...]] = {}
        self._known_at: dict[int, object] = {}

    def keep(self, name: str, value: object) -> None:
        """Keeps something the player prefers."""
        self._prefs.keep(name, value)

    def next_lighting(self) -> None:
        """The next kind of light; it is kept."""
        place = LIGHTS.index(self.lighting)
        self.lighting = LIGHTS[(place + 1) % len(LIGHTS)]
        self.keep("lighting", self.lighting.value)

    def switch_single(self) -> None:
        """One board, or the level boards beside it; it is kept."""
        self.is_single = not self.is_single
        self.keep("board_view", "single" if self.is_single else "levels")

    def switch_last_seen(self) -> None:
        """Marks of where enemies were last seen; it is kept."""
        self.last_seen = not self.last_seen
        self.keep("last_seen", self.last_seen)

    def zoom(self, quarter: tuple[int, int] | None) -> None:
        """Enlarges a quarter, or shows the whole board if that is enlarged already."""
        self.quarter = None if quarter == self.quarter else quarter

    def next_quarter(self) -> None:
        """The whole board, then each quarter as one reads."""
        order = (None, *QUARTERS)
        self.quarter = order[(order.index(self.quarter) + 1) % len(order)]

    # Possible places ----------------------------------------------------------------------

    def suspects(self) -> tuple[Suspect, ...]:
        """Where unseen enemies could be, as of what the viewer has been shown."""
        play, seat = self._play, self._play.viewer
        if play.is_behind or play.curtain is not None:
            return self._suspects.get(seat, ())
        if self._known_at.get(seat) is not play.state:
            self._known_at[seat] = play.state
            self._suspects[seat] = self._follow(seat)
        return self._suspects[seat]

    def _follow(self, seat: int) -> tuple[Suspect, ...]:
        recording = self._play.session.recording(seat)
        if recording is None or recording.result is not None:
            return ()
        tracker = self._trackers.get(seat)
        if tracker is None or tracker.followed > len(recording.log):
            tracker = self._trackers[seat] = Tracker(recording, seat)
        tracker.follow(recording.log)
        return tracker.suspects()

    def possible(self) -> tuple[tuple[int, Mark], ...]:
        """The squares where an unseen enemy could be, if they are to be shown."""
        if not self.places:
            return ()
        squares = {cell % SQUARES for one in self.suspects() for cell in one.cells}
        return tuple((square, Mark.POSSIBLE) for square in sorted(squares))

    def certain(self) -> tuple[Piece, ...]:
        """Unseen enemies whose place is known, as pieces to be drawn faintly."""
        if not self.places:
            return ()
        enemy = 1 - self._play.viewer
        return tuple(
            Piece(enemy, one.kind, min(one.cells), one.hand)
            for one in self.suspects()
            if one.is_known
        )

    def ghosts(self) -> tuple[Piece, ...]:
        """What is drawn faintly: where enemies were last seen (WEC-98), or are for certain."""
        return (*(self._play.ghosts() if self.last_seen else ()), *self.certain())

    def hiding(self, square: int) -> tuple[str, ...]:
        """A line about who could be unseen in a square."""
        if not self.places:
            return ()
        kinds = dict.fromkeys(
            PIECES[one.kind]
            for one in self.suspects()
            if any(cell % SQUARES == square for cell in one.cells)
        )
        return (f"Could hide here: {listed(tuple(kinds))}",) if kinds else ()
