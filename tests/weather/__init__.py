"""Weather: whole matches of real peers' code while links and machines fail, from one seed.

`python -m tests.weather --seed 17 --game wec` runs one again; `--seeds 2000` many, with a report.

1. A seed gives a match (game, start, choices) and a forecast (`forecast`): how late frames come,
   how often twice, which links break when, who is cut off, asleep, or killed at which effect.
2. Every seat is a machine (`machine`): `Match`, its journal on the disk, opened through `saves`
   after each death, and a player who chooses by lot. Links and time are the sky's (`sky`).
   With `--edge` the machines are `netplay.online` with its mesh and its timeouts, over the
   in-memory transport (`edge`), on a loop whose time is turned by hand (`loop`).
3. When the bad weather is over all must have come to one end (`run`): one chain on every disk,
   one digest, one result, a clean audit, nothing refused, nobody accused, and no seat has ever
   signed two entries for one place.
"""
