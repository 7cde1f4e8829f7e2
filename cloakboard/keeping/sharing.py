"""What a profile tells friends of finished matches, and takes from them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cloakboard.achievements.errors import KeepingError
from cloakboard.keeping.chain import record_of_proof
from cloakboard.keeping.keeper import Keeper
from cloakboard.netplay.lockstep.meeting import Signed

MOST_TAKEN: Final = 2_000  # records at one meeting


class Sharing:
    """See `netplay.lockstep.meeting.Share`."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._met: frozenset[bytes] = frozenset()
        self.fresh = 0
        self.refused: list[str] = []

    def players(self) -> frozenset[bytes]:
        """Everybody whom this player has finished a match with, and itself."""
        key = self._keeper.key
        met = {key}
        for record in self._keeper.ledger.records():
            keys = {player.key for player in record.players}
            if key in keys:
                met |= keys
        self._met = frozenset(met)
        return self._met

    def matches(self) -> frozenset[bytes]:
        """Matches of which everything is known, or nothing is to be known."""
        return self._keeper.ledger.matches()

    def signed(self) -> Iterator[Signed]:
        """Every record that its players have signed, the newest first."""
        for record in reversed(self._keeper.ledger.records()):
            if record.is_signed:
                keys = tuple(player.key for player in record.players)
                yield Signed(record.match, keys, record.proof)

    def take(self, proof: tuple[bytes, ...]) -> None:
        """Keeps a true record of players whom this one has met, as of the last `players`."""
        try:
            record = record_of_proof(proof, self._keeper.games)
            keys = {player.key for player in record.players}
            if keys <= self._met and self.fresh < MOST_TAKEN:
                self.fresh += self._keeper.ledger.add(record)
        except KeepingError as error:
            self.refused.append(str(error))
