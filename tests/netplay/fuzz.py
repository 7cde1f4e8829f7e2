"""`python -m tests.netplay.fuzz NAME FOLDER SECONDS`: feeds one decoder of the table with what
atheris makes up by looking at the branches they reach. Needs the package atheris. What is worth
keeping goes to the folder; a crash lies in the current one as `crash-…`."""

import sys
from pathlib import Path

import atheris  # type: ignore[import-untyped]  # it has no types

with atheris.instrument_imports(include=["cloakboard"]):
    from tests.netplay.decoders import decoder, feed

if __name__ == "__main__":
    name, folder, seconds = sys.argv[1:]
    for number, sample in enumerate(decoder(name).samples[:50]):
        (Path(folder) / f"sample-{number}").write_bytes(sample)
    atheris.Setup(
        [sys.argv[0], f"-max_total_time={seconds}", "-max_len=65536", "-rss_limit_mb=4096", folder],
        lambda data: feed(name, data),
    )
    atheris.Fuzz()
