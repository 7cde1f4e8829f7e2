"""The simulator's report: seeds, games, faults by kind, divergences."""

from __future__ import annotations

from collections import Counter

from tests.weather.run import Run


class Report:
    """Sums up runs. `divergences`: how many of them had a problem."""

    def __init__(self) -> None:
        self.divergences = 0
        self._games: Counter[str] = Counter()
        self._faults: Counter[str] = Counter()
        self._entries = 0
        self._epochs = 0

    def add(self, run: Run) -> None:
        """One run more."""
        self._games[run.game] += 1
        self._faults += run.faults
        self._entries += run.entries
        self._epochs += run.epochs
        self.divergences += bool(run.problems)

    def missing(self, kinds: set[str]) -> set[str]:
        """Those of the kinds of fault that never came."""
        return {kind for kind in kinds if not self._faults[kind]}

    def text(self) -> str:
        """The report, a line a fact."""
        games = ", ".join(f"{count} of {game}" for game, count in sorted(self._games.items()))
        lines = [
            f"seeds        {self._games.total()} ({games})",
            f"entries      {self._entries}, in {self._epochs} epochs after the first",
            *(f"{count:12d} {kind}" for kind, count in sorted(self._faults.items())),
            f"divergences  {self.divergences}",
        ]
        return "\n".join(lines)
