"""Writes the golden transcripts of the games named, or of all, anew."""

import sys

from tests import games, golden

for game_id in sys.argv[1:] or games.names():
    golden.path(game_id).write_text(golden.transcript(games.named(game_id)), "utf-8")
    print(f"wrote {golden.path(game_id).name}")
