"""Hands and eyes for whole programs: their windows on one virtual screen, a mouse and a keyboard
that nobody touches, and what is on the screen and in the saves.

Nothing here reaches into a program. Squares are clicked where the client's own geometry says they
are drawn; what came of it is read from the save, as an honest machine of that seat reads it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec
from PIL import Image, ImageChops, ImageGrab
from pyglet.libs.x11 import xlib

from cloakboard.client import theme
from cloakboard.client.boards import wec_geometry as geometry
from cloakboard.client.boards.wec import unit_in
from cloakboard.client.boards.wec_geometry import Frame
from cloakboard.client.canvas import Box
from cloakboard.client.theme import Colour, Scale
from cloakboard.client.views.page import Page
from cloakboard.client.views.table_layout import TableLayout, arrange
from cloakboard.client.views.table_panel import CARD
from cloakboard.engine.events import Event
from cloakboard.engine.registry import games
from cloakboard.engine.wec.board import seen
from cloakboard.engine.wec.state import Piece, State, square_at
from cloakboard.netplay.errors import Malformed
from cloakboard.netplay.identity import Identity
from cloakboard.netplay.lockstep import journal
from cloakboard.netplay.lockstep.match import Match
from cloakboard.netplay.settings import SettingsFile, Window
from cloakboard.netplay.transcript import header_hash, read_opening
from cloakboard.netplay.veil.opening import own_hand

WIDTH, HEIGHT = 1280, 720
LIMIT_S: Final = 120.0
AGAIN_S: Final = 8.0
POLL_S: Final = 0.05
LEFT, RIGHT = 1, 3  # X's numbers of mouse buttons
PAINTS: Final = {"act": theme.AMBER, "wait": theme.TEAL, "refused": theme.CORAL}
TITLE: Final = (72, 50, 350, 100)  # of the first screen, y counted from above
FOOT: Final = (80, 40)  # from a page's lower right corner into the button that goes on
COLOURS: Final = 100  # a window with fewer has drawn nothing yet
DELETE, PROTOCOLS = b"WM_DELETE_WINDOW", b"WM_PROTOCOLS"
FORMAT: Final = 32  # bits of each item of an X message


def wait_for(what: str, is_so: Callable[[], bool], limit_s: float = LIMIT_S) -> None:
    """Returns once it is so; fails with the name of what did not come."""
    end = time.monotonic() + limit_s
    while not is_so():
        assert time.monotonic() < end, f"{what}: not within {limit_s:.0f} s"
        time.sleep(POLL_S)


def until(
    what: str,
    is_so: Callable[[], bool],
    *hands: Callable[[], object],
    again_s: float = AGAIN_S,
) -> None:
    """Uses the hands, in order, until it is so. A click that comes while the last action is still
    being shown only ends the show, so the hands may be needed again, as a player's would be."""
    end = time.monotonic() + LIMIT_S
    while not is_so():
        assert time.monotonic() < end, f"{what}: not within {LIMIT_S:.0f} s"
        for hand in hands:
            hand()
        again = min(time.monotonic() + again_s, end)
        while not is_so() and time.monotonic() < again:
            time.sleep(POLL_S)


@contextmanager
def screen(width: int = 2 * WIDTH, height: int = HEIGHT) -> Iterator[str]:
    """A virtual screen with room for two windows; its display name."""
    server = shutil.which("Xvfb")
    assert server, "these tests need Xvfb: run `make setup`, or install package xvfb"
    reader, writer = os.pipe()
    size = f"{width}x{height}x24"
    arguments = [server, "-displayfd", str(writer), "-screen", "0", size]
    # A server without -noreset starts anew, and refuses to be met meanwhile, when its last client
    # leaves; here hands come and go.
    arguments += ["-nolisten", "tcp", "-noreset"]
    process = subprocess.Popen(arguments, pass_fds=(writer,), stderr=subprocess.DEVNULL)
    os.close(writer)
    try:
        with os.fdopen(reader) as answer:
            number = answer.readline().strip()
        assert number, "Xvfb found no free display"
        yield f":{number}"
    finally:
        process.terminate()
        process.wait(timeout=10)


