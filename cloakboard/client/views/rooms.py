"""Finding a room: by an invite, on the local network, or in a hall."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from cloakboard.client import theme
from cloakboard.client.canvas import Box
from cloakboard.client.texts import sentence
from cloakboard.client.views.page import Page
from cloakboard.client.widgets import Button, Label, List, Look, Row, TextField, confirm
from cloakboard.netplay.errors import NetplayError
from cloakboard.netplay.finding.places import LAN, Found
from cloakboard.netplay.invite import MAX_TEXT
from cloakboard.netplay.room.door import PASSWORD_LENGTH
from cloakboard.netplay.room.notice import setting_of
from cloakboard.netplay.wire import PROTOCOL

if TYPE_CHECKING:
    from cloakboard.client.street import Street
    from cloakboard.client.window import CloakWindow
    from cloakboard.engine.game import Game
    from cloakboard.netplay.finding.advert import Advert

ANY_GAME: Final = ""
SCORES: Final = ("Scored or not", "Scored", "Practice")
LOOKING: Final = "Looking for rooms on the local network and in your halls."
NOWHERE: Final = (
    "No rooms yet. A friend nearby can show one on the local network; "
    "for friends far away add a hall, or paste their invite."
)
MOST_SETTINGS: Final = 4  # told of a room in its row


def place_name(place: str) -> str:
    """What a place is called on the screen."""
    return "Local network" if place == LAN else place


def fits(advert: Advert, games: Sequence[Game]) -> bool:
    """Whether this program can play in a room."""
    versions = {game.id: game.rules_version for game in games}
    return advert.protocol == PROTOCOL and versions.get(advert.game) == advert.rules_version


def row_of(found: Found, games: Sequence[Game], name: str) -> Row:
    """A room as a row; `name`: what its host is called here."""
    advert = found.advert
    titles = {game.id: game.title for game in games}
    title = titles.get(advert.game, advert.game)
    told = [f"{advert.free} of {advert.seats} seats free"]
    if advert.title:
        told.insert(0, advert.title)
    if not fits(advert, games):
        told.append("another version of the game")
    told += [_told(*setting) for setting in advert.settings[:MOST_SETTINGS]]
    if len(advert.settings) > MOST_SETTINGS:
        told.append("…")
    can_join = advert.free > 0 and fits(advert, games)
    return Row(
        f"{name}: {title}",
        " · ".join(told),
        icon="ui.lock" if advert.needs_password else "ui.lan" if found.place == LAN else "ui.world",
        note=place_name(found.place),
        accent=theme.TEAL if can_join else theme.TEXT_FAINT,
    )


def _told(name: str, value: bool | int | str) -> str:
    words = name.replace("_", " ")
    return f"{words} {'on' if value else 'off'}" if isinstance(value, bool) else f"{words} {value}"


class RoomsScreen(Page):
    """The list, what to leave out of it, and a way in by invite. `on_join` gets an invite and a
    password, empty for none; `name_of` a host's key and own name, for one's own name for them."""

    width = 1000
    height = 680

    def __init__(
        self,
        window: CloakWindow,
        street: Street,
        games: Sequence[Game],
        on_join: Callable[[str, str], None],
        name_of: Callable[[bytes, str], str],
    ) -> None:
        super().__init__(window, "Find a room")
        self._street = street
        self._games = games
        self._on_join = on_join
        self._name_of = name_of
        self._heard: tuple[Found, ...] | None = None
        self.game = ANY_GAME
        self.with_seats = True
        self.without_password = False
        self.score = SCORES[0]
        self.rooms: list[Found] = []
        self.field = TextField(
            self.stage,
            "Paste an invite: cloak1:…",
            limit=MAX_TEXT,
            on_submit=lambda _: self._join_pasted(),
        )
        self.paste = Button(self.stage, "Paste", self._paste, icon="ui.files")
        self.join_pasted = Button(self.stage, "Join", self._join_pasted, icon="ui.join")
        self.game_button = Button(self.stage, "All games", self._next_game, icon="ui.dice")
        self.seats_button = Button(self.stage, "Free seats", self._toggle_seats, icon="ui.person")
        self.open_button = Button(
            self.stage, "Without a password", self._toggle_password, icon="ui.unlock"
        )
        self.score_button = Button(self.stage, SCORES[0], self._next_score, icon="ui.trophy")
        self.halls = Button(self.stage, "Halls", self._show_halls, icon="ui.world")
        self.list = List(
            self.stage,
            row_height=58,
            on_select=self._select,
            on_activate=lambda _: self._join(),
            empty_text=NOWHERE,
        )
        self.status = Label(self.stage, LOOKING, theme.SMALL, wrap=True)
        self.password = TextField(
            self.stage,
            "The room's password",
            limit=PASSWORD_LENGTH,
            on_submit=lambda _: self._join(),
        )
        self.join = Button(
            self.stage, "Join this room", self._join, icon="ui.join", look=Look.PRIMARY
        )
        self._filtered()
        self.stage.set_focus(self.list)

    def on_shown(self) -> None:
        """Looks for rooms."""
        self._street.look()

    def on_hidden(self) -> None:
        """Looks no longer."""
        self._street.rest()

    def fill(self, box: Box) -> None:
        """The invite above, then filters, the list, and the way in."""
        px, gap = self.px, self.px(10)
        row, rest = box.cut_top(px(42), px(12))
        for button in (self.join_pasted, self.paste):
            place, row = row.cut_right(button.natural_width(), gap)
            button.place(place)
        self.field.place(row)
        row, rest = rest.cut_top(px(38), px(10))
        place, row = row.cut_right(self.halls.natural_width(), gap)
        self.halls.place(place)
        place, row = row.cut_left(px(190), gap)
        self.game_button.place(place)
        place, row = row.cut_left(px(190), gap)
        self.score_button.place(place)
        for button in (self.seats_button, self.open_button):
            place, row = row.cut_left(button.natural_width(), gap)
            button.place(place)
        foot, rest = rest.cut_bottom(px(46), px(10))
        place, foot = foot.cut_right(self.join.natural_width(), gap)
        self.join.place(place)
        place, _ = foot.cut_right(px(260), gap)
        self.password.place(place)
        status, rest = rest.cut_bottom(px(36), px(8))
        self.status.place(status)
        self.list.place(rest)

    def update(self, passed_ms: float) -> None:
        """Shows what was heard meanwhile."""
        self._listen()

    def _listen(self) -> None:
        heard = self._street.rooms()
        if heard is not self._heard:
            self._heard = heard
            self._filtered()
        problems = self._street.problems()
        self.status.say(" ".join(sentence(text) for text in problems) or LOOKING)

    # -- what is shown -------------------------------------------------------------------------

    @property
    def chosen(self) -> Found | None:
        """The selected room."""
        at = self.list.selected
        return self.rooms[at] if at is not None and at < len(self.rooms) else None

    def _filtered(self) -> None:
        """Shows the rooms that are wanted; the selected one stays selected."""
        before = self.chosen
        self.rooms = [found for found in self._heard or () if self._is_wanted(found.advert)]
        names = [self._name_of(f.advert.key, f.advert.host) for f in self.rooms]
        self.list.set_rows(
            [row_of(f, self._games, name) for f, name in zip(self.rooms, names, strict=True)]
        )
        room = (before.advert.room, before.advert.key) if before is not None else None
        shown = [(f.advert.room, f.advert.key) for f in self.rooms]
        at = shown.index(room) if room in shown else 0
        self.list.select(at if self.rooms else None)
        self.game_button.say(
            next((game.title for game in self._games if game.id == self.game), "All games")
        )
        self.game_button.switch(self.game != ANY_GAME)
        self.score_button.say(self.score)
        self.score_button.switch(self.score != SCORES[0])
        self.seats_button.switch(self.with_seats)
        self.open_button.switch(self.without_password)
        self._select(at)
        self.window.invalidate()

    def _is_wanted(self, advert: Advert) -> bool:
        is_scored = bool(setting_of(advert, "scored", None))
        return (
            self.game in (ANY_GAME, advert.game)
            and (advert.free > 0 or not self.with_seats)
            and not (advert.needs_password and self.without_password)
            and (self.score == SCORES[0] or is_scored == (self.score == SCORES[1]))
        )

    def _select(self, index: int) -> None:
        chosen = self.chosen
        can_join = chosen is not None and chosen.advert.free > 0
        self.join.enable(can_join and chosen is not None and fits(chosen.advert, self._games))
        self.password.show(chosen is not None and chosen.advert.needs_password)

    def _next_game(self) -> None:
        choices = [ANY_GAME, *(game.id for game in self._games)]
        self.game = choices[(choices.index(self.game) + 1) % len(choices)]
        self._filtered()

    def _next_score(self) -> None:
        self.score = SCORES[(SCORES.index(self.score) + 1) % len(SCORES)]
        self._filtered()

    def _toggle_seats(self) -> None:
        self.with_seats = not self.with_seats
        self._filtered()

    def _toggle_password(self) -> None:
        self.without_password = not self.without_password
        self._filtered()

    # -- what is done --------------------------------------------------------------------------

    def _paste(self) -> None:
        self.field.set_value("".join(self.window.read_clipboard().split()))
        self.stage.set_focus(self.join_pasted)

    def _join_pasted(self) -> None:
        invite = self.field.value.strip()
        if invite:
            self._on_join(invite, "")
            return
        self.toasts.tell("Paste the invite that your friend sent you.", theme.AMBER)
        self.stage.set_focus(self.field)

    def _join(self) -> None:
        chosen = self.chosen
        if chosen is None or not self.join.is_enabled:
            return
        password = self.password.value if chosen.advert.needs_password else ""
        if chosen.advert.needs_password and not password.strip():
            self.toasts.tell("This room has a password; type it first.", theme.AMBER)
            self.stage.set_focus(self.password)
            return
        self._on_join(chosen.advert.text(), password)

    def _show_halls(self) -> None:
        self.window.open_screen(HallsScreen(self.window, self._street))


class HallsScreen(Page):
    """The halls where rooms are looked for, and may be shown; and how machines connect."""

    height = 600

    def __init__(self, window: CloakWindow, street: Street) -> None:
        super().__init__(window, "Halls and network")
        self._street = street
        self.text = Label(
            self.stage,
            "A hall is a list of open rooms on a server that you or somebody you know runs. Who "
            "runs it sees names and addresses of open rooms, and nothing of your matches.",
            theme.BODY,
            wrap=True,
        )
        self.field = TextField(
            self.stage,
            "hall.example.org, or mqtts://name:password@host:port",
            limit=300,
            on_submit=lambda _: self._add(),
        )
        self.add = Button(self.stage, "Add", self._add, icon="ui.join", look=Look.PRIMARY)
        self.list = List(
            self.stage,
            empty_text="No hall yet.",
            on_select=lambda _: self.remove.enable(True),
        )
        self.remove = Button(
            self.stage, "Remove", self._ask_remove, icon="ui.trash", look=Look.DANGER
        )
        self.lan = Button(self.stage, "Use the local network", self._toggle_lan, icon="ui.lan")
        self.relays_label = Label(self.stage, "Relays", theme.SMALL)
        self.relays_label.hint = (
            "They help machines that cannot reach each other directly; n0 means public ones, "
            "and nothing direct connections only."
        )
        self.relays = TextField(
            self.stage,
            "None: direct connections only",
            value=street.relays(),
            limit=1000,
            on_submit=lambda _: self._set_relays(),
        )
        self.set_relays = Button(self.stage, "Set", self._set_relays)
        self._read()
        self.stage.set_focus(self.list)

    def fill(self, box: Box) -> None:
        """What a hall is, a line to add one, and those there are."""
        px, gap = self.px, self.px(10)
        text, rest = box.cut_top(px(76), px(8))
        self.text.place(text)
        row, rest = rest.cut_top(px(42), px(12))
        place, row = row.cut_right(self.add.natural_width(), gap)
        self.add.place(place)
        self.field.place(row)
        foot, rest = rest.cut_bottom(px(42), px(18))
        place, foot = foot.cut_right(self.set_relays.natural_width(), gap)
        self.set_relays.place(place)
        place, foot = foot.cut_left(self.lan.natural_width(), px(20))
        self.lan.place(place)
        place, foot = foot.cut_left(self.relays_label.natural_width(), gap)
        self.relays_label.place(place)
        self.relays.place(foot)
        foot, rest = rest.cut_bottom(px(42), px(10))
        place, _ = foot.cut_right(self.remove.natural_width(), gap)
        self.remove.place(place)
        self.list.place(rest)

    def _toggle_lan(self) -> None:
        self._street.use_lan(not self._street.uses_lan())
        self._read()

    def _set_relays(self) -> None:
        try:
            self._street.set_relays(self.relays.value)
        except NetplayError as error:
            self.toasts.tell(sentence(str(error)), theme.CORAL)
            return
        self.relays.set_value(self._street.relays())
        self.toasts.tell("The relays are used from the next connection on.")

    def _read(self) -> None:
        halls = self._street.halls()
        self.list.set_rows([Row(label, icon="ui.world") for label in halls])
        self.list.select(0 if halls else None)
        self.remove.enable(bool(halls))
        self.lan.switch(self._street.uses_lan())

    def _add(self) -> None:
        line = self.field.value.strip()
        if not line:
            self.toasts.tell("Type where the hall is, as its owner told you.", theme.AMBER)
            return
        try:
            self._street.add_hall(line)
        except NetplayError as error:
            self.toasts.tell(sentence(str(error)), theme.CORAL)
            return
        self.field.set_value("")
        self._read()

    def _ask_remove(self) -> None:
        at = self.list.selected
        halls = self._street.halls()
        if at is None or at >= len(halls):
            return
        confirm(
            self.stage,
            f"Remove {halls[at]}?",
            "Its rooms are no longer listed, and the name and password for it are deleted.",
            "Remove",
            lambda: self._remove(halls[at]),
        )

    def _remove(self, label: str) -> None:
        self._street.remove_hall(label)
        self._read()
