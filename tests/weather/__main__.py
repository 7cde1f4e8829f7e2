"""`python -m tests.weather [--seed N] [--seeds N] [--first N] [--game GAME] [--edge]`: one seed
with all that is known of it, or many and a report. Ends with 1 if anything diverged."""

import argparse
import sys

from tests.weather.forecast import GAMES, forecast, game_of
from tests.weather.report import Report
from tests.weather.run import simulate

parser = argparse.ArgumentParser(prog="python -m tests.weather")
parser.add_argument("--seed", type=int, help="one seed")
parser.add_argument("--seeds", type=int, default=60, help="how many seeds (60)")
parser.add_argument("--first", type=int, default=0, help="the first of many (0)")
parser.add_argument("--game", choices=list(GAMES), help="which game; else it goes by the seed")
parser.add_argument("--edge", action="store_true", help="with real links and timeouts")
asked = parser.parse_args()

report = Report()
seeds = range(asked.first, asked.first + asked.seeds) if asked.seed is None else [asked.seed]
for seed in seeds:
    game = asked.game or game_of(seed)
    if asked.seed is not None:
        print(forecast(game, seed))
    run = simulate(game, seed, asked.edge)
    report.add(run)
    for problem in run.problems:
        print(f"--seed {seed} --game {game}{' --edge' * asked.edge}: {problem}", flush=True)
print(report.text())
sys.exit(report.divergences > 0)
