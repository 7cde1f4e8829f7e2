"""The players one knows: who is there, how to reach them, who is kept out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeVar

from cloakboard.client import theme
from cloakboard.client.canvas import Box
from cloakboard.client.dates import day_of
from cloakboard.client.porch import Presence
from cloakboard.client.texts import sentence
from cloakboard.client.theme import Colour
from cloakboard.client.views.page import Page
from cloakboard.client.widgets import Button, Label, List, Look, Row, TextField, Toasts, confirm
from cloakboard.netplay.errors import NetplayError
from cloakboard.netplay.finding.friends import FriendsFile, Known
from cloakboard.netplay.identity import fingerprint_words
from cloakboard.netplay.invite import MAX_TEXT, key_text
from cloakboard.netplay.veil.opening import NAME_LENGTH

if TYPE_CHECKING:
    from cloakboard.client.widgets import Stage
    from cloakboard.client.window import CloakWindow

T = TypeVar("T")

LOOK_MS: Final = 2_000  # between looks at who is there
SEEN: Final = "Friends see that you are here"
UNSEEN: Final = "Nobody sees that you are here"
NOTES: Final = MappingProxyType(
    {
        Presence.HERE: ("here now", theme.TEAL),
        Presence.BUSY: ("in a match", theme.AMBER),
    }
)


@dataclass(frozen=True, slots=True)
class FriendActs:
    """What the screen leads to. `look` looks for friends, `presence` says what is known of one;
    `address`: where this machine is found, or empty; `invite` and `card` take a friend's key;
    `watch` gives the invite to a friend's match, or empty, and `go` leads there; `is_shown` and
    `show_me`: whether friends may find this player."""

    look: Callable[[], None]
    presence: Callable[[bytes], Presence]
    address: Callable[[], str]
    invite: Callable[[bytes], None] | None
    watch: Callable[[bytes], str]
    go: Callable[[str], None]
    card: Callable[[bytes], None]
    is_shown: Callable[[], bool]
    show_me: Callable[[bool], None]


def row_of(known: Known, presence: Presence) -> Row:
    """A player as a row of the list."""
    note, paint = note_of(known, presence)
    icon = "ui.lock" if known.is_blocked else "ui.person"
    return Row(known.name, known.words, icon=icon, note=note, accent=paint)


def note_of(known: Known, presence: Presence) -> tuple[str, Colour]:
    """Whether a player is there, or when they were last met, and its colour."""
    if known.is_blocked:
        return "blocked", theme.CORAL
    if presence in NOTES:
        return NOTES[presence]
    if not known.seen:
        return "not met yet", theme.TEXT_SOFT
    return f"last met {day_of(known.seen)}", theme.TEXT_SOFT


def ask_block(stage: Stage, name: str, act: Callable[[], None]) -> None:
    """Asks before a player is blocked, and says what that changes."""
    confirm(
        stage,
        f"Block {name}?",
        "They can no longer play with you, go on with a match or find out whether you are here, "
        "and are not told why. Records of matches stay. You can unblock them under Friends.",
        "Block",
        act,
    )


def tried(toasts: Toasts, act: Callable[[], T]) -> T | None:
    """What an act on the book gives; None once the player has been told why not."""
    try:
        return act()
    except NetplayError as error:
        toasts.tell(sentence(str(error)), theme.CORAL)
        return None


class FriendsScreen(Page):
    """The list, and what can be done about each."""

    width = 940
    height = 680

    def __init__(
        self, window: CloakWindow, own: bytes, book: FriendsFile, acts: FriendActs
    ) -> None:
        super().__init__(window, "Friends")
        self._own = own
        self._book = book
        self._acts = acts
        self._since_ms = 0.0
        self.known: list[Known] = []
        self.pasted = TextField(
            self.stage,
            "Paste an invite or a key of your friend",
            limit=MAX_TEXT,
            on_submit=lambda text: self._add(),
        )
        self.paste = Button(self.stage, "Paste", self._paste, icon="ui.files")
        self.add = Button(self.stage, "Add", self._add, icon="ui.join", look=Look.PRIMARY)
        self.list = List(
            self.stage,
            row_height=56,
            on_select=self._select,
            on_activate=lambda index: self._card(),
            empty_text="Nobody yet. Add a friend by an invite or a key, or after a match together.",
        )
        self.name = TextField(
            self.stage,
            "Your own name for them",
            limit=NAME_LENGTH,
            on_submit=lambda text: self._rename(),
        )
        self.rename = Button(self.stage, "Rename", self._rename, icon="ui.editor")
        self.invite = Button(
            self.stage, "Invite", self._invite, icon="ui.friends", look=Look.PRIMARY
        )
        self.watch = Button(self.stage, "Watch", self._watch, icon="ui.eye")
        self.watch.hint = "See the match that this friend is playing; only what is public is shown."
        self.card = Button(self.stage, "See card", self._card, icon="ui.person")
        self.block = Button(self.stage, "Block", self._block, icon="ui.lock")
        self.remove = Button(
            self.stage, "Remove", self._ask_remove, icon="ui.trash", look=Look.DANGER
        )
        self.own = Label(self.stage, f"Your words: {fingerprint_words(own)}", theme.SMALL)
        self.own.hint = "Friends who add you see these words; compare them aloud."
        self.copy = Button(self.stage, "Copy your key", self._copy, icon="ui.key")
        self.shown = Button(self.stage, SEEN, self._show_me, icon="ui.eye")
        self._read()
        self.stage.set_focus(self.list if self.known else self.pasted)

    def on_shown(self) -> None:
        """Looks who is there."""
        self._acts.look()
        self._read()

    def update(self, passed_ms: float) -> None:
        """Keeps looking, as often as friends may be asked."""
        self._since_ms += passed_ms
        if self._since_ms >= LOOK_MS:
            self._since_ms = 0.0
            self._acts.look()
            self._tell()

    def fill(self, box: Box) -> None:
        """Adding above, the list, then what can be done, and how others find this player."""
        px, gap = self.px, self.px(10)
        row, rest = box.cut_top(px(42), px(12))
        for button in (self.add, self.paste):
            place, row = row.cut_right(max(px(110), button.natural_width()), gap)
            button.place(place)
        self.pasted.place(row)
        own, rest = rest.cut_bottom(px(38), px(12))
        for button in (self.shown, self.copy):
            place, own = own.cut_right(button.natural_width(), gap)
            button.place(place)
        self.own.place(own)
        foot, rest = rest.cut_bottom(px(42), px(10))
        for button in (self.invite, self.watch, self.card, self.block, self.remove):
            place, foot = foot.cut_left(button.natural_width(), gap)
            button.place(place)
        name, rest = rest.cut_bottom(px(42), px(10))
        place, name = name.cut_right(self.rename.natural_width(), gap)
        self.rename.place(place)
        self.name.place(name)
        self.list.place(rest)

    # -- what is shown -------------------------------------------------------------------------

    @property
    def chosen(self) -> Known | None:
        """The selected player."""
        at = self.list.selected
        return self.known[at] if at is not None and at < len(self.known) else None

    def _read(self, key: bytes | None = None) -> None:
        """Shows the book as it is, with the player of that key selected, or the one before."""
        before = self.chosen
        key = key or (before.key if before is not None else None)
        self.known = self._book.known()
        self._tell()
        at = next((at for at, known in enumerate(self.known) if known.key == key), 0)
        self.list.select(at if self.known else None)
        self._select(at)

    def _tell(self) -> None:
        """Shows who is there."""
        if self._book.known() != self.known:
            self.known = self._book.known()
        rows = [row_of(known, self._acts.presence(known.key)) for known in self.known]
        if rows != self.list.rows:
            self.list.set_rows(rows)
            self.window.invalidate()
        is_shown = self._acts.is_shown()
        self.shown.switch(is_shown)
        self.shown.say(SEEN if is_shown else UNSEEN)
        self.watch.enable(bool(self._match))

    @property
    def _match(self) -> str:
        """The invite to the match of the selected friend, or empty."""
        chosen = self.chosen
        if chosen is None or chosen.is_blocked:
            return ""
        return self._acts.watch(chosen.key)

    def _select(self, index: int) -> None:
        chosen = self.chosen
        for button in (self.card, self.block, self.remove, self.rename):
            button.enable(chosen is not None)
        is_open = chosen is not None and not chosen.is_blocked and self._acts.invite is not None
        self.invite.enable(is_open)
        self.watch.enable(bool(self._match))
        self.block.say("Unblock" if chosen is not None and chosen.is_blocked else "Block")
        self.name.set_value(chosen.name if chosen is not None else "")

    # -- what is done --------------------------------------------------------------------------

    def _paste(self) -> None:
        self.pasted.set_value("".join(self.window.read_clipboard().split()))
        self.stage.set_focus(self.add)

    def _add(self) -> None:
        if not self.pasted.value.strip():
            self.toasts.tell("Paste the invite or the key that your friend sent you.", theme.AMBER)
            self.stage.set_focus(self.pasted)
            return
        known = tried(self.toasts, lambda: self._book.add(self.pasted.value))
        if known is not None:
            self.pasted.set_value("")
            self._read(known.key)
            self._acts.look()
            self.stage.set_focus(self.name)
            self.toasts.tell("Added. Compare the six words with your friend, then name them.")

    def _rename(self) -> None:
        chosen = self.chosen
        if chosen is None:
            return
        renamed = tried(self.toasts, lambda: self._book.rename(chosen.key, self.name.value))
        if renamed is not None:
            self._read(chosen.key)
            self.stage.set_focus(self.list)

    def _block(self) -> None:
        chosen = self.chosen
        if chosen is None:
            return
        if chosen.is_blocked:
            tried(self.toasts, lambda: self._book.unblock(chosen.key))
            self._read()
            return
        ask_block(self.stage, chosen.name, lambda: self._blocked(chosen.key))

    def _blocked(self, key: bytes) -> None:
        tried(self.toasts, lambda: self._book.block(key))
        self._read(key)

    def _ask_remove(self) -> None:
        chosen = self.chosen
        if chosen is None:
            return
        stays = "They stay blocked. " if chosen.is_blocked else ""
        confirm(
            self.stage,
            f"Remove {chosen.name}?",
            f"{stays}Your name for them, their address and when you last met are deleted; they "
            "leave the leaderboards of friends. Matches, records and all other leaderboards stay.",
            "Remove",
            lambda: self._removed(chosen.key),
        )

    def _removed(self, key: bytes) -> None:
        tried(self.toasts, lambda: self._book.remove(key))
        self._read()

    def _invite(self) -> None:
        chosen = self.chosen
        if chosen is not None and self._acts.invite is not None:
            self._acts.invite(chosen.key)

    def _watch(self) -> None:
        if self._match:
            self._acts.go(self._match)

    def _card(self) -> None:
        chosen = self.chosen
        if chosen is not None:
            self._acts.card(chosen.key)

    def _copy(self) -> None:
        self.window.write_clipboard(key_text(self._own, self._acts.address()))
        self.toasts.tell("Your key is in the clipboard. Send it to a friend, who can add it here.")

    def _show_me(self) -> None:
        self._acts.show_me(not self._acts.is_shown())
        self._acts.look()
        self._tell()
