"""From a `Score` to its text. `parser` undoes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from cloakboard.engine.wec.names import DIRECTIONS
from cloakboard.engine.wec.notation.clauses import (
    FORMS,
    NOWHERE,
    Call,
    Clause,
    Doze,
    Drop,
    Exchange,
    Fate,
    Fire,
    Item,
    Man,
    Move,
    Note,
    PickUp,
    Score,
    Shot,
    Turn,
)
from cloakboard.engine.wec.notation.header import print_tags
from cloakboard.engine.wec.state import AIR, GROUND, SQUARES, SUB

LEVELS: Final = MappingProxyType({GROUND: "", AIR: "^", SUB: "v"})
HANDS: Final = MappingProxyType({"": "", "left": "<", "right": ">"})
COLOURS: Final = ("B", "W")


def print_score(score: Score) -> str:
    """The whole text, one Turn a line, ended by a line feed."""
    body = [print_turn(turn) for turn in score.turns]
    return "\n".join([*print_tags(score), "", *body]) + "\n"


def print_turn(turn: Turn) -> str:
    """One Turn: its number and its one string."""
    parts = [f"{turn.number}. MV:"]
    if not any(name == "MV" for name, _ in turn.clauses):
        parts.append(_comment("unseen" if turn.unseen else "none"))
    for name, clause in turn.clauses:
        parts.append("" if name == "MV" else f",{name}:")
        parts.append(PRINTERS[type(clause)](clause))
    if turn.order:
        parts.append(_comment(" ".join(("order", *turn.order))))
    if turn.results:
        parts.append(",RS:" + ",".join(_result(result) for result in turn.results))
    parts.extend(_comment(_note(note)) for note in turn.notes)
    if not turn.finished:
        parts.append(_comment("unfinished"))
    return "".join(parts)


def _comment(text: str) -> str:
    return f"{{{text}}}"


def print_cell(cell: int) -> str:
    """Level and Location."""
    level, square = divmod(cell, SQUARES)
    return f"{LEVELS[level]}({square // 10 + 1},{square % 10 + 1})"


def _articles(articles: tuple[str, ...]) -> str:
    return f"{len(articles)}{''.join(articles)}" if articles else ""


def print_man(man: Man) -> str:
    """Piece_description."""
    return (
        f"{man.kind}{print_cell(man.cell)}{_articles(man.articles)}{HANDS[man.hand]}{_nth(man.nth)}"
    )


def _item(item: Item) -> str:
    return f"{item.kind}{_nth(item.nth)}"


def _nth(nth: int) -> str:
    return _comment(str(nth)) if nth > 1 else ""


def _met(cell: int) -> str:
    return "" if cell == NOWHERE else _comment(f"met {print_cell(cell)}")


def _move(move: Move) -> str:
    text = f"{print_man(move.man)}->{print_cell(move.goal)}"
    if move.passenger is not None:
        articles = _articles(move.passenger.articles)
        text += f"-TRA->{print_man(move.passenger)}{print_cell(move.goal)}{articles}"
    if move.route:
        text += _comment("by " + "".join(map(print_cell, move.route)))
    return text + _met(move.met)


def _doze(doze: Doze) -> str:
    goal = print_cell(doze.goal)
    men = ",".join(f"{kind}{print_cell(square)}" for kind, square in doze.men)
    bare = "".join(map(print_cell, doze.bare))
    heading = _comment(DIRECTIONS[doze.heading] + (f" {bare}" if bare else ""))
    return f"{print_man(doze.man)}->{goal},DO>{goal}{men}{heading}{_met(doze.met)}"


def _fire(fire: Fire) -> str:
    start = f"{fire.weapon}/{print_man(fire.man)}"
    if fire.target is None:
        return f"{start}->{print_cell(fire.square)}"
    return f"{start}=>{print_man(fire.target)}"


def _pick_up(pick_up: PickUp) -> str:
    draw = _comment(f"draw {pick_up.draw}") if pick_up.draw else ""
    return f"{print_man(pick_up.man)}^{_item(pick_up.item)}{draw}"


def _exchange(exchange: Exchange) -> str:
    start = f"{print_man(exchange.giver)}->{_item(exchange.given)}"
    back = "->" if exchange.taken is None else f"<=>{_item(exchange.taken)}<-"
    return f"{start}{back}{print_man(exchange.receiver)}"


def _call(call: Call) -> str:
    return f"{print_cell(call.square)}{call.kind}{HANDS[call.hand]}{_met(call.met)}"


def _drop(drop: Drop) -> str:
    return f"{print_man(drop.man)}v{_item(drop.item)}"


PRINTERS: Final[Mapping[type[Clause], Callable[[Any], str]]] = MappingProxyType(
    {
        Move: _move,
        Doze: _doze,
        Fire: _fire,
        PickUp: _pick_up,
        Exchange: _exchange,
        Call: _call,
        Drop: _drop,
    }
)


def _result(result: Shot | Fate) -> str:
    if isinstance(result, Fate):
        man = print_man(result.man)
        return f"{result.word}*{man}{result.stun}{COLOURS[result.side]}"
    if result.step is None:
        return f"{result.kind}v{print_cell(result.square)}"
    rows, columns = result.step
    return f"{result.kind}->{print_cell(result.square)}({rows},{columns})"


def _note(note: Note) -> str:
    words = {
        "man": "" if note.man is None else print_man(note.man),
        "article": note.article,
        "cell": "" if note.cell == NOWHERE else print_cell(note.cell),
        "side": "" if note.side == NOWHERE else COLOURS[note.side],
        "->": "->",
    }
    return f"{note.word} " + "".join(words[part] for part in FORMS[note.word])
