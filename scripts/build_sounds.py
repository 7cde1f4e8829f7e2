"""The game's sounds: short and dry, from sine waves and noise, with no recording in them."""

from __future__ import annotations

import wave
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy
from numpy.typing import NDArray

RATE: Final = 22050
"""Samples a second."""
PEAK: Final = 0.7

Sound = NDArray[numpy.float64]


def _time(seconds: float) -> Sound:
    return numpy.arange(int(seconds * RATE)) / RATE


def _tone(start_hz: float, end_hz: float, seconds: float, decay: float) -> Sound:
    """A sine that glides and dies away; `decay` in 1/s."""
    time = _time(seconds)
    pitch = start_hz * (end_hz / start_hz) ** (time / seconds)
    wave_ = numpy.sin(2 * numpy.pi * numpy.cumsum(pitch) / RATE)
    attack = numpy.minimum(1, time / 0.004)
    return wave_ * attack * numpy.exp(-decay * time)


def _noise(seconds: float, decay: float, width: int, seed: int) -> Sound:
    """Noise smoothed over `width` samples (wider is darker) that dies away."""
    time = _time(seconds)
    raw = numpy.random.default_rng(seed).uniform(-1, 1, len(time) + width)
    smooth = numpy.convolve(raw, numpy.ones(width) / width, "valid")[: len(time)]
    return smooth * numpy.sqrt(width) * numpy.minimum(1, time / 0.002) * numpy.exp(-decay * time)


def _mix(*parts: tuple[float, float, Sound]) -> Sound:
    """Parts as (start in seconds, gain, sound)."""
    length = max(int(start * RATE) + len(sound) for start, _, sound in parts)
    total = numpy.zeros(length)
    for start, gain, sound in parts:
        first = int(start * RATE)
        total[first : first + len(sound)] += gain * sound
    return total


def _knock(pitch: float, seed: int) -> Sound:
    return _mix((0, 1, _tone(pitch, pitch * 0.7, 0.09, 45)), (0, 0.5, _noise(0.03, 120, 3, seed)))


SOUNDS: Final[dict[str, Callable[[], Sound]]] = {
    "click": lambda: _knock(900, 1)[: RATE // 20],
    "focus": lambda: _tone(1200, 1200, 0.03, 90),
    "select": lambda: _tone(520, 620, 0.07, 40),
    "refuse": lambda: _mix(
        (0, 1, _tone(190, 170, 0.1, 25)), (0.09, 0.8, _tone(150, 135, 0.12, 25))
    ),
    "move": lambda: _mix((0, 0.35, _noise(0.1, 25, 12, 2)), (0.09, 1, _knock(260, 3))),
    "rise": lambda: _mix((0, 1, _noise(0.22, 10, 6, 4)), (0, 0.5, _tone(300, 620, 0.22, 10))),
    "dive": lambda: _mix((0, 1, _noise(0.25, 10, 24, 5)), (0, 0.6, _tone(420, 160, 0.25, 9))),
    "capture": lambda: _mix((0, 1, _knock(150, 6)), (0.02, 0.9, _noise(0.18, 18, 8, 7))),
    "flame": lambda: _mix((0, 1, _noise(0.4, 7, 10, 8)), (0, 0.4, _noise(0.4, 9, 40, 9))),
    "stun": lambda: _mix(
        *((0.035 * k, 0.8, _tone(1500 - 110 * k, 700, 0.05, 50)) for k in range(6)),
        (0, 0.3, _noise(0.25, 14, 2, 10)),
    ),
    "convert": lambda: _mix(
        *((0.07 * k, 0.7, _tone(hz, hz, 0.3, 10)) for k, hz in enumerate((440, 554, 659)))
    ),
    "launch": lambda: _mix((0, 1, _noise(0.35, 8, 8, 11)), (0, 0.5, _tone(140, 420, 0.35, 7))),
    "hit": lambda: _mix((0, 1, _noise(0.45, 9, 18, 12)), (0, 1, _tone(110, 45, 0.4, 9))),
    "vanish": lambda: _mix((0, 0.7, _tone(900, 300, 0.35, 9)), (0, 0.3, _noise(0.35, 9, 3, 13))),
    "reveal": lambda: _mix(
        (0, 0.7, _tone(330, 880, 0.25, 8)), (0.1, 0.4, _tone(1320, 1320, 0.2, 14))
    ),
    "lock": lambda: _mix(
        (0, 0.8, _tone(980, 980, 0.06, 30)), (0.09, 0.8, _tone(980, 980, 0.1, 25))
    ),
    "pick_up": lambda: _mix((0, 0.8, _knock(420, 14)), (0.05, 0.7, _tone(620, 780, 0.09, 28))),
    "drop": lambda: _mix((0, 0.7, _tone(640, 420, 0.09, 28)), (0.06, 0.9, _knock(240, 15))),
    "reinforce": lambda: _mix(
        (0, 0.7, _tone(294, 294, 0.2, 12)), (0.12, 0.8, _tone(440, 440, 0.3, 10))
    ),
    "turn": lambda: _mix(
        (0, 0.8, _tone(587, 587, 0.25, 14)), (0.11, 0.7, _tone(784, 784, 0.35, 11))
    ),
    "chat": lambda: _mix(
        (0, 0.6, _tone(740, 740, 0.07, 35)), (0.07, 0.6, _tone(932, 932, 0.12, 28))
    ),
    "join": lambda: _mix((0, 0.7, _tone(392, 392, 0.2, 14)), (0.1, 0.7, _tone(523, 523, 0.3, 11))),
    "lost": lambda: _mix((0, 0.7, _tone(440, 440, 0.18, 14)), (0.14, 0.8, _tone(294, 280, 0.4, 8))),
    "win": lambda: _mix(
        *((0.12 * k, 0.7, _tone(hz, hz, 0.5, 6)) for k, hz in enumerate((392, 494, 587, 784)))
    ),
    "lose": lambda: _mix(
        *(
            (0.16 * k, 0.7, _tone(hz, hz * 0.98, 0.5, 6))
            for k, hz in enumerate((392, 349, 294, 220))
        )
    ),
    "draw": lambda: _mix((0, 0.7, _tone(392, 392, 0.5, 6)), (0.15, 0.7, _tone(440, 440, 0.6, 6))),
}


def build_sounds(target: Path) -> None:
    """Write each sound as a mono 16-bit WAV file named after it."""
    target.mkdir(parents=True, exist_ok=True)
    for name, make in SOUNDS.items():
        sound = make()
        fade = min(len(sound), RATE // 100)
        sound[-fade:] *= numpy.linspace(1, 0, fade)
        sound *= PEAK / numpy.abs(sound).max()
        with wave.open(str(target / f"{name}.wav"), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE)
            file.writeframes((sound * 32767).astype("<i2").tobytes())
