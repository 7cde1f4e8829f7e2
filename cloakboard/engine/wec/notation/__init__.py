"""WEC notation: a match as text that people read and edit, and from which it can be resumed
(WEC-112, RULES section 11).

Tags stand first: game, version of the rules, options other than the standard's, start position,
names, result. Then each Turn has one line in the grammar of `notation.json`: the Move first,
the other actions in the grammar's order, then results. What the grammar cannot say stands in
comments, which older readers may skip:

comment                     says
{none} {unseen}             after MV: that no Move was made, or that the reader does not know it
{2}                         which of several pieces or articles that read alike
{by (1,2)^(2,3)}            the cells a Move enters, if it does not go the way proposed (WEC-45)
{met (4,3)}                 where an unseen enemy stopped a Move or kept a doze or a
                            reinforcement from happening (WEC-48, WEC-49, WEC-80)
{forward-left}              the direction of a doze, as its owner sits
{draw 3}                    which candidate a lock-on took, from 0 (WEC-91)
{order FI1 MV PU}           the order in which the actions happened
{flight ..} {seen ..} ..    what came of them besides the results: `clauses.FORMS`
{unfinished}                that the Turn was not ended yet
{ with a blank}             a remark of the writer's own, skipped

Results and what follows them may be left out; where they are given they are checked.
"""

from __future__ import annotations

from cloakboard.engine import registry
from cloakboard.engine.registry import History
from cloakboard.engine.table import Table
from cloakboard.engine.wec.notation.clauses import NotationError, Score
from cloakboard.engine.wec.notation.parser import parse
from cloakboard.engine.wec.notation.player import Player
from cloakboard.engine.wec.notation.printer import print_score
from cloakboard.engine.wec.notation.scribe import Scribe

__all__ = ["NotationError", "Score", "read", "replay", "score_of", "write"]


def write(history: History, names: tuple[str, str] = ("", ""), seat: int | None = None) -> str:
    """The text of a match. `names` of Black and White. For a `seat` it leaves out what that
    seat may not know as long as the match goes on (WEC-110); such a text tells what happened,
    but does not suffice to resume."""
    return print_score(score_of(history, names, seat))


def score_of(history: History, names: tuple[str, str] = ("", ""), seat: int | None = None) -> Score:
    """The same as values."""
    game = registry.game("wec")
    reader = seat if history.result is None else None
    start = game.start(history.options, history.setup)
    scribe = Scribe(game, start if reader is None else game.view(start, reader), reader)
    for record in history.log:
        scribe.take(record)
    standard = game.options.defaults()
    return Score(
        options={n: value for n, value in history.options.items() if value != standard[n]},
        setup=history.setup,
        names=names,
        reader=reader,
        result=history.result,
        turns=scribe.turns,
    )


def read(text: str) -> Score:
    """What a text says, its form checked and nothing else. Raises `NotationError`."""
    return parse(text).score


def replay(text: str, seed: bytes = b"") -> Table:
    """The match of a complete text, played again, to go on from. `seed` feeds the draws to
    come. Raises `NotationError` where the text does not hold or the rules refuse it."""
    player = Player(parse(text), seed)
    player.play()
    return player.table
