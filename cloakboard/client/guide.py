"""What a player can look up at any time: how a game goes, what its pieces and articles do.

The words are those of the standard rules; where an option of the match says otherwise, the page
of the match's rules does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from cloakboard.client.words import ARTICLES, PIECES
from cloakboard.engine.wec.pieces import KINDS


@dataclass(frozen=True, slots=True)
class Entry:
    """A page of the guide. `picture`: its silhouette; `kind`: the piece whose moves it draws."""

    title: str
    text: str
    picture: str
    kind: str = ""


_GOVERNED: Final = (
    "It moves one square in any direction and takes so. Whoever loses it, destroyed or converted, "
    "loses the match."
)
_SECOND: Final = (
    "It moves along the ways of all Tanks and all Clerics, of both hands. It exchanges articles "
    "with a friend at any distance."
)

WEC_PIECES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "FP": "A pawn with a flamer; proof against one flamer.",
        "RP": "A pawn with a rocket launcher; proof against one rocket.",
        "STP": "A pawn with a stun gun; proof against one stun gun.",
        "CP": "A pawn with a conversion; proof against one conversion.",
        "SOP": "A pawn with a SAM launcher and a torpedo launcher. The standard game has none.",
        "XP": "A pawn that carries two articles.",
        "SHP": (
            "A pawn with stealth and anti-stealth: the enemy does not see it. In the standard "
            "game the two Stealth Pawns are locked on to each other, so both are seen."
        ),
        "TA": (
            "It rolls straight first and then bends to its side, left or right, for life. It has "
            "a flamer."
        ),
        "CL": (
            "It goes slantwise first and then bends to its side, left or right, for life. It has "
            "a conversion."
        ),
        "CH": (
            "It flies: up, over the board along a free way, and down on the target, or it stays "
            "in the air over it. It carries the friend that shares its square, and takes. It has "
            "a stun gun."
        ),
        "DO": (
            "It moves one square and takes nothing. Its Move may be a doze instead: with a friend "
            "in its square it shifts up to four neighbouring squares, friends and enemies alike, "
            "by one square."
        ),
        "JE": (
            "From the ground it only rises; in the air it flies one or two squares. It takes "
            "nothing by moving. It has a SAM launcher, and a limited rocket for what is right "
            "below."
        ),
        "SU": (
            "It moves one square, dives or surfaces. Under water the enemy does not see it. It "
            "carries the friend that shares its square, and shows submerged enemies near it. It "
            "has a torpedo launcher, and a limited rocket for what is right above."
        ),
        "DS": (
            "It moves one square and takes nothing. It shows submerged enemies near it. It has a "
            "torpedo launcher."
        ),
        "AAA": (
            "It moves one square and takes nothing. The enemy does not see it. It has a SAM "
            "launcher."
        ),
        "K": "Proof against one flamer and one rocket. " + _GOVERNED,
        "DI": "Proof against one conversion and one rocket. " + _GOVERNED,
        "AV": "Proof against one stun gun and one rocket. " + _GOVERNED,
        "PR": "Proof against one conversion and one flamer. " + _GOVERNED,
        "Q": "Proof against one conversion and one stun gun. " + _SECOND,
        "AS": "Proof against one flamer and one stun gun. " + _SECOND,
        "AC": "Proof against one flamer and one conversion. " + _SECOND,
        "PM": "Proof against one rocket and one stun gun. " + _SECOND,
    }
)
WEC_ARTICLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "FL": "Destroys every piece in the next square of a direction, friends too.",
        "ST": (
            "Stuns the first piece in a direction, up to nine squares away: it drops its articles "
            "and cannot act for three Turns."
        ),
        "CS": "The enemies in the next square of a direction change to your side.",
        "RL": (
            "Sends a rocket over the ground. It flies one square at the end of every Turn and "
            "destroys what it meets."
        ),
        "SL": (
            "Sends a SAM through the air, straight or after an enemy seen up to three squares away."
        ),
        "TL": (
            "Sends a torpedo under water, straight or after an enemy seen up to three squares away."
        ),
        "BI": "Fired, it takes its carrier one square further, beside the Move.",
        "JP": (
            "Fired, it lifts its carrier into the air and carries it to the square you choose, "
            "one square in each of your Turns."
        ),
        "SC": (
            "Fired, it takes its carrier under water and to the square you choose, one square in "
            "each of your Turns."
        ),
        "SH": "The enemy does not see its carrier. The primary piece may not have it.",
        "ASH": (
            "Picked up, it locks on to a stealthed enemy, which is seen from then on until this is "
            "laid down, or its carrier or its target is lost."
        ),
        "AFL": "Stops one flamer that hits its carrier in a Turn.",
        "AST": "Stops one stun gun that hits its carrier in a Turn.",
        "ACS": "Stops one conversion that hits its carrier in a Turn.",
        "ARL": "Stops one rocket that hits its carrier in a Turn.",
        "ASL": "Stops one SAM that hits its carrier in a Turn.",
        "ATL": "Stops one torpedo that hits its carrier in a Turn.",
        "XXX": "A box: its carrier has room for two more articles.",
    }
)


def _piece(kind: str) -> Entry:
    return Entry(PIECES[kind], WEC_PIECES[kind], f"piece.{kind}", kind)


def _article(kind: str) -> Entry:
    name = ARTICLES[kind]
    return Entry(name[:1].upper() + name[1:], WEC_ARTICLES[kind], f"article.{kind}")


WEC: Final = (
    Entry(
        "Winning",
        "Destroy or convert the enemy's primary piece: the King, or whichever government was "
        "chosen. If your own falls in the same Turn, you lose.\n\nThere is no check and no mate: "
        "look after it yourself.",
        "ui.crown",
    ),
    Entry(
        "A Turn",
        "Make one Move. Besides, as you like and in any order: up to two Fires, and one each of "
        "Pick-up, Drop, Exchange and Reinforce. Then end the Turn.\n\nThe left button does the "
        "chosen action, at first the Move; the right button fires. A square is named by row and "
        "column, such as 2,6; rows are counted from Black's side.",
        "ui.end_turn",
    ),
    Entry(
        "Three levels",
        "Every square has Ground, Air above it and Sub below it. A level of a square holds two "
        "pieces of one side at most, and two only if one of them is a Submarine, Chopper, Dozer, "
        "Destroyer or AAA.\n\nPieces in the air are drawn raised and blue, pieces under water "
        "green. Where a carrier is lost, who was carried off the ground is lost, too.",
        "ui.levels",
    ),
    Entry(
        "Moving and taking",
        "A piece goes along its way and may stop on every square of it; whatever stands in the "
        "way stops it. Moving onto enemies takes them. Dozer, Destroyer, AAA, Submarine and Jet "
        "take nothing.\n\nA piece that runs into an enemy its player did not see stops there and "
        "takes it, whatever it is.",
        "ui.move",
    ),
    Entry(
        "Firing",
        "All weapons of one kind that a piece has fire together, in one direction. Each defence "
        "of that kind stops one of them; what is left over works. Hits add up within a Turn."
        "\n\nA flamer, a conversion and a launcher fire again four Turns later, a stun gun two: "
        "the count stands above the piece. Weapons hit friends, too; only conversion does not."
        "\n\nRockets, SAMs and torpedoes fly one square at the end of every Turn.",
        "ui.fire",
    ),
    Entry(
        "Seen and unseen",
        "A piece with stealth and a piece under water are not seen by the enemy. The dashed ring "
        "around a piece of yours says that the enemy does not see it.\n\nA stealthed piece is "
        "seen while an anti-stealth is locked on to it. A submerged one is seen within three "
        "squares of an enemy that has a torpedo launcher. Whatever fires is seen until the end of "
        "the enemy's next Turn.\n\nThe board can mark where unseen enemies could be (O).",
        "ui.hidden",
    ),
    Entry(
        "Articles",
        "What lies on the board can be picked up by a piece on the ground of its square. A piece "
        "carries one article, an XXX Pawn two; with an XXX box there is room for two more. "
        "Neighbours on one level can exchange articles.\n\nA piece that is destroyed or stunned "
        "leaves its articles on the board.",
        "ui.pick_up",
    ),
    Entry(
        "Reinforcements",
        "Deep in the enemy's half lie squares on which more of your pieces wait. End a Turn with "
        "a piece on the ground there; when it has moved away, call the reinforcement. One comes "
        "in a Turn, without articles. The squares can be shown (V).",
        "ui.reinforce",
    ),
    *(_piece(kind) for kind in KINDS),
    *(_article(kind) for kind in WEC_ARTICLES),
)  # fmt: skip

TRID: Final = (
    Entry(
        "The boards",
        "Three main boards of sixteen squares stand one above the other, each shifted by two "
        "ranks. Four attack boards of four squares stand on the pins at their corners. Squares "
        "of one file and rank lie above each other and form a column.\n\nOtherwise the rules are "
        "those of chess: checkmate wins.",
        "ui.levels",
    ),
    Entry(
        "Changing level",
        "Every step of a man leads to the next column, as seen from above, and there to any "
        "square of it, on whatever level. Straight up or down nothing moves. A man takes only "
        "what stands on the very square it comes to.",
        "ui.up",
    ),
    Entry(
        "Rook, Bishop, Queen",
        "They go along a line of columns and may change level at each step. Every square on the "
        "way must be empty; who stands on another square of a column does not block. A level once "
        "left may not be used again in the same move.\n\nA column whose squares are all taken "
        "stops them. Rook and Queen alone may cross columns without squares, from one attack "
        "board to another.",
        "chess.rook",
    ),
    Entry(
        "Knight and King",
        "The Knight makes its leap as seen from above and comes down on any square of the column. "
        "The King goes one step in any direction, to a square that is not attacked.",
        "chess.knight",
    ),
    Entry(
        "Pawns",
        "One step forward, on any level; two at first, if it has not moved and its attack board "
        "has not, either. They take one step slantwise forward, on any level, and en passant.\n\n"
        "A pawn becomes a Queen, Rook, Bishop or Knight on the last row of the other side's main "
        "board, or on the back row of an attack board that stands on one of its rear pins.",
        "chess.pawn",
    ),
    Entry(
        "Moving an attack board",
        "Instead of a man you may move an attack board on which exactly one man stands, if it is "
        "yours. It goes to the nearest free pin beside it, before or behind it, or on the main "
        "board above or below. The man rides along; on the way the board may be turned by half. "
        "With a pawn on it, it goes only sideways and is not turned.",
        "ui.move",
    ),
    Entry(
        "Castling",
        "O-O: King and Rook on the King's attack board change places. O-O-O: the King goes beside "
        "the Rook on the Queen's attack board, and the Rook takes the King's place. Neither may "
        "have moved or been carried, and nobody castles in the first turn.",
        "ui.crown",
    ),
    Entry(
        "Draws",
        "Stalemate, the third repetition of a position, fifty moves of each side without a "
        "capture or a pawn's move, and two kings alone.",
        "ui.draw",
    ),
)  # fmt: skip

GUIDES: Final[Mapping[str, tuple[Entry, ...]]] = MappingProxyType({"wec": WEC, "trid": TRID})
