"""Telling the desktop that links of the form `cloakboard:` are opened by this program.

Only files and keys of the user's own are written, and only when the player asks for it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from cloakboard.netplay.errors import NetplayError
from cloakboard.netplay.files import replace_file

SCHEME: Final = "cloakboard"
ENTRY_NAME: Final = "cloakboard.desktop"
READABLE: Final = 0o644
TOOL_S: Final = 10.0
BY_HAND: Final = "paste the invite into Cloakboard instead; that always works"
_IN_QUOTES: Final = str.maketrans({sign: f"\\{sign}" for sign in '"`$\\'})

_ENTRY: Final = """\
[Desktop Entry]
Type=Application
Name=Cloakboard
Comment=Hidden-move board games with friends
Exec={command} play --join %u
Terminal=false
Categories=Game;BoardGame;
MimeType=x-scheme-handler/{scheme};
"""


class Unregistered(NetplayError):
    """The desktop cannot be told."""


def command(arguments: Sequence[str] = sys.argv, python: str = sys.executable) -> tuple[str, ...]:
    """What starts this program: the installed command if it was started so, else Python."""
    started = Path(arguments[0]) if arguments else Path()
    if started.stem == SCHEME and started.is_file():
        return (str(started.absolute()),)
    return (python, "-m", SCHEME)


def entry(parts: Sequence[str]) -> str:
    """The desktop entry of freedesktop.org that starts the program for a link."""
    quoted = " ".join(f'"{part.translate(_IN_QUOTES)}"' for part in parts)
    escaped = quoted.replace("\\", "\\\\").replace("%", "%%")
    return _ENTRY.format(command=escaped, scheme=SCHEME)


def entry_path(environment: Mapping[str, str] = os.environ) -> Path:
    """Where the desktop looks for the user's own entries."""
    data = environment.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(data) / "applications" / ENTRY_NAME


def register() -> str:
    """Has links of invites opened by this program; a sentence that says what was done. Raises
    `Unregistered`, with a way out."""
    if sys.platform == "win32":
        return _register_windows()
    if sys.platform == "darwin":
        raise Unregistered(
            f"macOS opens links only with programs that are installed as an app; {BY_HAND}"
        )
    path = entry_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, entry(command()).encode(), READABLE)
    except OSError as error:
        raise Unregistered(f"{path} cannot be written ({error.strerror}); {BY_HAND}") from error
    _run("update-desktop-database", str(path.parent))
    _run("xdg-mime", "default", ENTRY_NAME, f"x-scheme-handler/{SCHEME}")
    return f"links that begin with {SCHEME}: are opened by this program; see {path}"


def unregister() -> str:
    """Undoes `register`. Raises `Unregistered`."""
    if sys.platform == "win32":
        return _unregister_windows()
    path = entry_path()
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise Unregistered(f"{path} cannot be removed ({error.strerror})") from error
    _run("update-desktop-database", str(path.parent))
    return f"links that begin with {SCHEME}: are not opened by this program any more"


def _run(tool: str, *arguments: str) -> None:
    """Runs a tool of the desktop if there is one; without it the entry counts all the same."""
    found = shutil.which(tool)
    if found is not None:
        try:
            subprocess.run([found, *arguments], capture_output=True, timeout=TOOL_S, check=False)
        except (OSError, subprocess.TimeoutExpired):
            return


if sys.platform == "win32":
    import winreg

    _KEY: Final = rf"Software\Classes\{SCHEME}"

    def _register_windows() -> str:
        parts = " ".join(f'"{part}"' for part in command())
        values = {
            _KEY: {"": "URL:Cloakboard invite", "URL Protocol": ""},
            rf"{_KEY}\shell\open\command": {"": f'{parts} play --join "%1"'},
        }
        try:
            for place, named in values.items():
                with winreg.CreateKey(winreg.HKEY_CURRENT_USER, place) as key:
                    for name, value in named.items():
                        winreg.SetValueEx(key, name, 0, winreg.REG_SZ, value)
        except OSError as error:
            raise Unregistered(f"Windows does not take it ({error}); {BY_HAND}") from error
        return f"links that begin with {SCHEME}: are opened by this program"

    def _unregister_windows() -> str:
        try:
            for place in (r"\shell\open\command", r"\shell\open", r"\shell", ""):
                winreg.DeleteKey(winreg.HKEY_CURRENT_USER, _KEY + place)
        except FileNotFoundError:
            pass
        except OSError as error:
            raise Unregistered(f"Windows does not forget it ({error})") from error
        return f"links that begin with {SCHEME}: are not opened by this program any more"
