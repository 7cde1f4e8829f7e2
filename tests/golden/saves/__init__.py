"""Saves of earlier builds: each must open, verify and go on in every later one.

`python -m tests.golden.saves` makes those that are missing; it never touches one that is there. A
change of the file's form, of the transcript or of the rules after which one of them cannot be gone
on with says so under `SAVE` in CHANGELOG.md, and the test then expects the reason that the player
is given. New forms get new files beside the old ones.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, NamedTuple

FOLDER: Final = Path(__file__).parent


class Kept(NamedTuple):
    """What was true of a save when it was made. `seat` saved it; `digests`: of the public state,
    and of what the seat knew; `text`: what an audit says of the file."""

    game: str
    seat: int
    entries: int
    epoch: int
    turn: int
    digests: tuple[str, str]
    text: str
    name: str = ""
    options: tuple[tuple[str, Any], ...] = ()


GOING: Final = "not finished"
SAVES: Final[dict[str, Kept]] = {
    "1-wec-going": Kept(
        game="wec",
        seat=0,
        entries=65,
        epoch=1,
        turn=3,
        digests=("72f0272b318db0fd", "b2c7fb9d4a9975ca"),
        text="not finished",
        name="Rainy evening",
        options=(),
    ),
    "1-wec-over": Kept(
        game="wec",
        seat=1,
        entries=33,
        epoch=0,
        turn=2,
        digests=("9ca76bb74c9823c8", "89442d3ad8c793bc"),
        text="clean",
        name="",
        options=(("tank_range", 8),),
    ),
    "1-trid-going": Kept(
        game="trid",
        seat=1,
        entries=14,
        epoch=0,
        turn=11,
        digests=("ade6af44e52bfe45", "cbcfe9719e2874e2"),
        text="not finished",
        name="",
        options=(),
    ),
    "1-trid-torn": Kept(
        game="trid",
        seat=1,
        entries=13,
        epoch=0,
        turn=11,
        digests=("ade6af44e52bfe45", "cbcfe9719e2874e2"),
        text="not finished",
        name="",
        options=(),
    ),
}
