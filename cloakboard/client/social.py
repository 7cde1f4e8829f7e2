"""The screens about players: friends, leaderboards, cards, achievements; and who wants to be one's
friend or opponent."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Final

from cloakboard.achievements.definitions import words
from cloakboard.client import theme
from cloakboard.client.porch import Porch, Presence
from cloakboard.client.texts import sentence
from cloakboard.client.views.achievements import AchievementsScreen
from cloakboard.client.views.copies import CopiesScreen
from cloakboard.client.views.friends import FriendActs, FriendsScreen
from cloakboard.client.views.leaderboard import LeaderboardScreen
from cloakboard.client.views.player import PlayerScreen
from cloakboard.client.widgets import Look
from cloakboard.client.widgets.overlays import Choice, Dialog
from cloakboard.engine.registry import games
from cloakboard.netplay import handoff, scheme
from cloakboard.netplay.errors import NetplayError
from cloakboard.netplay.identity import fingerprint_words
from cloakboard.netplay.invite import Watch, parse_any

if TYPE_CHECKING:
    from pathlib import Path

    from cloakboard.client.window import CloakWindow
    from cloakboard.keeping.keeper import Keeper
    from cloakboard.netplay.finding.friends import FriendsFile
    from cloakboard.netplay.finding.presence import Call
    from cloakboard.netplay.identity import Identity
    from cloakboard.netplay.settings import SettingsFile

TOASTS: Final = 3  # at once, of what was earned


class Social:
    """See above. `porch` is None where there is no network part; `invite` sets a match up for the
    friend with a key, `join` goes to the room of an invite."""

    def __init__(
        self,
        window: CloakWindow,
        keeper: Keeper,
        identity: Identity,
        folder: Path,
        settings: SettingsFile,
        book: FriendsFile,
        porch: Porch | None,
        invite: Callable[[bytes], None],
        join: Callable[[str], None],
    ) -> None:
        self.book = book
        self._window = window
        self._keeper = keeper
        self._identity = identity
        self._folder = folder
        self._settings = settings
        self._porch = porch
        self._invite = invite if porch is not None else None
        self._join = join
        self._titles = {name: one.title for name, one in games().items()}
        self._met: dict[bytes, str] = {}
        self._offered: set[bytes] = set()
        self._done: deque[str] = deque()  # told at the next look; from any thread

    def show_achievements(self) -> None:
        """What is earned, and what is left."""
        self._window.open_screen(
            AchievementsScreen(
                self._window, self._keeper.standings, self.show_leaderboard, self.show_copies
            )
        )

    def show_leaderboard(self) -> None:
        """How this player and the friends stand."""
        self._window.open_screen(
            LeaderboardScreen(
                self._window,
                self._titles,
                self._keeper.ledger.records,
                self.show_card,
                self._identity.key,
                self.book,
            )
        )

    def show_card(self, key: bytes) -> None:
        """How a player stands, and every match with them."""
        self._window.open_screen(
            PlayerScreen(
                self._window,
                self._keeper.ledger,
                self._titles,
                self._identity.key,
                key,
                self._window.close_screen,
                self.book,
            )
        )

    def show_copies(self) -> None:
        """Export and import of what is kept."""
        self._window.open_screen(
            CopiesScreen(self._window, self._keeper, self._identity, self._folder / "exports")
        )

    def show_friends(self) -> None:
        """The players one knows."""
        porch = self._porch
        acts = FriendActs(
            look=porch.look if porch is not None else lambda: None,
            presence=porch.presence if porch is not None else lambda key: Presence.UNKNOWN,
            address=porch.address if porch is not None else lambda: "",
            invite=self._invite,
            watch=porch.watch if porch is not None else lambda key: "",
            go=self._join,
            card=self.show_card,
            is_shown=lambda: self._settings.now.presence,
            show_me=self._show_me,
        )
        self._window.open_screen(FriendsScreen(self._window, self._identity.key, self.book, acts))

    def _show_me(self, is_shown: bool) -> None:
        self._settings.change(presence=is_shown)

    def register_links(self) -> None:
        """Has the desktop open links of invites with this program; the window does not wait."""

        def work() -> None:
            try:
                self._done.append(sentence(scheme.register()))
            except NetplayError as error:
                self._done.append(sentence(str(error)))

        threading.Thread(target=work, name="links", daemon=True).start()

    # -- after a match -------------------------------------------------------------------------

    def sat_down(self, others: Iterable[tuple[bytes, str]]) -> None:
        """Remembers with whom a match is played: keys and names."""
        self._met.update(others)

    def offer(self) -> None:
        """Offers to add whom a match was played with, once; nobody is added without a yes."""
        met, self._met = self._met, {}
        top = self._window.top
        for key, name in met.items():
            if top is None or key in self._offered or self.book.get(key) is not None:
                continue
            self._offered.add(key)
            Dialog(
                top.stage,
                f"Add {name} to your friends?",
                f"Then you find {name} under Friends, can invite them again and see when they are "
                f"here. Their words: {fingerprint_words(key)}.",
                [
                    Choice("Add", partial(self._add, key, name), Look.PRIMARY),
                    Choice("Not now"),
                ],
                unasked=True,
            )
            return

    def _add(self, key: bytes, name: str) -> None:
        try:
            added = self.book.add_key(key, played_as=name)
        except NetplayError as error:
            self._tell(sentence(str(error)))
            return
        self._tell(f"{added.name} is among your friends.")

    # -- news ----------------------------------------------------------------------------------

    def tell_news(self) -> None:
        """Announces what was earned and who has invited this player since the last call, each
        once."""
        self.tell_calls()
        while self._done:
            self._tell(self._done.popleft())
        left = handoff.take(self._folder)
        if left:
            self.opened(left)
        fresh = self._keeper.fresh()
        top = self._window.top
        if not fresh or top is None:
            return
        self._window.sounds.play("win")
        for one in fresh[:TOASTS]:
            top.toasts.tell(f"Achievement: {words()[one.text].title}", theme.AMBER)
        if len(fresh) > TOASTS:
            top.toasts.tell(f"And {len(fresh) - TOASTS} more achievements", theme.AMBER)

    def tell_calls(self) -> None:
        """Asks about a friend's invite, unless a match is played: then it is only told of. Tells
        whether an invite of one's own has arrived."""
        if self._porch is None:
            return
        for call in self._porch.calls():
            self._ask(call)
        for key, has_it in self._porch.sent():
            name = self.book.name_of(key, "Your friend")
            self._tell(
                f"{name} has the invite."
                if has_it
                else f"{name} is not there now: send the invite in another way."
            )

    def _ask(self, call: Call) -> None:
        top = self._window.top
        if top is None:
            return
        name = self.book.name_of(call.key, "A friend")
        if self._met or top.stage.has_modal:
            self._tell(f"{name} invites you to a match.")
            return
        Dialog(
            top.stage,
            f"{name} invites you",
            f"{name} has opened a room and waits for you there.",
            [Choice("Join", lambda: self._join(call.invite), Look.PRIMARY), Choice("Not now")],
            unasked=True,
        )

    def opened(self, invite: str) -> None:
        """Asks about an invite that was opened as a link: whoever made the link may be anybody."""
        top = self._window.top
        if top is None:
            return
        asked = parse_any(invite)
        host = asked.host
        name = self.book.name_of(host, "a player who is not among your friends")
        if self._met or top.stage.has_modal:
            self._tell("An invite was opened. Leave this match first, then open it again.")
            return
        Dialog(
            top.stage,
            "Watch this match?" if isinstance(asked, Watch) else "Go to this room?",
            f"The invite is of {name}. Their words: {fingerprint_words(host)}. Your machines "
            "will connect to each other.",
            [Choice("Go", lambda: self._join(invite), Look.PRIMARY), Choice("Not now")],
            unasked=True,
        )

    def _tell(self, text: str) -> None:
        if self._window.top is not None:
            self._window.top.toasts.tell(text, theme.TEAL)
