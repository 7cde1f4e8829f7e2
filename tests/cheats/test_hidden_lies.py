"""Lies about what is hidden: the game goes on, and the audit names the liar (VEIL 1).

Each lie is told over Line for two seats and for three, and over Weaponized Chess. In every
file of an honest machine it is the liar who is convicted, in no state of any file anybody
else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from cloakboard.engine.codec import encode
from cloakboard.engine.game import Action, Game
from cloakboard.engine.probes import Form, Probe
from cloakboard.engine.wec.actions import Blast, EndTurn, Move, Ref
from cloakboard.engine.wec.events import Changed
from cloakboard.engine.wec.probes import Detected, Lot, Shown, Sight, Standing
from cloakboard.engine.wec.state import SQUARES, SUB
from cloakboard.netplay.transcript import Act, Ask, Rows, Slot, Trace
from cloakboard.netplay.veil.rows import MAC_BYTES
from cloakboard.netplay.veil.secrets import commit_action
from tests.cheats.court import convict
from tests.cheats.liars import Liar, liar, part
from tests.cheats.positions import AAA_AT, FAR_SUB_AT, NEAR_SUB_AT, SUB_AT, crowd
from tests.engine.wec.build import cell
from tests.netplay.rig import Rig
from tests.tiny import game as line
from tests.tiny.actions import Creep
from tests.tiny.probes import Told

Maker = Callable[..., Liar]
SHORT = {"turns": 9}


# --- the lies ------------------------------------------------------------------------------


def hides_from_show(state: Any, probe: Probe, truth: Any) -> Any:
    """Answers none though a piece stands there."""
    if probe.form is not Form.SHOW:
        return truth
    return Shown() if isinstance(truth, Shown) else None


def hides_from_duty(state: Any, probe: Probe, truth: Any) -> Any:
    """Leaves out what was found out."""
    if isinstance(truth, Told):
        return Told((), truth.sprung)
    return Shown() if isinstance(probe, Detected) else truth


def asks_beyond(state: Any, probe: Probe, truth: Any) -> Any:
    """Asks for cells that its pieces do not see."""
    if probe.form is not Form.SIGHT:
        return truth
    if probe.lookup == "zone":
        return tuple(range(4, 8)) if state.mover else tuple(range(8, 12))
    return tuple(sorted({*truth, *range(2 * 100, 2 * 100 + 100)}))[:100]


def hides_from_lookup(state: Any, probe: Probe, truth: Mapping[int, Any]) -> Mapping[int, Any]:
    """Has no row for what stands there."""
    return {}


def moves_elsewhere(state: Any, probe: Probe, truth: Mapping[int, Any]) -> Mapping[int, Any]:
    """Has rows, each at the next key."""
    return {key + 1: label for key, label in truth.items()}


def breaks_mac(rows: Rows) -> Rows:
    return replace(rows, rows=rows.rows[:-1] + bytes([rows.rows[-1] ^ 1]))


def breaks_label(rows: Rows) -> Rows:
    """A label changed under its pad: the MAC no longer fits."""
    at = len(rows.rows) - MAC_BYTES - 1
    return replace(rows, rows=rows.rows[:at] + bytes([rows.rows[at] ^ 1]) + rows.rows[at + 1 :])


def turns_points(part: Any) -> Any:
    """Asks or answers in another order: the asker then reads nothing."""
    return replace(part, points=part.points[32:] + part.points[:32])


def drops_events(trace: Trace) -> Trace:
    return replace(trace, events=())


def claims_one(probe: Any) -> int | None:
    """Says that the shot went one cell, whatever it met."""
    return 1 if probe.value is not None else None


def commits_to(other: Callable[[Any], Action]) -> Callable[[Liar, Any], Any]:
    """Commits to another action than it plays."""

    def tamper(match: Liar, body: Any) -> Any:
        if not isinstance(body, Act | Slot):
            return body
        place, scripts = match.core.place, match.core.scripts
        hand = match.core._hand
        assert hand is not None
        sealed = scripts.codec.action.encode(other(match.core.shown))
        commit, note = commit_action(hand.bound, place.epoch, place.head, 0, sealed)
        return replace(body, commit=commit, note=note)

    return tamper


# --- over Line -----------------------------------------------------------------------------

# Of each lie its maker, and for two and three seats a seed whose game soon has an occasion.
LINE: dict[str, tuple[Callable[[], Maker], int, int]] = {
    "false open answer": (lambda: liar(answer=hides_from_show), 0, 0),
    "withheld detection": (lambda: liar(answer=hides_from_duty), 11, 2),
    "query beyond the zone": (lambda: liar(query=asks_beyond), 0, 0),
    "rows left out": (lambda: liar(holds=hides_from_lookup), 0, 0),
    "rows moved": (lambda: liar(holds=moves_elsewhere), 0, 0),
    "row with a broken MAC": (lambda: liar(part(Rows, breaks_mac)), 0, 0),
    "row with a broken label": (lambda: liar(part(Rows, breaks_label)), 0, 0),
    "points in another order": (lambda: liar(part(Rows, turns_points)), 0, 0),
    "question in another order": (lambda: liar(part(Ask, turns_points)), 0, 0),
    "false claim": (lambda: liar(claim=claims_one), 0, 5),
    "commits to another action": (lambda: liar(commits_to(lambda _: Creep(1, 1, 1))), 0, 0),
    "effects left out of a trace": (lambda: liar(part(Trace, drops_events)), 2, 1),
}


def play_line(seats: int, maker: Maker, seed: int) -> Rig:
    """A random game in which there is an occasion to lie, played to its end."""
    for later in range(40):
        rig = Rig(line(seats), seed + later, SHORT, machine={0: maker})
        assert isinstance(rig.peers[0], Liar)
        rig.play()
        if rig.peers[0].has_lied:
            return rig
    raise AssertionError("no occasion to lie")


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("lie", LINE)
def test_line(lie: str, seats: int, tmp_path: Path) -> None:
    maker, *seeds = LINE[lie]
    rig = play_line(seats, maker(), seeds[seats - 2])
    convict(rig, 0, tmp_path)


# --- over Weaponized Chess -----------------------------------------------------------------

Script = tuple[tuple[int, Action], ...]

STEP = (0, Move(Ref(1), (cell(2, 5),)))  # Black's King; nothing is hidden in it
END = (0, EndTurn())
ONTO_AAA = (1, Move(Ref(4), (AAA_AT,)))  # White's King walks into Black's AAA
WHITE_ENDS = (1, EndTurn())
DIVE = (0, Move(Ref(0, SUB_AT), (cell(4, 5, SUB),)))  # Black's Sub, one square
SHOT = (0, Blast(Ref(2), "ST", 0))  # down the column on White's unseen AAA


def takes_the_pawn(trace: Trace) -> Trace:
    """Shows that the unseen move took White's Pawn."""
    start = crowd().start({})
    pawn = next(one for one in start.pieces if one.handle == 5)
    return replace(trace, events=(encode(Changed(cause="taken", before=pawn)),))


