"""Short sounds with a volume and a mute; silence where there is no audio device."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any, Final

import pyglet

from cloakboard import assets

FOLDER: Final = Path(assets.__file__).parent / "sounds"
NAMES: Final = tuple(sorted(path.stem for path in FOLDER.glob("*.wav")))
"""The sounds there are."""

_log = logging.getLogger(__name__)


class SoundBoard:
    """Plays sounds by name. A machine without sound plays none and says so once in the log."""

    def __init__(
        self, volume: float = 0.7, is_muted: bool = False, is_enabled: bool = True
    ) -> None:
        self.volume = volume
        self.is_muted = is_muted
        self._is_enabled = is_enabled
        self._sources: dict[str, Any] = {}

    def play(self, name: str) -> None:
        """Play a sound of `NAMES` now, unless muted; an unknown name is a `KeyError`."""
        if name not in NAMES:
            raise KeyError(name)
        if self.is_muted or not self._is_enabled or self.volume <= 0:
            return
        try:
            if name not in self._sources:
                path = str(FOLDER / f"{name}.wav")
                self._sources[name] = pyglet.media.load(path, streaming=False)
            self._sources[name].play().volume = min(self.volume, 1.0)
        except Exception as error:  # audio drivers raise whatever they like; a game goes on
            self._is_enabled = False
            _log.info("no sound: %s", error)
