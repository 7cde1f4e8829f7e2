"""The room before a match: seats, terms and requests for others, talk, and the ready mark."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

import arcade
from pyglet.window import key

from cloakboard.client import textures, theme
from cloakboard.client.canvas import Box
from cloakboard.client.room_words import (
    STANDARD_START,
    caution_text,
    request_text,
    waiting_text,
)
from cloakboard.client.views.connect import qr_texture
from cloakboard.client.views.page import Page
from cloakboard.client.views.room_parts import ProposalList, RoomTalk, seat_rows
from cloakboard.client.views.shown_in import ShownIn
from cloakboard.client.widgets import (
    Button,
    Label,
    List,
    Look,
    Row,
    StatusLine,
    TextField,
    Tone,
)
from cloakboard.netplay.room.door import PASSWORD_LENGTH
from cloakboard.netplay.room.negotiator import Negotiator
from cloakboard.netplay.room.room_state import Phase, Request, Room
from cloakboard.netplay.room.statements import NO_WISH, House, Load, Rules, Start, Swap
from cloakboard.netplay.room_settings import ROOM

if TYPE_CHECKING:
    from cloakboard.client.library import Start as Position
    from cloakboard.client.lobby import Lobby
    from cloakboard.client.room_seat import RoomSeat
    from cloakboard.client.session import Session
    from cloakboard.client.street import Street
    from cloakboard.client.window import CloakWindow
    from cloakboard.netplay.room.cautions import Caution

READY_KEY: Final = key.F5
LINE_LENGTH: Final = 300
TITLE_LENGTH: Final = 80


@dataclass(frozen=True, slots=True)
class RoomActs:
    """What the room leads to. `begin`: the match has begun; `pick`, where the game has start
    positions, lets one be chosen; `earlier` lets a match of these players be chosen, as its id and
    title; `owns`: whether this machine has a match of theirs."""

    begin: Callable[[Session], None]
    pick: Callable[[Callable[[Position], None]], None] | None = None
    earlier: Callable[[Room, Callable[[bytes, str], None]], None] | None = None
    owns: Callable[[Room, bytes], bool] = lambda room, match: True


class RoomScreen(Page):
    """See the module. F5 is ready; Tab goes through everything."""

    width = 1200
    height = 690

    def __init__(
        self,
        window: CloakWindow,
        lobby: Lobby,
        seat: RoomSeat,
        acts: RoomActs,
        street: Street | None = None,
    ) -> None:
        """`street`: where the room can be shown, None for the room of another."""
        room = seat.room
        assert room is not None
        super().__init__(window, room.game.title)
        self.shown = ShownIn(self.stage, street) if street is not None else None
        self.lobby = lobby
        self.seat = seat
        self._acts = acts
        self._shown: Room | None = None
        self._cautions: tuple[Caution, ...] = ()
        self._invite = ""
        self.back.say("Leave")
        stage = self.stage
        self.seats_label = Label(stage, "Seats: a double click wishes one", theme.SMALL)
        self.seats = List(stage, row_height=40, on_activate=self._wish)
        self.swap = Button(
            stage, "Exchange seats", self._swap, icon="ui.exchange", style=theme.SMALL
        )
        self.invite = TextField(stage, "")
        self.copy = Button(stage, "Copy", self._copy, icon="ui.files", look=Look.PRIMARY)
        self.talk = RoomTalk(stage)
        self.line = TextField(stage, "Say something", limit=LINE_LENGTH, on_submit=self._say)
        self.rules_tab = Button(stage, "Rules", lambda: self._turn(True), style=theme.SMALL)
        self.house_tab = Button(stage, "Room", lambda: self._turn(False), style=theme.SMALL)
        self.position = Button(
            stage, "", self._pick, icon="ui.editor", align="left", style=theme.SMALL
        )
        self.earlier = Button(
            stage, "Earlier match", self._earlier, icon="ui.load", style=theme.SMALL
        )
        self.rules = ProposalList(stage, room.game.options, room.options)
        self.house = ProposalList(stage, ROOM, room.settings)
        self.password = TextField(stage, "Password", limit=PASSWORD_LENGTH)
        self.password.hint = "Password for who has no invite"
        self.lock = Button(stage, "Set", self._lock, icon="ui.lock", style=theme.SMALL)
        self.ask = Button(stage, "Ask for these changes", self._ask, icon="ui.next")
        self.forget = Button(stage, "As agreed", self._forget, look=Look.QUIET)
        self.requests_label = Label(stage, "What is asked for", theme.SMALL)
        self.requests = List(
            stage,
            row_height=44,
            empty_text="Nothing. Whoever wants other terms asks for them here.",
        )
        self.accept = Button(stage, "Accept", self._accept, icon="ui.play", look=Look.PRIMARY)
        self.decline = Button(stage, "Decline", self._decline, icon="ui.cross")
        self.status = StatusLine(stage)
        self.ready = Button(stage, "Ready", self._toggle_ready, icon="ui.flag", look=Look.PRIMARY)
        self.ready.hint = "F5. The match begins when all are ready."
        self._picture = self.layer(2)
        self._place = Box(0, 0, 1, 1)
        self._turn(True)
        self._show(room)

    # Placing ------------------------------------------------------------------------------

    def fill(self, box: Box) -> None:
        """Seats, invite and talk on the left, terms on the right, below them what is waited
        for."""
        px, gap = self.px, self.px(10)
        foot, rest = box.cut_bottom(px(44), px(12))
        width = max(px(190), self.ready.natural_width())
        place, foot = foot.cut_right(width, gap)
        self.ready.place(place)
        self.status.place(foot)
        left, right = rest.cut_left(round(rest.width * 0.4), px(18))
        self._fill_left(left)
        self._fill_right(right)

    def _fill_left(self, box: Box) -> None:
        px, gap = self.px, self.px(8)
        label, box = box.cut_top(px(30), px(4))
        place, label = label.cut_right(self.swap.natural_width(), gap)
        self.swap.place(place)
        self.seats_label.place(label)
        rows = max(2, len(self.seats.rows))
        place, box = box.cut_top(min(px(40 * rows + 8), box.height / 3), gap)
        self.seats.place(place)
        if self._invite:
            row, box = box.cut_top(px(38), gap)
            place, row = row.cut_right(px(104), gap)
            self.copy.place(place)
            self.invite.place(row)
            if self.shown is not None:
                row, box = box.cut_top(px(34), gap)
                self.shown.place(row, gap)
            side = min(px(200), box.height * 0.55)
            self._place, box = box.cut_top(side, gap)
        line, box = box.cut_bottom(px(38), gap)
        self.line.place(line)
        self.talk.place(box)
        self._show_picture()

    def _fill_right(self, box: Box) -> None:
        px, gap = self.px, self.px(8)
        row, box = box.cut_top(px(34), gap)
        for button in (self.rules_tab, self.house_tab):
            place, row = row.cut_left(max(px(84), button.natural_width()), gap)
            button.place(place)
        if self.earlier.is_visible:
            place, row = row.cut_right(self.earlier.natural_width(), gap)
            self.earlier.place(place)
        self.position.place(row)
        foot, box = box.cut_bottom(px(38), gap)
        for button in (self.decline, self.accept):
            place, foot = foot.cut_right(max(px(120), button.natural_width()), gap)
            button.place(place)
        requests, box = box.cut_bottom(px(44 * 2 + 10), px(4))
        self.requests.place(requests)
        label, box = box.cut_bottom(px(20), gap)
        self.requests_label.place(label)
        row, box = box.cut_bottom(px(36), gap)
        place, row = row.cut_right(self.ask.natural_width(), gap)
        self.ask.place(place)
        place, row = row.cut_right(self.forget.natural_width(), gap)
        self.forget.place(place)
        if self.lock.is_visible:
            place, row = row.cut_right(self.lock.natural_width(), gap)
            self.lock.place(place)
            self.password.place(row)
        self.rules.place(box)
        self.house.place(box)

    # Showing ------------------------------------------------------------------------------

    def update(self, passed_ms: float) -> None:
        """Looks at the lobby and the room."""
        session = self.lobby.session()
        if session is not None:
            self._acts.begin(session)
            return
        complaint = self.seat.complaint()
        if complaint:
            self.toasts.tell(complaint, theme.AMBER)
        failure = self.lobby.failure()
        if failure:
            self.status.say(failure, Tone.REFUSED)
            self.ready.enable(False)
            self._show_invite("")
            return
        if self.shown is not None:
            self.shown.update()
        room = self.seat.room
        if room is not None and room is not self._shown:
            self._show(room)
        elif room is not None:
            self._say_status(room)
        invite = self.lobby.invite() if room is not None and room.free else ""
        if invite != self._invite:
            self._show_invite(invite)

    def _show(self, room: Room) -> None:
        was_full = self._shown is not None and self._shown.free == 0
        chosen = self._request()
        self._shown = room
        own = self.seat.key
        me = room.member(own)
        fitted = len(self.seats.rows), self.ready.label
        self.seats.set_rows(seat_rows(room, own))
        self.swap.show(len(room.members) > 1)
        self.rules.agree(room.options)
        self.house.agree(room.settings)
        self.position.say(f"Start position: {room.title or STANDARD_START}")
        self.position.show(self._acts.pick is not None)
        self.earlier.show(self._acts.earlier is not None)
        self._show_requests(room, chosen)
        self._warn()
        self.talk.tell(room, self._cautions)
        self.line.show(not room.settings["mute"])
        is_ready = me is not None and me.is_ready
        self.ready.say("Not ready after all" if is_ready else "Ready")
        self.ready.enable(me is not None and room.phase is Phase.TALKING)
        self._say_status(room)
        if room.free == 0 and not was_full and self.stage.focus in (None, self.copy):
            self.stage.set_focus(self.ready)
        if fitted != (len(self.seats.rows), self.ready.label):
            self.window.invalidate()
            self.arrange(self.window.box)
        self.window.invalidate()

    def _warn(self) -> None:
        """What the own records say against others stays in the talk; what is new of it is told in
        a toast, too."""
        before, self._cautions = self._cautions, self.seat.cautions
        for caution in self._cautions:
            if caution not in before:
                self.toasts.tell(caution_text(caution), theme.AMBER)

    def _say_status(self, room: Room) -> None:
        if self.seat.seconds_left is not None:
            left = self.seat.seconds_left
            self.status.say(
                f"The connection is lost. The room is looked for: {left} s.", Tone.REFUSED
            )
            return
        own = self.seat.key
        asked = any(member.key == own for r in room.requests for member in room.owing(r))
        tone = Tone.ACT if asked or room.free == 0 else Tone.FRIEND
        if room.phase is not Phase.TALKING:
            tone = Tone.FRIEND
        self.status.say(waiting_text(room, own), tone)

    def _show_requests(self, room: Room, chosen: Request | None) -> None:
        """The one that was chosen stays so wherever it stands now."""
        rows = []
        for request in room.requests:
            text, note = request_text(room, request, self.seat.key)
            is_mine = any(member.key == self.seat.key for member in room.owing(request))
            rows.append(Row(text, note, accent=theme.AMBER if is_mine else None))
        self.requests.set_rows(rows)
        places = [request.place for request in room.requests]
        before = chosen.place if chosen is not None else -1
        at = places.index(before) if before in places else 0
        self.requests.select(at if rows else None)
        self.accept.enable(bool(rows))
        self.decline.enable(bool(rows))

    def _show_invite(self, invite: str) -> None:
        self._invite = invite
        self.invite.set_value(invite)
        for widget in (self.invite, self.copy):
            widget.show(bool(invite))
        if self.shown is not None:
            self.shown.show(bool(invite))
        if invite:
            self.stage.set_focus(self.copy)
        self.arrange(self.window.box)
        self.window.invalidate()

    def _show_picture(self) -> None:
        self._picture.sprites.clear()
        side = round(min(self._place.width, self._place.height))
        if not self._invite or side < self.px(80):
            return
        sprite = arcade.Sprite(qr_texture(self._invite, side))
        textures.place(sprite, *self._place.centre)
        self._picture.sprites.append(sprite)

    def _turn(self, to_rules: bool) -> None:
        self.rules.show(to_rules)
        self.house.show(not to_rules)
        self.rules_tab.switch(to_rules)
        self.house_tab.switch(not to_rules)
        keeps = self.seat.keeps and not to_rules
        self.password.show(keeps)
        self.lock.show(keeps)
        if self._shown is not None:
            self.arrange(self.window.box)

    # Saying ------------------------------------------------------------------------------

    def on_key(self, symbol: int, modifiers: int) -> bool:
        """F5 is ready, however often it is pressed."""
        if symbol == READY_KEY:
            self._ready()
            return True
        return super().on_key(symbol, modifiers)

    def go_back(self) -> None:
        """Leaves the room."""
        self.lobby.close()
        super().go_back()

    def _ready(self) -> None:
        me = self.seat.me
        if me is not None and not me.is_ready:
            self.seat.do(Negotiator.ready)

    def _toggle_ready(self) -> None:
        me = self.seat.me
        if me is not None:
            self.seat.do(Negotiator.unready if me.is_ready else Negotiator.ready)

    def _wish(self, index: int) -> None:
        """The own seat once more gives the wish up: any will do."""
        room, me = self._shown, self.seat.me
        if room is not None and me is not None and index in room.seats:
            seat = NO_WISH if me.wish == index else index
            self.seat.do(partial(Negotiator.wish, seat=seat))

    def _swap(self) -> None:
        """With whoever has the selected seat; of two players, the other."""
        room = self._shown
        if room is None:
            return
        others = [member for member in room.members if member.key != self.seat.key]
        chosen = [member for member in others if member.wish == self.seats.selected]
        if len(others) > 1 and not chosen:
            self.toasts.tell("Select the seat of the player to exchange with.", theme.AMBER)
            return
        other = (chosen or others)[0]
        self.seat.do(partial(Negotiator.ask, change=Swap(other.key)))

    def _ask(self) -> None:
        """One request for all that was changed in each list."""
        rules, house = self.rules.proposal, self.house.proposal
        if not rules and not house:
            self.toasts.tell("Change a rule or a setting first.", theme.AMBER)
            return
        if rules:
            change = Rules(tuple(sorted(rules.items())))
            self.seat.do(partial(Negotiator.ask, change=change))
        if house:
            wanted = House(tuple(sorted(house.items())))
            self.seat.do(partial(Negotiator.ask, change=wanted))
        self._forget()

    def _forget(self) -> None:
        self.rules.forget()
        self.house.forget()

    def _pick(self) -> None:
        if self._acts.pick is not None:
            self._acts.pick(self._ask_start)

    def _ask_start(self, start: Position) -> None:
        room = self._shown
        if room is None:
            return
        title = start.title[:TITLE_LENGTH] if start.setup else ""
        options = start.options if start.setup else room.options
        wanted = Start(start.setup, title, tuple(sorted(options.items())))
        self.seat.do(partial(Negotiator.ask, change=wanted))

    def _earlier(self) -> None:
        room = self._shown
        if self._acts.earlier is not None and room is not None:
            self._acts.earlier(room, self._ask_load)

    def _ask_load(self, match: bytes, title: str) -> None:
        self.seat.do(partial(Negotiator.ask, change=Load(match, title[:TITLE_LENGTH])))

    def _lock(self) -> None:
        self.seat.lock(self.password.value.strip())
        self.toasts.tell("The password is set." if self.password.value.strip() else "No password.")

    def _request(self) -> Request | None:
        room, index = self._shown, self.requests.selected
        if room is None or index is None or index >= len(room.requests):
            return None
        return room.requests[index]

    def _accept(self) -> None:
        request = self._request()
        if request is None:
            return
        if request.author == self.seat.key:
            self.toasts.tell("You asked for this; the others accept or decline it.", theme.AMBER)
            return
        if not self._has_match(request):
            self.toasts.tell("You have no unfinished save of this match.", theme.AMBER)
            return
        self.seat.do(partial(Negotiator.accept, place=request.place))

    def _has_match(self, request: Request) -> bool:
        """Whether a match that is asked for, if one is, lies here, too."""
        change, room = request.change, self._shown
        if not isinstance(change, Load) or not change.match or room is None:
            return True
        return self._acts.owns(room, change.match)

    def _decline(self) -> None:
        request = self._request()
        if request is not None:
            self.seat.do(partial(Negotiator.decline, place=request.place))

    def _say(self, text: str) -> None:
        if text.strip():
            self.seat.do(partial(Negotiator.chat, text=text))
            self.line.set_value("")

    def _copy(self) -> None:
        self.window.write_clipboard(self._invite)
        self.toasts.tell("The invite is in the clipboard.")
