"""What a player prefers, kept as JSON at every change.

Written when a setting changes, not at exit; a damaged file costs the settings in it that cannot
be read and nothing else, and is kept aside. Saves hold no settings and opening one writes none.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit

import msgspec

from cloakboard.netplay.errors import Malformed
from cloakboard.netplay.files import replace_file, set_aside

FILE_NAME: Final = "settings.json"
PUBLIC_RELAYS: Final = "n0"
"""Stands in `relays` for the public relays that iroh's makers run."""

_UNREADABLE: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)

Percent = Annotated[int, msgspec.Meta(ge=0, le=100)]
Pixels = Annotated[int, msgspec.Meta(ge=1, le=1 << 15)]
HexColour = Annotated[str, msgspec.Meta(pattern="^#[0-9a-fA-F]{6}$")]
HallLine = Annotated[str, msgspec.Meta(min_length=1, max_length=300)]
Place = Annotated[int, msgspec.Meta(ge=-(1 << 15), le=1 << 15)]


class Window(msgspec.Struct, frozen=True, kw_only=True):
    """Where the window was: place and size in pixels on the monitor numbered `screen`."""

    x: Place
    y: Place
    width: Pixels
    height: Pixels
    screen: Annotated[int, msgspec.Meta(ge=0, le=63)] = 0
    full_screen: bool = False


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """All settings. An empty `name` means the one made from the key; `relays` holds URLs or
    `n0`, none at all means direct connections only; `ui_scale` is in percent of the screen's
    own scale; `language` `system` follows the desktop; `window` is None before the first exit.

    `lessons`: names of those that are done. `rules`: by game, the player's own changes of its
    options, and `start_with` whether a new match begins with them. `colours`: by what is
    coloured, as `#rrggbb`. `last_seen`: where enemies were last seen is marked. `presence`: friends
    can find out whether this player is there, and this one whether they are. `lan`: the local
    network is used to show and find rooms, and friends whose address has changed. `halls`: as
    `hall.parse_hall` takes them, passwords included, which is one reason why the file is its
    owner's alone.
    """

    name: Annotated[str, msgspec.Meta(max_length=40)] = ""
    relays: Annotated[tuple[str, ...], msgspec.Meta(max_length=16)] = (PUBLIC_RELAYS,)
    piece_set: Literal["detailed", "simple"] = "detailed"
    motion: Literal["all", "short", "essential", "none"] = "all"
    ui_scale: Annotated[int, msgspec.Meta(ge=75, le=300)] = 100
    sound_volume: Percent = 70
    sound_muted: bool = False
    colour_blind: bool = False
    language: Literal["system", "en", "ko", "zh-Hant", "zh-Hans"] = "system"
    window: Window | None = None
    lessons: Annotated[tuple[str, ...], msgspec.Meta(max_length=64)] = ()
    rules: Annotated[dict[str, dict[str, bool | int | str]], msgspec.Meta(max_length=16)] = {}
    start_with: Literal["mine", "standard"] = "mine"
    colours: Annotated[dict[str, HexColour], msgspec.Meta(max_length=64)] = {}
    lighting: Literal["lamp", "day", "even"] = "lamp"
    board_view: Literal["levels", "single"] = "levels"
    last_seen: bool = True
    presence: bool = True
    lan: bool = True
    halls: Annotated[tuple[HallLine, ...], msgspec.Meta(max_length=16)] = ()

    def __repr__(self) -> str:
        return f"<Settings of {self.name!r}>"  # without the passwords of halls


def read_relays(text: str) -> tuple[str, ...]:
    """Relays as a player types them: URLs and `n0`, with blanks or commas between; nothing for
    direct connections only. Raises `Malformed`."""
    relays = tuple(text.replace(",", " ").split())
    for relay in relays:
        try:
            parts = urlsplit(relay)
            is_url = parts.scheme in ("https", "http") and bool(parts.hostname)
        except ValueError:
            is_url = False
        if relay != PUBLIC_RELAYS and not is_url:
            raise Malformed(
                f"{relay} is no relay; give its URL, such as https://relay.example.org, or "
                f"{PUBLIC_RELAYS} for the public ones",
                what="relay",
            )
    return relays


class SettingsFile:
    """The settings of a profile folder. `now` is what holds; `notice` tells the player that a
    damaged file was kept aside, or is None."""

    def __init__(self, folder: Path) -> None:
        """Read the settings in `folder`; what is missing or unreadable takes its default."""
        self._path = folder / FILE_NAME
        self.notice: str | None = None
        self.now = self._read()

    def change(self, **changes: object) -> Settings:
        """Set the named fields, keep them on disk, and return what now holds.

        Raises `Malformed` if a field does not exist or cannot take the value; nothing changes
        then. `OSError` if the disk refuses.
        """
        fields = msgspec.to_builtins(self.now) | msgspec.to_builtins(changes)
        for name in changes:
            if name not in Settings.__struct_fields__:
                raise Malformed(f"there is no setting {name}", what="setting")
        try:
            changed = msgspec.convert(fields, Settings)
        except msgspec.ValidationError as error:
            raise Malformed(f"that setting cannot be so: {error}", what="setting") from error
        if changed != self.now or not self._path.exists():
            replace_file(self._path, msgspec.json.format(msgspec.json.encode(changed)) + b"\n")
        self.now = changed
        return changed

    def _read(self) -> Settings:
        try:
            text = self._path.read_bytes()
        except OSError:
            return Settings()
        try:
            return msgspec.json.decode(text, type=Settings)
        except _UNREADABLE:
            problem = "some settings could not be read and are back at their defaults"
            try:
                aside = set_aside(self._path, "bad").name
                self.notice = f"{problem}; the old file is kept as {aside}"
            except OSError as error:
                self.notice = f"{problem}; {self._path} cannot be moved ({error.strerror})"
            return _salvage(text)


def _salvage(text: bytes) -> Settings:
    """Defaults, with every field of a damaged file that can still be read by itself."""
    try:
        found = msgspec.json.decode(text, type=dict[str, Any])
    except _UNREADABLE:
        return Settings()
    good: dict[str, Any] = {}
    for name in Settings.__struct_fields__:
        if name in found:
            try:
                field = msgspec.convert({name: found[name]}, Settings)
            except msgspec.ValidationError:
                continue
            good[name] = getattr(field, name)
    return Settings(**good)
