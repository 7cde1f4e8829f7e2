"""`python -m cloakboard.client [--profile DIR]` opens the window."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from cloakboard.client.run import run


def main() -> int:
    """Reads the arguments and runs the program."""
    parser = argparse.ArgumentParser("cloakboard")
    parser.add_argument("--profile", type=Path, help="folder for identity, saves and settings")
    return run(parser.parse_args().profile)


if __name__ == "__main__":
    sys.exit(main())