class Reader:
    """Follows the one save of a profile from outside, as the seat that keeps it. `events`: what
    that seat came to know so far."""

    def __init__(self, profile: Path) -> None:
        self.profile = profile
        self.events: list[Event] = []
        self._match: Match | None = None

    @property
    def has_begun(self) -> bool:
        """Whether there is a match in the profile."""
        try:
            return any(journal.read(path).entries for path in self._paths())
        except Malformed:  # its first record is being written
            return False

    def _paths(self) -> list[Path]:
        return list((self.profile / "saves").glob(f"*{journal.SUFFIX}"))

    @property
    def path(self) -> Path:
        """The save."""
        (path,) = self._paths()
        return path

    @property
    def match(self) -> Match:
        """The match as far as the save goes."""
        entries = journal.read(self.path).entries
        if self._match is None:
            opening = read_opening(entries[0].body)
            identity = Identity.open(self.profile)
            seat = next(i for i, laid in enumerate(opening.seats) if laid.key == identity.key)
            hand = own_hand(identity, opening, header_hash(entries[0].header), seat)
            game = games()[opening.game]
            self._match = Match(game, identity, entries[:1], seat, hand, lambda: 0)
        for entry in entries[len(self._match.entries) :]:
            self._match.core.feed(entry, again=True)
            self._match.entries.append(entry)
            self.events += self._match.core.drain()
        return self._match

    @property
    def view(self) -> State:
        """What the seat knows."""
        view = self.match.core.view
        assert isinstance(view, State)
        return view

    def pieces(self, row: int, column: int) -> tuple[Piece, ...]:
        """What the seat sees in a square, in the order in which it is drawn."""
        pieces = seen(self.view, self.match.seat)
        return tuple(piece for piece in pieces if piece.square == square_at(row, column))

    def kinds(self, row: int, column: int) -> set[str]:
        """Side, kind and level of each piece there: `b.SU.2` is a black Sub under water."""
        return {f"{'bw'[p.side]}.{p.kind}.{p.level}" for p in self.pieces(row, column)}


