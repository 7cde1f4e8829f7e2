"""The command line: the same program without a window."""

from cloakboard.cli.main import main

__all__ = ["main"]
