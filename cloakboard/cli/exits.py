"""Exit codes of the command line."""

from typing import Final

CLEAN: Final = 0
FINDING: Final = 1
BAD_INPUT: Final = 2
LOST: Final = 3  # the other machine is gone; the match is saved
