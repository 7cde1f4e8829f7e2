"""Playing a friend: inviting, and joining by an invite."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

import arcade
from PIL import Image

from cloakboard.client import textures, theme
from cloakboard.client.canvas import Box
from cloakboard.client.views.page import GameChoice, Offer, Page
from cloakboard.client.views.rules_picker import RuleSources, RulesPicker
from cloakboard.client.widgets import Button, Label, Look, StatusLine, TextField, Tone
from cloakboard.netplay.invite import qr_matrix

if TYPE_CHECKING:
    from cloakboard.client.library import Start
    from cloakboard.client.lobby import Lobby
    from cloakboard.client.room_seat import RoomSeat
    from cloakboard.client.session import Session
    from cloakboard.client.window import CloakWindow
    from cloakboard.engine.game import Game

GO_BACK = "This cannot go on. Go back, and try again."
QUIET_ZONE = 4  # modules of white around a QR code, ISO/IEC 18004


class FriendScreen(Page):
    """Invite or join: the choice, and the rules of a match one offers."""

    def __init__(
        self,
        window: CloakWindow,
        game: Game,
        on_host: Callable[[dict[str, object], Start], None],
        on_join: Callable[[str], None],
        sources: RuleSources | None = None,
        offer: Offer | None = None,
        on_find: Callable[[], None] | None = None,
    ) -> None:
        """`on_find` opens the list of rooms, None where there is none."""
        super().__init__(window, "Play a friend")
        self._on_host = on_host
        self._on_join = on_join
        self.join_label = Label(self.stage, "Your friend sent you an invite?", theme.SUBHEADING)
        self.field = TextField(
            self.stage, "Paste it here: cloak1:…", limit=4096, on_submit=lambda _: self._join()
        )
        self.paste = Button(self.stage, "Paste", self._paste, icon="ui.files")
        self.join = Button(self.stage, "Join", self._join, icon="ui.join", look=Look.PRIMARY)
        self.find = Button(self.stage, "Find a room", on_find or (lambda: None), icon="ui.search")
        self.find.hint = "On the local network, or in a hall"
        self.find.show(on_find is not None)
        self.host_label = Label(
            self.stage, "Or invite your friend, with the rules you propose", theme.SUBHEADING
        )
        self.games = GameChoice(self.stage, game, offer or Offer())
        self.rules = RulesPicker(self.stage, game, sources, self.toasts.tell)
        self.host = Button(
            self.stage, "Make an invite", self._host, icon="ui.friends", look=Look.PRIMARY
        )
        self.stage.set_focus(self.field)

    def fill(self, box: Box) -> None:
        """Joining above, inviting below."""
        px, gap = self.px, self.px(10)
        label, rest = box.cut_top(px(34), px(6))
        place, label = label.cut_right(self.find.natural_width(), gap)
        self.find.place(place)
        self.join_label.place(label)
        row, rest = rest.cut_top(px(42), px(24))
        join, row = row.cut_right(px(120), gap)
        paste, row = row.cut_right(px(110), gap)
        self.join.place(join)
        self.paste.place(paste)
        self.field.place(row)
        label, rest = rest.cut_top(px(26), px(6))
        self.host_label.place(label)
        foot, rest = rest.cut_bottom(px(46), px(14))
        self.rules.place(self.games.place(rest, px(38), px(10)), px)
        width = max(px(200), self.host.natural_width())
        self.host.place(Box(foot.right - width, foot.y, width, foot.height))

    def _paste(self) -> None:
        self.field.set_value("".join(self.window.read_clipboard().split()))
        self.stage.set_focus(self.join)

    def _join(self) -> None:
        invite = self.field.value.strip()
        if not invite:
            self.toasts.tell("Paste the invite that your friend sent you.", theme.AMBER)
            self.stage.set_focus(self.field)
            return
        self._on_join(invite)

    def _host(self) -> None:
        self._on_host(dict(self.rules.changes), self.rules.start)


class WaitingScreen(Page):
    """Until there is a room or a match: the invite as text and picture, and what is going on."""

    height = 560

    def __init__(
        self,
        window: CloakWindow,
        lobby: Lobby,
        title: str,
        on_ready: Callable[[Session], None],
        on_room: Callable[[RoomSeat], None] = lambda seat: None,
    ) -> None:
        """`on_room` is told once this player is in a room."""
        super().__init__(window, title)
        self.lobby = lobby
        self._on_ready = on_ready
        self._on_room = on_room
        self.text = Label(self.stage, "", theme.BODY, wrap=True)
        self.invite = TextField(self.stage, "")
        self.copy = Button(self.stage, "Copy", self._copy, icon="ui.files", look=Look.PRIMARY)
        self.status = StatusLine(self.stage)
        self._picture = self.layer(2)
        self._place = Box(0, 0, 1, 1)
        self._shown = ""
        self._show_invite("")

    def fill(self, box: Box) -> None:
        """Explanation, invite, picture, status."""
        px = self.px
        status, rest = box.cut_bottom(px(38), px(12))
        self.status.place(status)
        text, rest = rest.cut_top(px(56), px(6))
        self.text.place(text)
        row, rest = rest.cut_top(px(42), px(14))
        copy, row = row.cut_right(px(120), px(10))
        self.copy.place(copy)
        self.invite.place(row)
        self._place = rest
        self._show_picture()

    def _show_invite(self, invite: str) -> None:
        self._shown = invite
        self.invite.set_value(invite)
        self.invite.show(bool(invite))
        self.copy.show(bool(invite))
        self.stage.set_focus(self.copy if invite else None)
        self.text.say(
            "Send this line to your friend in any way you like. It lets its holder take the other "
            "seat of this one match, so send it to nobody else."
            if invite
            else ""
        )
        self._show_picture()

    def _show_picture(self) -> None:
        self._picture.sprites.clear()
        if not self._shown:
            return
        side = round(min(self._place.width, self._place.height))
        if side < self.px(80):
            return
        sprite = arcade.Sprite(qr_texture(self._shown, side))
        textures.place(sprite, *self._place.centre)
        self._picture.sprites.append(sprite)

    def _copy(self) -> None:
        self.window.write_clipboard(self._shown)
        self.toasts.tell("The invite is in the clipboard.")

    def update(self, passed_ms: float) -> None:
        """Looks at the lobby."""
        seat = self.lobby.room()
        if seat is not None:
            self._on_room(seat)
            return
        failure = self.lobby.failure()
        invite = "" if failure else self.lobby.invite()
        if invite != self._shown:
            self._show_invite(invite)
        if failure:
            self.text.say(failure)
            self.status.say(GO_BACK, Tone.REFUSED)
        else:
            self.status.say(self.lobby.status(), Tone.FRIEND)
        session = self.lobby.session()
        if session is not None:
            self._on_ready(session)

    def go_back(self) -> None:
        """Gives the attempt up."""
        self.lobby.close()
        super().go_back()


_modules = lru_cache(maxsize=1)(qr_matrix)  # it is laid out anew at every step of a resize


def qr_texture(text: str, side: int) -> arcade.Texture:
    """The text as a QR code on white, at most `side` pixels, in whole pixels a module."""
    rows = _modules(text)
    width = len(rows) + 2 * QUIET_ZONE
    factor = max(1, side // width)
    picture = Image.new("L", (width, width), 255)
    for y, row in enumerate(rows):
        for x, is_dark in enumerate(row):
            if is_dark:
                picture.putpixel((x + QUIET_ZONE, y + QUIET_ZONE), 0)
    size = width * factor
    return arcade.Texture(picture.resize((size, size), Image.Resampling.NEAREST).convert("RGBA"))
