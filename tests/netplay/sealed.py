"""Matches whose secrets lie sealed in entry 0 and whose files are on the disk, as those of real
machines: what can be opened again by `saves`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cloakboard.engine.game import Game
from cloakboard.netplay.links.greeting import Begun
from cloakboard.netplay.lockstep import journal, saves
from cloakboard.netplay.lockstep.journal import Journal
from cloakboard.netplay.transcript import header_hash, sign_joint
from cloakboard.netplay.veil.opening import compose, joint_entry, lay_down, opening_header
from tests.netplay.rig import Rig, identity


class Sealed(Rig):
    """A rig with a file a seat, at `paths`; `keep` brings them up to date."""

    def __init__(
        self,
        folder: Path,
        game: Game,
        options: Mapping[str, Any] | None = None,
        room: Mapping[str, Any] | None = None,
        seed: int = 1,
    ) -> None:
        super().__init__(game, seed, options)
        seats = range(game.seats)
        nonce = bytes([seed]) * 32
        laid = tuple(lay_down(identity(seat), f"p{seat}", nonce, seat) for seat in seats)
        opening = compose(game, "test", options or {}, "", nonce, laid, room or {})
        header = opening_header(opening)
        entry = joint_entry(opening, tuple(sign_joint(identity(seat), header) for seat in seats))
        self.paths = []
        self.files = [[] for _ in seats]
        self.told = [[] for _ in seats]
        for seat in seats:
            meta = journal.Meta("test", game.id, game.rules_version, seat, seat, hosts=seat == 0)
            begun = Begun(entry, opening, header_hash(header), seat)
            opened = saves.create(folder / str(seat), game, identity(seat), begun, meta)
            self.paths.append(opened.journal.path)
            self.peers[seat] = opened.match
            opened.journal.close()
        for peer in self.peers:
            peer.begin()
        self.flush()
        self.keep()

    def keep(self) -> None:
        """What the machines have written goes to their files."""
        for path, records in zip(self.paths, self.files, strict=True):
            file, _ = Journal.reopen(path)
            for kind, payload in records:
                file.append(kind, payload)
            file.close()
            records.clear()

    def start_again(self, *seats: int) -> None:
        """These machines start from their files alone; then all meet again."""
        self.keep()
        self.cut()
        for seat in seats:
            self.peers[seat] = self.reopened(self.paths[seat], seat)
        self.reconnect()

    def reopened(self, path: Path, seat: int) -> Any:
        """The match of a file, as its seat's program opens it."""
        opened = saves.open_match(path, identity(seat), {self.game.id: self.game})
        opened.journal.close()
        return opened.match
