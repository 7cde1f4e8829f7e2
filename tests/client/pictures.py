"""`python -m tests.client.pictures` plays the match of ten Turns and takes the pictures that README
and docs show."""

from __future__ import annotations

import tempfile
from pathlib import Path

from PIL import Image

from tests.client.ten_turns import TURNS, agree_on_draw, end_turn, sit_down, two_windows
from tests.client.windows import is_drawn

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
VERDICT = (300, 635, 650, 655)  # of the window, left of what can follow; y counted from above
TEXT_COLOURS = 20
SHOWN_TURN = 8  # White to play: the torpedo has nearly reached the Sub that Black does not see


def main() -> None:
    """Writes the pictures; returns when the match is over."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, two_windows(Path(folder)) as (ada, ben):
        ada.await_picture("the menu is shown", is_drawn)
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
        agree_on_draw(ada, ben)
        ben.await_picture("the verdict is shown", tells_verdict)
        ben.keep_picture(FOLDER / "end.png")


def tells_verdict(picture: Image.Image) -> bool:
    """Whether the sentence at the foot goes on after the match is said to be over."""
    colours = picture.crop(VERDICT).getcolors(1 << 16) or []
    return len(colours) > TEXT_COLOURS


if __name__ == "__main__":
    main()
