"""Why a click does nothing: one sentence in the rules' own words.

Pure, and worked out from the acting seat's view alone: what an unseen piece would bar is
never given as a reason.
"""

from __future__ import annotations

from cloakboard.client.steps import Verb, piece_of
from cloakboard.client.words import PIECES, count, place
from cloakboard.engine.wec import actions as acts
from cloakboard.engine.wec.board import seen
from cloakboard.engine.wec.pieces import COMBAT, HANDED, HOME, SECONDARIES
from cloakboard.engine.wec.state import GROUND, Piece, Spent, State


def why_not(state: State, seat: int, verb: Verb, ref: acts.Ref | None, square: int) -> str:
    """Why pointing at `square` does nothing, with the piece `ref` chosen or none yet."""
    done = used_up(state, seat, verb)
    if done:
        return done
    here = [piece for piece in seen(state, seat) if piece.square == square]
    if ref is not None:
        return _why_not_there(state, seat, verb, piece_of(state, seat, ref), square)
    own = [piece for piece in here if piece.side == seat]
    if verb is Verb.REINFORCE:
        return "No reinforcement of yours can arrive on that square now."
    if not own:
        if here:
            return f"That {PIECES[here[0].kind]} is not yours; choose a piece of your own."
        return f"None of your pieces stands on {place(square)}."
    return why_not_piece(state, verb, own[0])


def spent(state: State, seat: int) -> Spent:
    """What the seat has used of its Turn, as far as this view knows (WEC-11)."""
    secret = state.secrets[seat] if state.side == seat else None
    if secret is None:
        return state.spent
    return Spent(
        *(
            getattr(state.spent, name) + getattr(secret.spent, name)
            for name in Spent.__struct_fields__
        )
    )


def used_up(state: State, seat: int, verb: Verb) -> str:
    """Why no action of this verb is left in the Turn; empty if one is (WEC-11)."""
    used = spent(state, seat)
    if verb in (Verb.MOVE, Verb.DOZE) and used.move >= 1:
        return "You have made your Move; end the Turn, or fire first."
    if verb is Verb.FIRE and used.fires >= 2:
        return "You have fired twice, which is all a Turn allows."
    ones = {
        Verb.PICK_UP: (used.pickup, "picked up an article"),
        Verb.DROP: (used.drop, "dropped an article"),
        Verb.EXCHANGE: (used.exchange, "made an Exchange"),
        Verb.REINFORCE: (used.reinforce, "called a reinforcement"),
    }
    if verb in ones and ones[verb][0] >= 1:
        return f"You have {ones[verb][1]} in this Turn; one is all it allows."
    if verb is Verb.END and used.move == 0:
        return "Make your Move first; then the Turn can end."
    return ""


def why_not_piece(state: State, verb: Verb, piece: Piece) -> str:
    """Why an own piece cannot do something now."""
    name = PIECES[piece.kind]
    if piece.stunned > state.turn:
        left = count(piece.stunned - state.turn, "more Turn")
        return f"This {name} is stunned for {left}."
    if piece.flight is not None and verb in (Verb.MOVE, Verb.FIRE):
        return f"This {name} is in flight and acts again when it has landed."
    if verb is Verb.MOVE:
        if piece.level != GROUND and piece.kind not in HOME[piece.level]:
            return f"This {name} is being carried; it can only go along."
        return f"This {name} has no square to move to."
    if verb is Verb.DOZE:
        if piece.kind != "DO":
            return f"Only a Dozer pushes; this is a {name}."
        return "A Dozer pushes only while it shares its Ground square with another of your pieces."
    if verb is Verb.FIRE:
        if piece.fired >= state.turn:
            return f"This {name} has fired in this Turn already."
        ready = (*piece.own_ready, *(item.ready for item in piece.gear))
        waits = [at - state.turn for at in ready if at > state.turn]
        if waits:
            return f"Its weapon cools for {count(min(waits), 'more Turn')}."
        return f"This {name} has nothing it could fire now."
    if verb is Verb.PICK_UP:
        if piece.level != GROUND:
            return "Only a piece at Ground picks articles up."
        if not any(item.square == piece.square for item in state.lying):
            return f"No article lies on {place(piece.square)}."
        return f"This {name} has no room for what lies here."
    if verb is Verb.DROP:
        if not piece.gear:
            return f"This {name} carries nothing."
        return "Two articles lie here already; drop it in another square."
    return f"This {name} has no article to exchange with a piece next to it."


def _why_not_there(state: State, seat: int, verb: Verb, piece: Piece, square: int) -> str:
    name = PIECES[piece.kind]
    there = [other for other in seen(state, seat) if other.square == square]
    same_level = [other for other in there if other.level == piece.level]
    match verb:
        case Verb.MOVE if any(other.side != seat for other in same_level):
            if piece.kind not in COMBAT:
                return f"A {name} does not take by moving."
            return f"The {name}'s way does not lead to that piece."
        case Verb.MOVE if same_level:
            return f"The {name} cannot share that square with your {PIECES[same_level[0].kind]}."
        case Verb.MOVE if piece.kind in HANDED or piece.kind in SECONDARIES:
            return f"The {name}'s path does not reach that square, or a piece bars it."
        case Verb.MOVE:
            return f"The {name} cannot move to {place(square)}."
        case Verb.FIRE:
            return "That square is not in a line of fire or in range."
        case Verb.EXCHANGE:
            return "Exchange with a piece of yours in the same or a neighbouring square and level."
        case _:
            return "Choose one of the marked squares."