def goes_far(state: Any, seat: int, action: Any, truth: Any) -> None:
    """Finds any Move legal."""


def claims_farther(probe: Any) -> int | None:
    """Says that the shot passed White's unseen AAA and met the Pawn behind it."""
    return 5 if probe.value is not None else None


WEC: dict[str, tuple[Callable[[], Maker], Script, Game]] = {
    "false open answer": (
        lambda: liar(answer=hides_from_show),
        (STEP, END, ONTO_AAA, WHITE_ENDS),
        crowd(),
    ),
    "withheld detection": (
        lambda: liar(answer=hides_from_duty),
        (STEP, END),
        crowd(depth_at=cell(5, 5)),
    ),
    "query beyond the zone": (lambda: liar(query=asks_beyond), (STEP, END), crowd()),
    "rows left out": (lambda: liar(holds=hides_from_lookup), (STEP, END), crowd()),
    "row with a broken MAC": (lambda: liar(part(Rows, breaks_mac)), (STEP, END), crowd()),
    "points in another order": (lambda: liar(part(Rows, turns_points)), (STEP, END), crowd()),
    "question in another order": (lambda: liar(part(Ask, turns_points)), (STEP, END), crowd()),
    "false claim": (lambda: liar(claim=claims_farther), (SHOT, STEP, END), crowd()),
    "commits to another action": (
        lambda: liar(commits_to(lambda _: Move(Ref(0, SUB_AT), (cell(4, 3, SUB),)))),
        (DIVE, END),
        crowd(),
    ),
    "effect that was none": (lambda: liar(part(Trace, takes_the_pawn)), (DIVE, END), crowd()),
}