class Program:
    """One running program: its window, and the save of its player, who is called as the folder
    of the profile is. `left`: where its window begins on the screen."""

    def __init__(self, display: str, profile: Path, left: int = 0) -> None:
        self.display = display
        self.profile = profile
        self.left = left
        self.save = Reader(profile)
        self._process: subprocess.Popen[bytes] | None = None
        self._window = ""
        profile.mkdir(parents=True)
        SettingsFile(profile).change(
            window=msgspec.to_builtins(Window(x=left, y=0, width=WIDTH, height=HEIGHT)),
            name=profile.name,
            motion="short",
            sound_muted=True,
        )

    # Its life -----------------------------------------------------------------------------

    def start(self) -> None:
        """Starts the program and waits for its first picture."""
        self._others = self._windows()
        with (self.profile / "output.txt").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "cloakboard", "play", "--local", "--profile", self.profile],
                stdout=log,
                stderr=log,
                env=os.environ | {"DISPLAY": self.display},
            )
        wait_for(f"the window of {self.profile.name}", self._has_window)
        wait_for("its first picture", lambda: is_drawn(self.picture()))
        self._title = self.picture().crop(TITLE)

    def _windows(self) -> set[str]:
        return set(self._hand("search", "--name", "^Cloakboard$").split())

    def _has_window(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, self.output
        self._window = next(iter(self._windows() - self._others), "")
        return bool(self._window)

    @property
    def output(self) -> str:
        """What it wrote to the terminal."""
        return (self.profile / "output.txt").read_text()

    def kill(self) -> None:
        """Ends it at once, as a crash or a power cut would."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def close(self) -> int:
        """Closes its window as the cross in its title bar does; the program's exit code."""
        assert self._process is not None
        _ask_to_close(self.display, int(self._window))
        return self._process.wait(LIMIT_S)

    def end(self) -> None:
        """Ends it if it still runs."""
        if self._process is not None and self._process.poll() is None:
            self.kill()

    # Hands --------------------------------------------------------------------------------

    def _hand(self, *words: str) -> str:
        environment = os.environ | {"DISPLAY": self.display}
        command = ["xdotool", *words]
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=LIMIT_S, check=False
        )
        return done.stdout

    def press(self, *keys: str) -> None:
        """Types keys by their X names, such as `Return` or `ctrl+v`."""
        self._hand("windowfocus", "--sync", self._window, "key", *keys)

    def point(self, x: float, y: float, *then: str) -> None:
        """Moves the mouse to a point of the window, y counted from below."""
        self._hand("mousemove", str(round(self.left + x)), str(round(HEIGHT - 1 - y)), *then)

    def click(self, x: float, y: float, button: int = LEFT) -> None:
        """Clicks a point of the window."""
        self.point(x, y, "click", str(button))

    def point_square(self, row: int, column: int) -> None:
        """Moves the mouse to the middle of a square."""
        self.point(*geometry.centre(self.frame, square_at(row, column)))

    def click_square(self, row: int, column: int, button: int = LEFT) -> None:
        """Clicks the middle of a square."""
        self.click(*geometry.centre(self.frame, square_at(row, column)), button)

    def click_piece(self, row: int, column: int, kind: str, button: int = LEFT) -> None:
        """Clicks a piece where it is drawn: the half of it that no neighbour covers."""
        pieces, square = self.save.pieces(row, column), square_at(row, column)
        place = next(i for i, piece in enumerate(pieces) if piece.kind == kind)
        spot = geometry.spots(self.frame, square, tuple(piece.level for piece in pieces))[place]
        middle = geometry.centre(self.frame, square)[0]
        aside = (spot.x > middle) - (spot.x < middle)
        self.click(spot.x + aside * spot.width / 4, spot.y, button)

    def click_foot(self) -> None:
        """Clicks the button at the right of a page's foot."""
        card = Box(0, 0, WIDTH, HEIGHT).middle(Page.width, Page.height)
        self.click(card.right - FOOT[0], card.y + FOOT[1])

    def type_square(self, row: int, column: int) -> None:
        """Chooses a square by its row and column."""
        self.press(*str(row), "comma", *str(column), "Return")

    # Eyes ---------------------------------------------------------------------------------

    @property
    def frame(self) -> Frame:
        """Where the board is."""
        room = _layout().board
        edge = unit_in(room, Scale()) * geometry.SIDE
        box = room.middle(edge, edge)
        return Frame(box.x, box.y, edge, self.save.match.seat)

    def picture(self) -> Image.Image:
        """What the window shows."""
        box = (self.left, 0, self.left + WIDTH, HEIGHT)
        return ImageGrab.grab(bbox=box, xdisplay=self.display).convert("RGB")

    @property
    def is_home(self) -> bool:
        """Whether the first screen is shown, by the name on it."""
        return ImageChops.difference(self._title, self.picture().crop(TITLE)).getbbox() is None

    def colours(self, row: int, column: int) -> int:
        """How many colours a square shows."""
        frame = self.frame
        x, y = geometry.corner(frame, square_at(row, column))
        left, top, side = round(x), round(HEIGHT - y - frame.unit), round(frame.unit)
        square = self.picture().crop((left, top, left + side, top + side))
        return len(square.getcolors(1 << 16) or ())

    def await_tone(self, tone: str) -> None:
        """Waits until the sentence at the foot is `act` (do something now), `wait` or `refused`,
        and the picture stands still."""
        layout, scale = _layout(), Scale()
        point = (
            round(layout.status.x + scale.px(9)),
            round(HEIGHT - 1 - layout.status.centre[1]),
        )
        self.await_picture(
            f"the sentence of {self.profile.name} is of the kind {tone!r}",
            lambda picture: picture.getpixel(point) == PAINTS[tone][:3],
        )

    def await_picture(self, what: str, is_so: Callable[[Image.Image], bool]) -> None:
        """Waits until the window shows something, and nothing moves."""
        before: list[Image.Image] = []

        def stands() -> bool:
            picture = self.picture()
            if not is_so(picture):
                before.clear()
                return False
            if before and ImageChops.difference(before[0], picture).getbbox() is None:
                return True
            before[:] = [picture]
            return False

        wait_for(what, stands)

    def await_change(self, before: Image.Image) -> None:
        """Waits until the window shows something else than it did."""
        self.await_picture(
            f"the window of {self.profile.name} changes",
            lambda picture: ImageChops.difference(before, picture).getbbox() is not None,
        )

    def await_presence(self, paint: Colour) -> None:
        """Waits until the dot beside the other player's name has a colour."""
        scale = Scale()
        card, _ = _layout().panel.cut_top(scale.px(CARD))
        left = card.x + scale.px(22) + round(card.height * 0.62)
        point = (round(left + scale.px(4)), round(HEIGHT - 1 - (card.y + card.height * 0.3)))
        wait_for(
            f"{self.profile.name} sees the other's presence change",
            lambda: self.picture().getpixel(point) == paint[:3],
        )

    def keep_picture(self, path: Path) -> None:
        """Saves what the window shows, in 256 colours."""
        picture = self.picture()
        palette = picture.quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=1)
        few = picture.quantize(palette=palette, dither=Image.Dither.FLOYDSTEINBERG)
        few.save(path, optimize=True)


def is_drawn(picture: Image.Image) -> bool:
    """Whether a window shows anything."""
    return picture.getcolors(COLOURS) is None


def _layout() -> TableLayout:
    return arrange(Box(0, 0, WIDTH, HEIGHT), Scale())


def _ask_to_close(display: str, window: int) -> None:
    """What a window manager sends to a program when its title bar's cross is clicked."""
    link = xlib.XOpenDisplay(display.encode())
    event = xlib.XEvent()
    event.xclient.type = xlib.ClientMessage
    event.xclient.window = window
    event.xclient.message_type = xlib.XInternAtom(link, PROTOCOLS, False)
    event.xclient.format = FORMAT
    event.xclient.data.l[0] = xlib.XInternAtom(link, DELETE, False)
    xlib.XSendEvent(link, window, False, 0, event)
    xlib.XCloseDisplay(link)
