"""Where unseen enemies could be, worked out from what one seat knows and nothing else.

The start position is common knowledge, and so is the place of every piece that goes out of
sight. From there each unseen piece is followed by itself, as a set of cells:

- A Turn has one Move. If it was seen, no unseen piece made it; else each could have made it.
- An unseen passenger goes along with its carrier, an unseen piece is dozed along, bikes and packs
  move only while such articles can be in unseen hands; a pick-up or a drop nobody is seen to
  make happens where the article was or is.
- Cells drop out where own pieces stand, moved, or fired without effect, where a projectile passed,
  and where own detectors would see; a piece without Stealth is unseen at Sub only.

Bound: the sets never miss (each unseen enemy is in the set of a suspect of its kind), but they may
hold too much, since each is followed without regard to where the others are. They are exact at
the start, when a piece goes out of sight, and as long as the enemy's Moves are seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from cloakboard.client.cells import along, around, bits, members, moved_too, routes
from cloakboard.client.recording import Recording
from cloakboard.engine.events import Event
from cloakboard.engine.table import Record
from cloakboard.engine.wec import actions as acts
from cloakboard.engine.wec.board import find
from cloakboard.engine.wec.detection import CELLS, zone_keys
from cloakboard.engine.wec.events import Article, Changed, Flew, Lapsed, Thwarted
from cloakboard.engine.wec.headings import line, step
from cloakboard.engine.wec.movement import movement_of
from cloakboard.engine.wec.options import agreed
from cloakboard.engine.wec.pieces import CARRIERS, INHERENT, PRIMARIES
from cloakboard.engine.wec.state import AIR, GROUND, SQUARES, SUB, Piece, State

PROJECTILE_LEVEL: Final = {"R": GROUND, "S": AIR, "T": SUB}
SUB_CELLS: Final = ((1 << SQUARES) - 1) << SUB * SQUARES
GROUND_CELLS: Final = (1 << SQUARES) - 1
FIRING: Final = frozenset({"fires", "takes_off"})
LOSSES: Final = frozenset(
    {"taken", "burnt", "rocket", "sam", "torpedo", "crushed", "stunned", "converted"}
)


@dataclass(frozen=True, slots=True)
class Suspect:
    """An unseen enemy piece and where it could be; `is_known`: there is one cell only."""

    kind: str
    hand: str
    cells: frozenset[int]

    @property
    def is_known(self) -> bool:
        """Whether it can be in one cell only."""
        return len(self.cells) == 1


@dataclass(frozen=True, slots=True)
class _Track:
    """One unseen piece. Bit sets of cells: `still` if the Turn's Move is yet to be made or was
    seen, `gone` if an unseen piece has made it."""

    kind: str
    hand: str
    still: int
    gone: int


def suspects(recording: Recording, seat: int) -> tuple[Suspect, ...]:
    """The unseen enemies of a seat after a recording, whole or limited to what that seat knows
    (see the module text for the bound). Of the privately seen ones the place is known."""
    tracker = Tracker(recording, seat)
    tracker.follow(recording.log)
    return tracker.suspects()


class Tracker:
    """Follows a match as a seat knows it; `follow` may be called again with a longer log."""

    def __init__(self, recording: Recording, seat: int) -> None:
        self._game = recording.game
        self._seat = seat
        self._enemy = 1 - seat
        full = recording.game.start(recording.options, recording.setup)  # common knowledge
        self._state: State = recording.game.view(full, seat)
        self._options = agreed(self._state.options)
        self._movement = movement_of(self._state.options)
        hidden = [p for p in full.pieces if p.side == self._enemy and not p.handle]
        self._tracks = [_track(piece) for piece in hidden]
        self._afloat = Counter(gear.kind for piece in hidden for gear in piece.gear)
        self._move_seen = False
        self._done = 0
        self._settle()

    @property
    def followed(self) -> int:
        """How many records have been followed."""
        return self._done

    def suspects(self) -> tuple[Suspect, ...]:
        """The suspects now, in a fixed order."""
        found = [
            Suspect(track.kind, track.hand, frozenset(members(self._cells(track))))
            for track in self._tracks
        ]
        return tuple(sorted(found, key=lambda one: (one.kind, one.hand, sorted(one.cells))))

    def follow(self, log: Iterable[Record]) -> None:
        """Follows what of a log has not been followed yet."""
        for record in tuple(log)[self._done :]:
            self._done += 1
            self._follow(record)

    def _cells(self, track: _Track) -> int:
        return track.still if self._move_seen else track.still | track.gone

    def _follow(self, record: Record) -> None:
        before = self._state
        events = [e for e in record.events if not e.only or self._seat in e.only]
        action = record.action
        if record.seat == self._enemy and action is not None:
            action, _ = self._game.split(before, record.seat, action)
        if record.seat == self._enemy:
            if action is None:
                self._follow_unseen(before, events)
            else:
                self._follow_seen(before, action, events)
        state = before
        for event in events:
            self._take(state, event)
            state = self._game.apply(state, event)
        self._state = state
        self._follow_handling(events, action is None)
        self._exclude(self._emptied(before, record.seat, action, events))
        if isinstance(action, acts.EndTurn):
            self._tracks = [_at(track, self._cells(track)) for track in self._tracks]
            self._move_seen = False
            self._settle()
        self._exclude(bits(p.cell for p in state.pieces if p.side == self._seat))

    # -- what the enemy does -----------------------------------------------------------------

    def _follow_seen(self, state: State, action: acts.Action, events: list[Event]) -> None:
        if isinstance(action, acts.Move):
            self._move_seen = True
            piece = find(state, self._enemy, action.piece)
            if piece is not None and piece.kind in CARRIERS:
                for end in _ends(events)[:1]:
                    self._carry(piece.cell, end)
        elif isinstance(action, acts.Doze):
            self._move_seen = True
            if not any(isinstance(event, Thwarted) for event in events):
                self._push(state, action)

    def _carry(self, start: int, end: int) -> None:
        """An unseen passenger may have gone along."""
        self._tracks = [
            replace(
                track,
                still=moved_too(track.still, start, end),
                gone=moved_too(track.gone, start, end),
            )
            for track in self._tracks
        ]

    def _push(self, state: State, action: acts.Doze) -> None:
        """Unseen pieces on the picked squares are dozed along."""
        dozer = find(state, self._enemy, action.dozer)
        if dozer is None:
            return
        shifts = {
            square: step(square, action.heading, self._enemy)
            for square in (dozer.square, *action.picked)
        }

        def pushed(cells: int) -> int:
            found = cells
            for square in shifts:
                found &= ~(1 << square)
            for square, end in shifts.items():
                if cells >> square & 1 and end is not None:
                    found |= 1 << end
            return found

        self._tracks = [
            replace(track, still=pushed(track.still), gone=pushed(track.gone))
            for track in self._tracks
        ]

    def _follow_unseen(self, state: State, events: list[Event]) -> None:
        """A veiled action: a Move, a ride, a flight, or something that moves nobody."""
        if any(isinstance(e, Flew) and e.before is None for e in events) or any(
            isinstance(e, Changed) and e.cause == "fires" for e in events
        ):
            return
        taken = _taken(events, self._seat)
        lost = any(isinstance(e, Changed) and e.cause in LOSSES for e in events)
        if not lost and any(isinstance(event, Article) for event in events):
            return
        tracks = self._tracks
        if not self._move_seen:
            blocked = bits(piece.cell for piece in state.pieces)
            moved = [self._reach(track, blocked) for track in tracks]
            carried = self._carried(blocked)
            dozes = any(t.kind == "DO" and t.still & GROUND_CELLS for t in tracks)
            tracks = [
                replace(
                    track,
                    gone=track.gone
                    | track.still
                    | ends
                    | along(track.still, carried)
                    | (around(track.still & GROUND_CELLS) if dozes else 0),
                )
                for track, ends in zip(tracks, moved, strict=True)
            ]
        tracks = [
            replace(
                track,
                still=track.still | self._transported(track.still),
                gone=track.gone | self._transported(track.gone),
            )
            for track in tracks
        ]
        for cell in taken:
            tracks = _caught(self._tracks, tracks, cell)
        self._tracks = tracks

    def _reach(self, track: _Track, blocked: int) -> int:
        """Where a Move could take it, cells included where it would be stopped and take."""
        found = 0
        for cell in members(track.still):
            for route in routes(self._movement, track.kind, track.hand, self._enemy, cell):
                for entered in route:
                    found |= 1 << entered
                    if blocked >> entered & 1:
                        break
        return found

    def _carried(self, blocked: int) -> dict[int, int]:
        """By cell, where an unseen carrier there could take a passenger."""
        found: dict[int, int] = {}
        for track in self._tracks:
            if track.kind in CARRIERS:
                for cell in members(track.still):
                    here = _Track(track.kind, track.hand, 1 << cell, 0)
                    found[cell] = found.get(cell, 0) | self._reach(here, blocked)
        return found

    def _transported(self, cells: int) -> int:
        """Where a bike or a pack could take it, as far as such articles are in unseen hands."""
        found = 0
        if self._afloat["BI"]:
            found |= around(cells & GROUND_CELLS)
        for pack, level in (("JP", AIR), ("SC", SUB)):
            if not self._afloat[pack]:
                continue
            shift = level * SQUARES
            aloft = cells >> shift & GROUND_CELLS
            near = aloft | around(aloft)
            up = cells & GROUND_CELLS
            if self._options["transport_from"] == "any":
                up |= cells >> SQUARES & GROUND_CELLS | cells >> 2 * SQUARES & GROUND_CELLS
            found |= (near | up) << shift | near
        return found

    # -- what becomes known ------------------------------------------------------------------

    def _take(self, state: State, event: Event) -> None:
        match event:
            case Lapsed(handles=handles):
                for piece in state.pieces:
                    if piece.handle in handles and piece.side == self._enemy:
                        self._add(piece)
            case Changed(before=before, after=after):
                if before is not None and before.side == self._enemy and not before.handle:
                    self._reveal(before)
                if after is not None and after.side == self._enemy and not after.handle:
                    self._add(after)
            case _:
                pass

    def _add(self, piece: Piece) -> None:
        self._tracks.append(_track(piece))
        self._afloat.update(gear.kind for gear in piece.gear)

    def _reveal(self, piece: Piece) -> None:
        """One of the tracks ends. Of several that could be it, the others may be any of them."""
        alike = [t for t in self._tracks if (t.kind, t.hand) == (piece.kind, piece.hand)]
        able = [t for t in alike if (t.still | t.gone) >> piece.cell & 1] or alike
        if able:
            rest = [track for track in self._tracks if track not in able]
            still = gone = 0
            for track in able:
                still, gone = still | track.still, gone | track.gone
            others = [replace(t, still=still, gone=gone) for t in able[1:]]
            spare = sum(track in able for track in self._tracks) - len(able)
            self._tracks = rest + others + [replace(able[0], still=still, gone=gone)] * spare
        self._afloat.subtract(gear.kind for gear in piece.gear)
        self._afloat = +self._afloat

    def _follow_handling(self, events: list[Event], is_unseen: bool) -> None:
        """Articles that unseen pieces take, lay down, give and get."""
        lost = any(isinstance(e, Changed) and e.cause in LOSSES for e in events)
        for event in events:
            if isinstance(event, Article) and is_unseen and not lost:
                self._locate(event.square)
                if event.came:
                    self._afloat.subtract([event.gear.kind])
                else:
                    self._afloat.update([event.gear.kind])
        handed = [e for e in events if isinstance(e, Changed) and e.cause in ("gives", "receives")]
        if len(handed) == 1 and handed[0].before and handed[0].after:
            before = Counter(gear.kind for gear in handed[0].before.gear)
            after = Counter(gear.kind for gear in handed[0].after.gear)
            if handed[0].after.side == self._enemy:
                self._afloat.update(before - after)
                self._afloat.subtract(after - before)
        self._afloat = +self._afloat

    def _locate(self, square: int) -> None:
        """An unseen piece stands on that square: if one alone can, it does."""
        able = [
            track
            for track in self._tracks
            if any((track.still | track.gone) >> level * SQUARES + square & 1 for level in range(3))
        ]
        if len(able) == 1:
            here = sum(1 << level * SQUARES + square for level in range(3))
            self._tracks[self._tracks.index(able[0])] = replace(
                able[0], still=able[0].still & here, gone=able[0].gone & here
            )

    def _exclude(self, cells: int) -> None:
        """No unseen enemy is in any of these cells."""
        if cells:
            self._tracks = [
                replace(track, still=track.still & ~cells, gone=track.gone & ~cells)
                for track in self._tracks
            ]

    def _emptied(
        self, state: State, seat: int, action: acts.Action | None, events: list[Event]
    ) -> int:
        """Cells in which something would have met, or hit and shown, an unseen enemy."""
        found = 0
        for event in events:
            if isinstance(event, Flew) and event.before is not None and event.after is not None:
                found |= 1 << PROJECTILE_LEVEL[event.after.kind] * SQUARES + event.after.square
        found |= bits(_ends(events, self._seat))
        if isinstance(action, acts.Move) and seat == self._seat:
            ends = _ends(events)
            for cell in action.route:
                found |= 1 << cell
                if cell in ends:
                    break
        elif isinstance(action, acts.Blast):
            found |= self._swept(state, seat, action, events)
        return found

    def _swept(self, state: State, seat: int, action: acts.Blast, events: list[Event]) -> int:
        """The cells that a flamer, stun gun or conversion hit or passed."""
        firer = find(state, seat, action.piece)
        if firer is None:
            return 0
        if action.weapon == "CS":
            return bits(line(firer.cell, action.heading, seat, 1)) if seat == self._seat else 0
        reach = "flamer_range" if action.weapon == "FL" else "stun_range"
        cells = line(firer.cell, action.heading, seat, self._options[reach])
        if action.weapon == "FL":
            return bits(cells)
        struck = {piece.cell for piece in state.pieces}
        struck |= {e.before.cell for e in events if isinstance(e, Changed) and e.before}
        found = 0
        for cell in cells:
            found |= 1 << cell
            if cell in struck:
                break
        return found

    # -- the end of a Turn -------------------------------------------------------------------

    def _settle(self) -> None:
        """Sight has been settled: own detectors see what is near, and a piece that nothing hides
        would have been shown (WEC-97)."""
        state, options = self._state, self._options
        keys = set(zone_keys(state, self._seat))
        shallow = bits(key for key in keys if key < CELLS)
        stealth = bits(key - CELLS for key in keys if key >= CELLS)
        secret = state.secrets[self._seat]
        sighted = secret.sighted if secret is not None else ()
        tracks = []
        for track in self._tracks:
            seen = bits(p.cell for p in sighted if (p.kind, p.hand) == (track.kind, track.hand))
            cells = track.still
            can_hide = self._may_be_stealthed(track.kind)
            barred = stealth & ~SUB_CELLS
            if options["dominance"] == "submersion" or not can_hide:
                barred |= shallow & SUB_CELLS
            else:
                barred |= shallow & stealth & SUB_CELLS
            if not can_hide:
                cells &= SUB_CELLS
            cells = cells & ~barred | track.still & seen
            tracks.append(_at(track, cells or track.still))
        for piece in sighted:
            able = [
                t
                for t in tracks
                if (t.kind, t.hand) == (piece.kind, piece.hand) and t.still >> piece.cell & 1
            ]
            if len(able) == 1:
                tracks[tracks.index(able[0])] = _at(able[0], 1 << piece.cell)
        self._tracks = tracks

    def _may_be_stealthed(self, kind: str) -> bool:
        if not self._options["stealth_invisible"]:
            return False
        if "SH" in INHERENT.get(kind, ()):
            return True
        if kind in PRIMARIES and not self._options["king_may_stealth"]:
            return False
        return self._afloat["SH"] > 0


def _track(piece: Piece) -> _Track:
    return _Track(piece.kind, piece.hand, 1 << piece.cell, 0)


def _at(track: _Track, cells: int) -> _Track:
    return _Track(track.kind, track.hand, cells, 0)


def _caught(before: list[_Track], after: list[_Track], cell: int) -> list[_Track]:
    """One of the unseen pieces took what stood in a cell and is there now: if one alone could
    have come there, it did, and nobody else moved."""
    able = [i for i, track in enumerate(after) if (track.still | track.gone) >> cell & 1]
    if len(able) != 1:
        return after
    here = able[0]
    return [
        replace(track, still=1 << cell, gone=1 << cell)
        if index == here
        else replace(before[index], gone=before[index].still | before[index].gone)
        for index, track in enumerate(after)
    ]


def _ends(events: Iterable[Event], side: int | None = None) -> list[int]:
    """The cells where Moves and rides ended, of one side if it is named."""
    return [
        event.after.cell
        for event in events
        if isinstance(event, Changed)
        and event.cause == "moves"
        and event.after is not None
        and side in (None, event.after.side)
    ]


def _taken(events: Iterable[Event], side: int) -> list[int]:
    """The cells where pieces of a side were taken."""
    return [
        event.before.cell
        for event in events
        if isinstance(event, Changed)
        and event.cause == "taken"
        and event.before is not None
        and event.before.side == side
    ]
