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
        self._agreed: Counter[str] = Counter()
        self._ends: Counter[str] = Counter()
        self._entries = 0
        self._epochs = 0
        self._secrets = 0

    def add(self, run: Run) -> None:
        """One run more."""
        self._games[run.game] += 1
        self._faults += run.faults
        self._agreed += run.agreed
        self._ends += run.ends
        self._entries += run.entries
        self._epochs += run.epochs
        self._secrets += run.secrets
        self.divergences += bool(run.problems)

    def missing(self, kinds: set[str]) -> set[str]:
        """Those of the kinds of fault that never came."""
        return {kind for kind in kinds if not self._faults[kind]}

    def text(self) -> str:
        """The report, a line a fact."""
        lines = [
            f"seeds        {self._games.total()} ({_listed(self._games)})",
            f"entries      {self._entries}, in {self._epochs} epochs after the first",
            f"secrets      {self._secrets} written that serve once",
            f"agreed on    {_listed(self._agreed)}",
            f"ended by     {_listed(self._ends)}",
            *(f"{count:12d} {kind}" for kind, count in sorted(self._faults.items())),
            f"divergences  {self.divergences}",
        ]
        return "\n".join(lines)


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
