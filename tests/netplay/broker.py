"""A real Mosquitto on the loopback, and a wire to it that can be cut."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

import pytest

PLACES: Final = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"))
ANYBODY: Final = "allow_anonymous true"


def find_mosquitto(program: str = "mosquitto") -> str:
    """Where a program of Mosquitto's is; a test that needs it fails without it."""
    found = shutil.which(program, path=PLACES)
    if found is None:
        pytest.fail(
            "the tests of halls need Mosquitto: run scripts/setup.sh test, or "
            "sudo apt-get install -y --no-install-recommends mosquitto"
        )
    return found


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
    return port


class Broker:
    """One broker with settings of its own; `stop` and `start` keep its port."""

    def __init__(self, folder: Path, *settings: str) -> None:
        self.port: Final = free_port()
        self._config = folder / "mosquitto.conf"
        lines = [f"listener {self.port} 127.0.0.1", "log_dest stderr", "persistence false"]
        if os.name == "posix" and os.getuid() == 0:
            lines.insert(0, "user root")  # else it may not read the folder
        self._config.write_text(
            "\n".join(
                [
                    "log_type information",
                    "connection_messages false",
                    *lines,
                    *(settings or (ANYBODY,)),
                ]
            )
            + "\n"
        )
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Returns when it can be reached."""
        self._process = process = subprocess.Popen(
            [find_mosquitto(), "-c", str(self._config)],
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stderr is not None
        told = []
        for line in process.stderr:
            told.append(line)
            if "running" in line:
                return
        raise AssertionError(f"Mosquitto does not start: {''.join(told)}")

    def stop(self) -> None:
        """Ends it; whoever is connected is cut off."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


@asynccontextmanager
async def wire_to(port: int) -> AsyncIterator[Wire]:
    wire = Wire(port)
    server = await asyncio.start_server(wire.carry, "127.0.0.1", 0)
    wire.port = server.sockets[0].getsockname()[1]
    try:
        yield wire
    finally:
        server.close()
        wire.cut()


class Wire:
    """A way to a port that can be cut, as when a machine loses its network or dies."""

    def __init__(self, port: int) -> None:
        self.port = 0
        self._to = port
        self._ends: set[asyncio.StreamWriter] = set()

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carries one connection."""
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._to)
        except OSError:
            writer.transport.abort()
            return
        self._ends |= {writer, far_writer}
        await asyncio.gather(_pump(reader, far_writer), _pump(far_reader, writer))
        self._ends -= {writer, far_writer}

    def cut(self) -> None:
        """Ends every connection without a word."""
        for end in self._ends:
            end.transport.abort()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
    with suppress(OSError):
        writer.close()
