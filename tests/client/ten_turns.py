"""A match of ten Turns, planned by hand from the standard set-up, played in two windows.

Turn  who    what
1     Black  STP 2,2-3,3; stuns 9,3, where an unseen AAA stands beside the Flamer Pawn; picks up
2     White  Sub at 10,2 dives                                                       (keys only)
3     Black  Destroyer 2,4 fires a torpedo up column 4; AAA 2,3-3,2 unseen, picks up unseen
4     White  Sub 10,2-9,3 under water
5     Black  Sub at 1,2 dives
6     White  Sub 9,3-8,4 under water, into the torpedo's way                         (keys only)
7     Black  Jet at 1,7 takes off
8     White  RP 9,10-8,9, picks up; then the torpedo enters 8,4 and destroys the Sub (keys only)
9     Black  Jet 1,7-3,7 in Air
10    White  AAA 9,8-8,7 unseen

Turns of a torpedo launched in Turn 3 (WEC-60): 3,4 at its end, then one square a Turn, 8,4 at the
end of Turn 8.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from PIL import Image

from cloakboard.engine.wec.state import AIR, GROUND, SUB
from tests.client.windows import RIGHT, WIDTH, Program, screen, until, wait_for

JOIN_S: Final = 20.0  # keys that come after the table has opened would be meant for it
WHITE_PIXELS: Final = 5000  # a QR code has more, and nothing else on any screen is purely white


@contextmanager
def two_windows(folder: Path) -> Iterator[tuple[Program, Program]]:
    """Ada's and Ben's program, side by side on one screen. If what is done with them fails, the
    folder has a picture of each."""
    with screen() as display:
        ada, ben = Program(display, folder / "Ada"), Program(display, folder / "Ben", WIDTH)
        try:
            ada.start()
            ben.start()
            yield ada, ben
        except BaseException:
            ada.keep_picture(folder / "ada.png")
            ben.keep_picture(folder / "ben.png")
            raise
        finally:
            ada.end()
            ben.end()


def sit_down(ada: Program, ben: Program) -> None:
    """Ada invites and has Black; the invite goes through the clipboard."""
    for player in (ada, ben):
        player.press("Down", "Return")  # Play a friend; the field for an invite has the focus
    until(
        "the invite is shown",
        lambda: shows_invite(ada.picture()),
        lambda: ada.click_foot(),
    )
    before = ada.picture()
    ada.press("Return")  # Copy has the focus
    ada.await_change(before)
    until(
        "Ben is in the room",
        lambda: not shows_invite(ada.picture()),
        lambda: ben.press("ctrl+a", "ctrl+v", "Return"),
        again_s=JOIN_S,
    )
    until(
        "both are ready, and the match begins",
        lambda: ada.save.has_begun and ben.save.has_begun,
        lambda: ada.press("F5"),
        lambda: ben.press("F5"),
    )
    await_turn(ada, ben, 1)


def shows_invite(picture: Image.Image) -> bool:
    """Whether a QR code is on the screen."""
    colours = picture.getcolors(1 << 20) or []
    return any(paint == (255, 255, 255) and count > WHITE_PIXELS for count, paint in colours)


def await_turn(ada: Program, ben: Program, turn: int) -> None:
    """Waits until both saves have come to a Turn, and both windows show it."""
    wait_for(
        f"Turn {turn} is in both saves",
        lambda: all(player.save.view.turn == turn for player in (ada, ben)),
    )
    mover, other = (ada, ben) if turn % 2 else (ben, ada)
    mover.await_tone("act")
    other.await_tone("wait")


def act(
    player: Program, what: str, is_so: Callable[[], bool], *hands: Callable[[], object]
) -> None:
    """Uses the hands until it is so, then waits until the player can go on."""
    until(what, is_so, *hands)
    player.await_tone("act")


def end_turn(ada: Program, ben: Program, turn: int) -> None:
    """The key for it, and what both then see."""
    mover = ada if turn % 2 else ben
    until("the Turn ends", lambda: mover.save.view.turn == turn + 1, lambda: mover.press("e"))
    await_turn(ada, ben, turn + 1)


def level_of(player: Program, row: int, column: int, kind: str) -> int | None:
    """The level of an own piece that stands in a square, or None."""
    side = player.save.match.seat
    pieces = player.save.pieces(row, column)
    return next((p.level for p in pieces if (p.side, p.kind) == (side, kind)), None)


def gear(player: Program, row: int, column: int) -> list[str]:
    """The articles carried in a square, as a player sees them."""
    return [item.kind for piece in player.save.pieces(row, column) for item in piece.gear]


def turn_1(ada: Program, ben: Program) -> None:
    act(
        ada, "the pawn moves",
        lambda: "b.STP.0" in ben.save.kinds(3, 3),
        lambda: ada.click_piece(2, 2, "STP"),
        lambda: ada.click_square(3, 3),
    )  # fmt: skip
    assert ada.save.kinds(9, 3) == {"w.FP.0"}, "the AAA is unseen (WEC-90)"
    act(
        ada, "the stun gun hits",
        lambda: all(piece.stunned for piece in ben.save.pieces(9, 3)),
        lambda: ada.click_piece(3, 3, "STP", RIGHT),
        lambda: ada.click_square(6, 3, RIGHT),
    )  # fmt: skip
    assert ada.save.kinds(9, 3) == {"w.AAA.0", "w.FP.0"}, "what is hit is shown (WEC-97)"
    act(
        ada, "the pawn picks the Bike up",
        lambda: gear(ben, 3, 3) == ["BI"],
        lambda: ada.press("p"),
        lambda: ada.click_piece(3, 3, "STP"),
        lambda: ada.press("1"),  # a SAM launcher lies there too
    )  # fmt: skip


def turn_2(ada: Program, ben: Program) -> None:
    assert ada.save.kinds(9, 3) == {"w.FP.0"}, "the AAA went out of view (WEC-97)"
    act(
        ben, "the Submarine dives",
        lambda: level_of(ben, 10, 2, "SU") == SUB,
        lambda: ben.type_square(10, 2),
        lambda: ben.press("2"),  # not the Dozer
        lambda: ben.press("Next", "Return"),  # one level down
        lambda: ben.press("1"),  # the Dozer stays
    )  # fmt: skip


def turn_3(ada: Program, ben: Program) -> None:
    assert ada.save.kinds(10, 2) == {"w.DO.0"}, "the Submarine is unseen (WEC-90)"
    act(
        ada, "the Destroyer fires",
        lambda: [shot.kind for shot in ben.save.view.projectiles] == ["T"],
        lambda: ada.click_piece(2, 4, "DS", RIGHT),
        lambda: ada.click_square(3, 4, RIGHT),
    )  # fmt: skip
    act(
        ada, "the AAA moves",
        lambda: level_of(ada, 3, 2, "AAA") == GROUND,
        lambda: ada.click_piece(2, 3, "AAA"),
        lambda: ada.click_square(3, 2),
    )  # fmt: skip
    act(
        ada, "the AAA picks the Torpedo launcher up",
        lambda: gear(ada, 3, 2) == ["TL"],
        lambda: ada.press("p"),
        lambda: ada.type_square(3, 2),
    )  # fmt: skip


def turn_4(ada: Program, ben: Program) -> None:
    assert not ben.save.pieces(3, 2), "the AAA and its move are unseen (WEC-90)"
    act(
        ben, "the Submarine moves",
        lambda: level_of(ben, 9, 3, "SU") == SUB,
        lambda: ben.click_piece(10, 2, "SU"),
        lambda: ben.click_square(9, 3),
    )  # fmt: skip


def turn_5(ada: Program, ben: Program) -> None:
    act(
        ada, "the Submarine dives",
        lambda: level_of(ada, 1, 2, "SU") == SUB,
        lambda: ada.click_piece(1, 2, "SU"),
        lambda: ada.click_square(1, 2),
        lambda: ada.press("1"),  # the Dozer stays
    )  # fmt: skip


def turn_6(ada: Program, ben: Program) -> None:
    assert ben.save.kinds(1, 2) == {"b.DO.0"}, "the Submarine is unseen (WEC-90)"
    act(
        ben, "the Submarine moves",
        lambda: level_of(ben, 8, 4, "SU") == SUB,
        lambda: ben.press("Next"),  # the level under water
        lambda: ben.type_square(9, 3),
        lambda: ben.press("Left", "Up", "Return"),
    )  # fmt: skip


def turn_7(ada: Program, ben: Program) -> None:
    act(
        ada, "the Jet takes off",
        lambda: "b.JE.1" in ben.save.kinds(1, 7),
        lambda: ada.click_piece(1, 7, "JE"),
        lambda: ada.click_square(1, 7),
    )  # fmt: skip


def turn_8(ada: Program, ben: Program) -> None:
    act(
        ben, "the pawn moves",
        lambda: "w.RP.0" in ada.save.kinds(8, 9),
        lambda: ben.type_square(9, 10),
        lambda: ben.type_square(8, 9),
    )  # fmt: skip
    act(
        ben, "the pawn picks the Torpedo launcher up",
        lambda: gear(ada, 8, 9) == ["TL"],
        lambda: ben.press("p"),
        lambda: ben.type_square(8, 9),
    )  # fmt: skip
    assert level_of(ben, 8, 4, "SU") == SUB
    assert not ada.save.pieces(8, 4), "the Submarine is unseen (WEC-90)"


def turn_9(ada: Program, ben: Program) -> None:
    for player in (ada, ben):
        assert not player.save.view.projectiles, "the torpedo is gone"
        assert not player.save.pieces(8, 4), "and with it the Submarine (WEC-60)"
    act(
        ada, "the Jet flies",
        lambda: level_of(ada, 3, 7, "JE") == AIR,
        lambda: ada.click_piece(1, 7, "JE"),
        lambda: ada.click_square(3, 7),
    )  # fmt: skip


def turn_10(ada: Program, ben: Program) -> None:
    act(
        ben, "the AAA moves",
        lambda: level_of(ben, 8, 7, "AAA") == GROUND,
        lambda: ben.click_piece(9, 8, "AAA"),
        lambda: ben.click_square(8, 7),
    )  # fmt: skip


TURNS: Final = (
    turn_1, turn_2, turn_3, turn_4, turn_5, turn_6, turn_7, turn_8, turn_9, turn_10,
)  # fmt: skip


def agree_on_draw(ada: Program, ben: Program) -> None:
    """Ada offers, where Enter is yes; Ben accepts, where it is no, as it comes unasked."""
    quiet = ben.picture()
    ada.press("ctrl+d", "Return")
    ben.await_change(quiet)
    ben.press("Tab", "Return")


def go_on(player: Program) -> None:
    """Continues the newest match from the first screen."""
    until(
        "the match is gone on with",
        lambda: not player.is_home,
        lambda: player.press("Down", "Return", "Return"),
    )


def leave(player: Program) -> None:
    """Goes from the table to the first screen."""
    until(
        "the first screen is shown",
        lambda: player.is_home,
        lambda: player.press("ctrl+q", "Return"),
    )


def resign(player: Program) -> None:
    """Gives the match up; the dialog begins on the harmless answer."""
    player.press("ctrl+r", "Tab", "Return")
