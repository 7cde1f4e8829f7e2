"""Machines of their own in network namespaces: one wire between them, no way out of the house.

Each is a whole program with its own addresses on a bridge, and no default route. It needs root
and `ip`; `make test` leaves it out, `make nightly` runs it.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest

from cloakboard.netplay.lockstep.journal import SUFFIX

pytestmark = pytest.mark.nightly

COMMAND: Final = [sys.executable, "-m", "cloakboard"]
CLOSING: Final = re.compile(r"^result: .+ turns: \d+ digest: [0-9a-f]{64} audit: .+$", re.M)
WATCH: Final = re.compile(r"^watch: (\S+)$", re.M)
TURNS: Final = 40
LIMIT_S: Final = 400.0
CUT_S: Final = 20.0
POLL_S: Final = 0.1
STEP_BYTES: Final = 40_000  # of a save: some Turns


def ip(*words: object) -> None:
    done = subprocess.run(["ip", *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"ip {' '.join(map(str, words))}: {done.stderr}"


def wait_for(what: str, is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + LIMIT_S
    while not is_so():
        assert time.monotonic() < end, f"{what}: not within {LIMIT_S:.0f} s"
        time.sleep(POLL_S)


@dataclass
class Machine:
    """A namespace with one wire to the bridge, and a profile."""

    number: int
    folder: Path
    prefix: str
    running: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.name = f"{self.prefix}{self.number}"
        self.plug = f"{self.prefix}v{self.number}"
        ip("netns", "add", self.name)
        ip("link", "add", self.plug, "type", "veth", "peer", "name", "e0", "netns", self.name)
        ip("link", "set", self.plug, "master", f"{self.prefix}b", "up")
        ip("-n", self.name, "link", "set", "lo", "up")
        ip("-n", self.name, "link", "set", "e0", "up")
        self.move(self.number)

    def move(self, address: int) -> None:
        """Gives it another address, or 0 for none, and takes the old one away."""
        ip("-n", self.name, "addr", "flush", "dev", "e0")
        if address:
            ip("-n", self.name, "addr", "add", f"10.77.0.{address}/24", "dev", "e0")

    def plugged(self, is_in: bool) -> None:
        ip("link", "set", self.plug, "up" if is_in else "down")

    @property
    def profile(self) -> Path:
        return self.folder / "profile"

    @property
    def save(self) -> Path:
        (path,) = (self.profile / "saves").glob(f"*{SUFFIX}")
        return path

    @property
    def length(self) -> int:
        """Bytes of its save, 0 for none."""
        files = list((self.profile / "saves").glob(f"*{SUFFIX}"))
        return files[0].stat().st_size if files else 0

    def told(self) -> str:
        """All that its programs have said."""
        return "".join(path.read_text() for path in sorted(self.folder.glob("*.txt")))

    def closing(self) -> str:
        """The line at the end of its match, empty before."""
        found = CLOSING.search(self.told())
        return found.group() if found else ""

    def run(self, *words: object) -> None:
        """Starts the program on this machine."""
        path = self.folder / f"{len(self.running)}.txt"
        command = ["ip", "netns", "exec", self.name, *COMMAND, *map(str, words)]
        with path.open("wb") as output:
            self.running.append(
                subprocess.Popen(
                    [*command, "--profile", str(self.profile)],
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                )
            )

    def kill(self) -> None:
        self.running[-1].send_signal(signal.SIGKILL)
        self.running[-1].wait()

    def remove(self) -> None:
        for process in self.running:
            process.kill()
            process.wait()
        ip("netns", "del", self.name)


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Sequence[Machine]]:
    if shutil.which("ip") is None or os.getuid() != 0:
        pytest.fail("networks of their own need root and iproute2: run scripts/setup.sh as root")
    prefix = f"cb{os.getpid() % 100_000}"
    ip("link", "add", f"{prefix}b", "type", "bridge")
    ip("link", "set", f"{prefix}b", "up")
    made: list[Machine] = []
    try:
        for number in (1, 2, 3):
            folder = tmp_path / f"machine{number}"
            folder.mkdir()
            made.append(Machine(number, folder, prefix))
        yield made
    finally:
        for machine in made:
            machine.remove()
        ip("link", "del", f"{prefix}b")


def play_on(machines: Sequence[Machine], step: str) -> None:
    """Waits until the match has gone on for some Turns on every machine."""
    for machine in machines:
        assert not machine.closing(), f"the match was over before: {step}"
    lengths = [machine.length for machine in machines]
    wait_for(
        f"the match goes on after: {step}",
        lambda: all(
            m.length >= before + STEP_BYTES for m, before in zip(machines, lengths, strict=True)
        ),
    )


def test_24_a_match_on_the_local_network_lives_through_cut_move_and_kill(
    machines: Sequence[Machine],
) -> None:
    host, guest, third = machines
    players = (host, guest)
    bot = ["--bot", "random", "--max-turns", TURNS, "--lan", "--wait", 120]
    host.run("host", "wec", "--name", "Ann", "--let-in", "--spectators", *bot)
    guest.run("join", "ann", "--name", "Bob", *bot)
    play_on(players, "the start")
    assert "let in: Bob" in host.told()
    third.run("watch", WATCH.search(guest.told()).group(1), "--wait", 200)  # type: ignore[union-attr]

    guest.plugged(False)
    time.sleep(CUT_S)
    guest.plugged(True)
    play_on(players, f"a cut of {CUT_S:.0f} s")

    host.move(11)
    play_on(players, "the host's change of address")
    guest.move(12)
    play_on(players, "the guest's change of address")

    guest.kill()
    guest.run("resume", guest.save, "--wait", 120)
    play_on(players, "kill -9 of the guest")
    host.kill()
    host.move(21)
    host.run("resume", host.save, "--wait", 120)

    wait_for("the match ends", lambda: bool(host.closing() and guest.closing()))
    assert host.closing() == guest.closing()
    assert host.closing().endswith("audit: clean")
    third.running[-1].wait(LIMIT_S)
    digest = re.search(r"turns: \d+ digest: [0-9a-f]{64}", host.closing())
    assert digest is not None and digest.group() in third.told().splitlines()
    verified = subprocess.run(
        [*COMMAND, "verify", str(host.save), str(guest.save)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert verified.returncode == 0, verified.stderr
    assert verified.stdout.count(": clean ") == 2


def test_24_a_machine_that_comes_to_the_network_late_is_found(
    machines: Sequence[Machine],
) -> None:
    host, guest, _ = machines
    host.move(0)
    bot = ["--bot", "random", "--max-turns", 2, "--lan"]
    host.run("host", "wec", "--name", "Ann", "--let-in", *bot)
    guest.run("join", "ann", "--name", "Bob", *bot)
    wait_for("the invite", lambda: "invite: " in host.told())
    host.move(31)
    wait_for("the match ends", lambda: bool(host.closing() and guest.closing()))
    assert host.closing() == guest.closing()


def test_25_without_multicast_the_pasted_invite_works(machines: Sequence[Machine]) -> None:
    host, guest, _ = machines
    for machine in machines:
        ip("link", "set", machine.plug, "type", "bridge_slave", "mcast_flood", "off")
    bot = ["--bot", "random", "--max-turns", 2]
    host.run("host", "wec", "--name", "Ann", "--lan", *bot)
    wait_for("the invite", lambda: "invite: " in host.told())
    invite = host.told().partition("invite: ")[2].splitlines()[0]
    guest.run("rooms", "--lan")
    guest.running[-1].wait()
    assert "no rooms" in guest.told()
    guest.run("join", invite, "--name", "Bob", *bot)
    wait_for("the match ends", lambda: bool(host.closing() and guest.closing()))
    assert host.closing() == guest.closing()
    assert host.closing().endswith("audit: clean")
