"""Any bytes at all, to every decoder of what comes from outside: a value, or a refusal in words."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cloakboard
from tests.netplay.decoders import DECODERS, KINDS, decoder, feed
from tests.strategies import damaged, garbage

SLOW: Final = {"wec history", "trid history", "wec setup", "trid setup", "save", "record"}
SIGNS: Final = "MVFIPUDOTRS(){}[]<>-=^v*,.:0123456789 \n\"\\é'#王"
ATHERIS_S: Final = 10

# Where bytes or texts of others are decoded, and which rows of the table go there.
PLACES: Final[dict[str, set[str]]] = {
    "netplay/wire.py": {"frame"},
    "netplay/transcript.py": {"entry", "request", "opening", "body"},
    "netplay/lockstep/journal.py": {"save", "record of a save"},
    "netplay/invite.py": {"invite", "key"},
    "netplay/settings.py": {"settings"},
    "netplay/finding/friends.py": {"friends"},
    "netplay/finding/devices.py": {"devices"},
    "netplay/finding/advert.py": {"advert"},
    "netplay/room/statements.py": {"statement"},
    "netplay/finding/presence.py": {"ping", "pong"},
    "keeping/copies.py": {"records"},
    "client/saved.py": {"table"},
    "client/save_names.py": {"name of a table"},
    "engine/codec.py": {f"line {kind}" for kind in KINDS},
}
OWN: Final = {"achievements/ledger.py"}  # decodes what it has written to its own database


@pytest.fixture(autouse=True)
def no_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of small files need not reach the disk."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


def spoilt(whole: bytes) -> st.SearchStrategy[bytes]:
    """A text with up to three of its characters replaced by others."""
    text = whole.decode("utf-8", "replace")
    return st.builds(
        lambda at, cut, signs: (text[:at] + signs + text[at + cut :]).encode(),
        st.integers(0, len(text)),
        st.integers(0, 3),
        st.text(SIGNS, max_size=3),
    )


def fed(name: str) -> st.SearchStrategy[bytes]:
    """Arbitrary bytes, honest samples with a flaw, and two of these joined."""
    samples = decoder(name).samples
    if not samples:
        return garbage()
    honest = st.sampled_from(samples)
    joined = st.builds(lambda one, other: one + other, honest, honest | st.binary(max_size=9))
    return st.one_of(garbage(), damaged(honest), honest.flatmap(spoilt), joined)


@pytest.mark.parametrize("name", DECODERS)
def test_any_bytes_are_read_or_refused(name: str) -> None:
    @settings(max_examples=15 if name in SLOW else 60, suppress_health_check=list(HealthCheck))
    @given(fed(name))
    def any_bytes(data: bytes) -> None:
        feed(name, data)

    any_bytes()


@pytest.mark.parametrize("name", DECODERS)
def test_what_is_honest_is_read(name: str) -> None:
    one = decoder(name)
    kind = name.rpartition(" ")[2]
    assert one.samples or kind in ("probe", "answer", "label", "scenario")
    for sample in one.samples:
        value = feed(name, sample)
        assert not isinstance(value, Exception) and value is not None
        if one.write is not None:
            assert one.write(value) == sample


def decoding(folder: Path) -> Iterator[str]:
    """The modules of a package that decode bytes into structs."""
    for path in sorted(folder.rglob("*.py")):
        if re.search(r"Decoder\(|decode\([^\n]*type=", path.read_text("utf-8")):
            yield path.relative_to(folder).as_posix()


def test_every_module_that_decodes_is_fed() -> None:
    package = Path(cloakboard.__file__).parent
    assert set(decoding(package)) == PLACES.keys() | OWN
    assert {name for names in PLACES.values() for name in names} <= DECODERS.keys()


@pytest.mark.nightly
@pytest.mark.parametrize("name", DECODERS)
def test_coverage_guided(name: str, tmp_path: Path) -> None:
    """By atheris, which looks for bytes that reach new branches. It has no wheels for some
    systems; there hypothesis alone must do."""
    pytest.importorskip("atheris")
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    ended = subprocess.run(
        [sys.executable, "-m", "tests.netplay.fuzz", name, str(corpus), str(ATHERIS_S)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
    )
    assert ended.returncode == 0, ended.stderr[-4000:]
    assert any(corpus.iterdir())