def play_wec(game: Game, machine: Mapping[int, Maker], script: Script) -> Rig:
    """The script, then White resigns; who cannot act any more does not."""
    rig = Rig(game, 1, machine=machine)
    for seat, action in script:
        if rig.peers[seat].may_act:
            rig.peers[seat].act(action)
            rig.flush()
    rig.peers[1].request("resign")
    rig.flush()
    return rig


@pytest.mark.parametrize("lie", WEC)
def test_wec(lie: str, tmp_path: Path) -> None:
    maker, script, game = WEC[lie]
    rig = play_wec(game, {0: maker()}, script)
    assert isinstance(rig.peers[0], Liar) and rig.peers[0].has_lied
    convict(rig, 0, tmp_path)


def test_wec_illegal_hidden_move(tmp_path: Path) -> None:
    """The Sub goes five squares at once, through geometry that no way has."""
    far = (0, Move(Ref(0, SUB_AT), (cell(9, 4, SUB),)))
    rig = play_wec(crowd(), {0: liar(legal=goes_far)}, (far, END))
    assert rig.peers[0].core.view.turn == 2, "the far move was played"
    finding = convict(rig, 0, tmp_path)
    assert "does not move that way" in finding.text


def test_line_illegal_hidden_move(tmp_path: Path) -> None:
    """The scout creeps two cells without the fuel for it (LINE-4)."""
    rig = Rig(line(2), 1, {"turns": 3, "fuel": 0}, machine={0: liar(legal=goes_far)})
    rig.peers[0].act(Creep(2, 1, 2))
    rig.flush()
    rig.play()
    assert rig.peers[1].closed
    convict(rig, 0, tmp_path)


EVERY_SUB_CELL = tuple(range(SUB * SQUARES, (SUB + 1) * SQUARES))
OVERASKED: dict[str, tuple[Callable[[Any, int, Any], Any], str]] = {
    "all cells in clear": (
        lambda state, seat, action: Standing(owner=1, cells=EVERY_SUB_CELL),
        "no unseen action asks this",
    ),
    "sight out of its time": (
        lambda state, seat, action: Sight(owner=1, asker=0),
        "asks what no veiled action asks",
    ),
    "a lot that nobody drew": (lambda state, seat, action: Lot(owner=0), "shown effects"),
}


@pytest.mark.parametrize("question", OVERASKED)
def test_wec_a_hidden_move_that_asks_what_it_may_not(question: str, tmp_path: Path) -> None:
    """What no veiled action asks is refused unanswered; what another one may ask is answered,
    as nobody but the audit can tell what the move was, and convicts then."""
    asks, words = OVERASKED[question]
    rig = play_wec(
        crowd(), {0: liar(asks=lambda *args: asks(*args) if args[2] == DIVE[1] else None)}, (DIVE,)
    )
    assert isinstance(rig.peers[0], Liar) and rig.peers[0].has_lied
    assert words in convict(rig, 0, tmp_path).text


def test_wec_scripts_are_clean_without_a_lie() -> None:
    """The same scripts between honest machines: what convicts above is the lie."""
    scripts = {(script, game.start({}).pieces): game for _, script, game in WEC.values()}
    assert len(scripts) < len(WEC)
    for (script, _), game in scripts.items():
        rig = play_wec(game, {}, script)
        assert [peer.judgement and peer.judgement.text for peer in rig.peers] == ["clean"] * 2


def test_wec_a_question_beyond_the_zone_is_answered() -> None:
    """What the audit punishes is not prevented: the liar did see the far Sub."""
    rig = play_wec(crowd(), {0: liar(query=asks_beyond)}, (STEP, END))
    sighted = {piece.cell for piece in rig.peers[0].core.view.secrets[0].sighted}
    assert sighted == {NEAR_SUB_AT, FAR_SUB_AT}
    honest = play_wec(crowd(), {}, (STEP, END))
    assert {p.cell for p in honest.peers[0].core.view.secrets[0].sighted} == {NEAR_SUB_AT}
