"""`python -m tests.client.pictures` plays the match of ten Turns and takes the pictures that README
and docs show."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.client.ten_turns import TURNS, agree_on_draw, end_turn, sit_down, two_windows
from tests.client.windows import wait_for

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
SHOWN_TURN = 8  # White to play: the torpedo has nearly reached the Sub that Black does not see


def main() -> None:
    """Writes the pictures; returns when the match is over."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, two_windows(Path(folder)) as (ada, ben):
        ada.keep_picture(FOLDER / "start.png")
        sit_down(ada, ben)
        for number, turn in enumerate(TURNS, 1):
            if number == SHOWN_TURN:
                ada.point_square(3, 2)
                ada.await_tone("wait")
                ada.keep_picture(FOLDER / "black.png")
                ben.point_square(8, 4)
                ben.await_tone("act")
                ben.keep_picture(FOLDER / "white.png")
            turn(ada, ben)
            end_turn(ada, ben, number)
        playing = ada.picture()
        agree_on_draw(ada, ben)
        wait_for("both verdicts", lambda: ada.save.match.closed and ben.save.match.closed)
        ada.await_change(playing)
        ada.keep_picture(FOLDER / "end.png")


if __name__ == "__main__":
    main()
