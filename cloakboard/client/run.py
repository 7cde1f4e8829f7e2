"""Running the desktop program: opens the profile, the window, and closes them again."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pyglet
from pyglet.gl import GLException
from pyglet.window import WindowException

from cloakboard.client.app import App
from cloakboard.client.kept import HeldSettings, KeptSettings
from cloakboard.client.lobby import Friends
from cloakboard.client.window import CloakWindow
from cloakboard.engine.registry import games
from cloakboard.keeping.keeper import Keeper
from cloakboard.netplay import handoff
from cloakboard.netplay.errors import NetplayError
from cloakboard.netplay.identity import Identity
from cloakboard.netplay.profile import Profile, ProfileInUse
from cloakboard.netplay.settings import SettingsFile

BAD_INPUT: Final = 2  # exit code
NEWS_S: Final = 0.5  # between looks at what there is to tell
NO_WINDOW: tuple[type[Exception], ...] = (WindowException, GLException)
if sys.platform.startswith("linux"):
    from pyglet.display.xlib import NoSuchDisplayException

    NO_WINDOW = (*NO_WINDOW, NoSuchDisplayException)


def run(
    profile: Path | None = None,
    *,
    friends: Callable[[Profile, SettingsFile, Keeper], Friends] | None = None,
    has_sound: bool = True,
    invite: str = "",
) -> int:
    """Runs the program until its window closes; the exit code.

    `profile`: a folder of its own for identity, saves and settings. `friends` makes the network
    part; without it the program plays on this machine only. `invite`: of a friend, to ask the
    player about; a program that has the profile open already is handed it.
    """
    try:
        opened = Profile.open(profile)
    except ProfileInUse as error:
        if not invite:
            print(f"cloakboard: {error}", file=sys.stderr)
            return BAD_INPUT
        handoff.leave(error.folder, invite)
        print("the invite is shown in the Cloakboard that is open")
        return 0
    except NetplayError as error:
        print(f"cloakboard: {error}", file=sys.stderr)
        return BAD_INPUT
    with opened:
        settings = HeldSettings(opened.folder)
        kept = KeptSettings(settings)
        try:
            window = CloakWindow(kept, has_sound=has_sound)
        except NO_WINDOW as error:
            print(
                f"cloakboard: no window can be opened here ({error}); start it from a desktop, or "
                "play without a window: cloakboard host --help",
                file=sys.stderr,
            )
            return BAD_INPUT
        keeper = Keeper(opened.folder, Identity.open(opened.folder).key, games())
        network = friends(opened, settings, keeper) if friends is not None else None
        try:
            app = App(opened, window, kept, network, keeper)
            app.start()
            if invite:
                app.social.opened(invite)
            pyglet.clock.schedule_interval(lambda passed: app.tell_news(), NEWS_S)
            window.run()
            kept.keep_window()
        finally:
            if network is not None:
                network.close()
            keeper.close()
    return 0
