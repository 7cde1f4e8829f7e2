"""The desktop program: opens the profile and the window, and leads from screen to screen."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from cloakboard.client import textures, theme
from cloakboard.client.boards.wec import unit_in, warm
from cloakboard.client.carrier import Carrier
from cloakboard.client.claims import Claims
from cloakboard.client.inviting import Inviting
from cloakboard.client.kept import KeptSettings
from cloakboard.client.library import STANDARD, TRID, WEC, Start
from cloakboard.client.lobby import Friends, SaveRow, local_saves
from cloakboard.client.local_session import LocalSession
from cloakboard.client.net_session import NetSession
from cloakboard.client.recording import Recording
from cloakboard.client.session import Session
from cloakboard.client.shelf import Shelf
from cloakboard.client.social import Social
from cloakboard.client.study import GAME, Study
from cloakboard.client.terms import Terms
from cloakboard.client.views import editor_parts
from cloakboard.client.views.about import AboutScreen
from cloakboard.client.views.colours import ColoursScreen
from cloakboard.client.views.editor import EditorActs
from cloakboard.client.views.editor_trid import TridEditor
from cloakboard.client.views.editor_wec import WecEditor
from cloakboard.client.views.local import LocalMatch, LocalScreen
from cloakboard.client.views.page import Offer
from cloakboard.client.views.replay import ReplayActs
from cloakboard.client.views.replay_trid import TridReplay
from cloakboard.client.views.replay_wec import WecReplay
from cloakboard.client.views.replays import ReplaysScreen
from cloakboard.client.views.saves import SavesScreen
from cloakboard.client.views.settings import SettingsScreen
from cloakboard.client.views.start import Entry, StartScreen
from cloakboard.client.views.table import TableScreen
from cloakboard.client.views.table_layout import arrange
from cloakboard.client.views.table_menus import TableActs
from cloakboard.client.views.table_view import ViewPrefs
from cloakboard.client.views.trid_table import TridTable
from cloakboard.client.watching import Heard, Watcher
from cloakboard.client.widgets import Look
from cloakboard.client.window import CloakWindow, Screen
from cloakboard.engine.errors import EngineError
from cloakboard.engine.game import Game, State
from cloakboard.engine.registry import game, games
from cloakboard.keeping.keeper import Keeper
from cloakboard.netplay.finding.friends import FriendsFile
from cloakboard.netplay.identity import Identity, default_name
from cloakboard.netplay.profile import Profile


class App:
    """One run of the program. `friends` is None where there is no network part."""

    def __init__(
        self,
        profile: Profile,
        window: CloakWindow,
        kept: KeptSettings,
        friends: Friends | None,
        keeper: Keeper,
    ) -> None:
        self.profile = profile
        self.window = window
        self.kept = kept
        self.friends = friends
        self.keeper = keeper
        self.identity = identity = Identity.open(profile.folder)
        self.player = default_name(identity.key)
        self.shelf = Shelf(profile, identity, games())
        self.terms = Terms(window, kept, profile.folder, self._tell)
        self.social = Social(
            window,
            keeper,
            identity,
            profile.folder,
            kept.file,
            friends.book if friends is not None else FriendsFile(profile.folder, identity.key),
            friends.porch if friends is not None else None,
            invite=lambda key: self.inviting.show_friend(guest=key),
            join=lambda invite: self.inviting.join(invite),
        )
        self.inviting = Inviting(
            window, friends, self.social.book, self.terms, self.show_table, self._tell
        )
        self.study = Study(
            window, kept, keeper, lambda: self.name, self._close_all, lambda: self.go_home()
        )
        theme.recolour(kept.file.now.colours)

    @property
    def name(self) -> str:
        """What the player is called."""
        return self.kept.file.now.name or self.player

    def start(self) -> None:
        """Shows the first screen."""
        self.window.open_screen(self._start_screen())
        for notice in (self.keeper.notice, self.social.book.notice):
            if notice:
                self._tell(notice)

    def tell_news(self) -> None:
        """Tells what has come up since the last call."""
        self.social.tell_news()
        refusals = self.kept.file.refusals
        while refusals:
            self._tell(refusals.popleft())

    def _start_screen(self) -> StartScreen:
        window = self.window
        has_saves = bool(self._saves())
        entries = (
            Entry("Continue a match", "ui.load", self.show_saves),
            Entry(
                "Play a friend",
                "ui.friends",
                lambda: self.inviting.show_friend(),
                Look.PRIMARY,
                "By invite, anywhere",
            ),
            Entry("Play the computer", "ui.computer", lambda: self.show_local(True)),
            Entry("Two players here", "ui.hotseat", lambda: self.show_local(False)),
            Entry(
                "Learn", "ui.learn", self.study.show_lessons,
                Look.NORMAL if self.kept.file.now.lessons or has_saves else Look.PRIMARY,
                "Six short lessons",
            ),
            Entry("Replays", "ui.replay", self.show_replays),
            Entry("Board editor", "ui.editor", lambda: self.show_editor()),
            Entry("Friends", "ui.person", self.social.show_friends),
            Entry("Achievements", "ui.trophy", self.social.show_achievements),
            Entry("Settings", "ui.settings", self.show_settings, is_minor=True),
            Entry("About", "ui.info", self.show_about, is_minor=True),
            Entry("Quit", "ui.exit", window.on_close, is_minor=True),
        )  # fmt: skip
        return StartScreen(
            window,
            entries[0 if has_saves else 1 :],
            lambda: f"You are {self.name}",
            self._warm,
        )

    def _warm(self) -> Iterator[None]:
        """Makes the pictures of a first board while the player reads the menu."""
        scale = self.window.ui_scale
        style = self.kept.style
        yield from warm(unit_in(arrange(self.window.box, scale).board, scale), style)
        yield from editor_parts.warm(scale.px, style)

    def _saves(self) -> list[SaveRow]:
        online = list(self.friends.saves()) if self.friends is not None else []
        return online + local_saves(self.profile.saves)

    def go_home(self) -> None:
        """Leaves every screen for the first one."""
        self._close_all()
        self.window.replace_screen(self._start_screen())
        self.social.offer()

    def show_about(self) -> None:
        """What this is, and whose work."""
        self.window.open_screen(AboutScreen(self.window))

    def _close_all(self) -> None:
        while len(self.window.screen_stack) > 1:
            self.window.close_screen()

    def show_saves(self) -> None:
        """The list of kept matches."""
        carrier, claims = Carrier(self.profile, self.identity), Claims(self.keeper)
        screen = SavesScreen(self.window, self._saves, self._open_save, carrier, claims)
        self.window.open_screen(screen)

    def show_settings(self) -> None:
        """The settings."""
        self.window.open_screen(
            SettingsScreen(
                self.window,
                self.kept,
                self.player,
                self.show_colours,
                self._set_language,
                self.social.register_links,
            )
        )

    def _set_language(self, language: str) -> None:
        self.window.set_language(language)
        if isinstance(self.window.screen_stack[-2], StartScreen):
            self.go_home()
        else:
            self.window.close_screen()
        self.show_settings()

    def show_local(self, computer: bool, start: Start = STANDARD) -> None:
        """Setting up a match on this machine."""
        about = self.terms.about(start)
        screen = LocalScreen(
            self.window,
            about,
            self.name,
            computer,
            lambda match: self.begin_local(about, match),
            self.terms.rules(about, start),
            self.terms.offer(start, lambda: self.show_local(computer)),
        )
        self.window.open_screen(screen)

    def begin_local(self, about: Game, match: LocalMatch) -> None:
        """Sits down at a table on this machine."""
        try:
            session = LocalSession(
                about,
                match.names,
                options=match.options,
                setup=match.setup,
                seed=secrets.token_bytes(32),
                computers=match.computers,
                saves=self.profile.saves,
            )
        except EngineError as error:
            self._tell(str(error))
            return
        self.show_table(session, lambda: self.begin_local(about, match))

    def show_editor(self, game_id: str = "", state: State | None = None) -> None:
        """The board editor of a game, of the one chosen last if none is named, with its standard
        set-up or with what is known of a match."""
        about = game(game_id) if game_id else self.terms.chosen

        def choose(other: Game) -> None:
            if other.id != about.id:
                self.terms.chosen = other
                self.window.close_screen()
                self.show_editor(other.id)

        acts = EditorActs(
            leave=self.window.close_screen,
            hotseat=lambda start: self.show_local(False, start),
            computer=lambda start: self.show_local(True, start),
            friend=self.inviting.show_friend,
            offer=Offer(tuple(games().values()), choose),
        )
        self.window.open_screen(EDITORS[about.id](self, acts, state))

    def _wec_editor(self, acts: EditorActs, state: State | None) -> Screen:
        made = WEC.standard() if state is None else WEC.of(state)
        return WecEditor(self.window, made, self.terms.libraries[GAME], acts, self.kept.style)

    def _trid_editor(self, acts: EditorActs, state: State | None) -> Screen:
        made = TRID.standard() if state is None else TRID.of(state)
        return TridEditor(self.window, made, self.terms.libraries[TRID.game_id], acts)

    def show_table(self, session: Session, rematch: Callable[[], None] | None = None) -> None:
        """The table of a match, in place of every other screen but the first."""
        self._close_all()
        self.social.sat_down(session.others if isinstance(session, NetSession) else ())
        if isinstance(session, Heard):
            session.listener = Watcher(session, self.keeper)
        self.window.open_screen(TABLES[session.game.id](self, session, rematch))

    def _wec_table(self, session: Session, rematch: Callable[[], None] | None) -> Screen:
        now = self.kept.file.now
        return TableScreen(
            self.window,
            session,
            self.go_home,
            rematch,
            self.kept.style,
            self._acts_of(session, rematch),
            ViewPrefs(now.lighting, now.board_view == "single", now.last_seen, self._keep_view),
        )

    def _trid_table(self, session: Session, rematch: Callable[[], None] | None) -> Screen:
        acts = self._acts_of(session, rematch)
        return TridTable(self.window, session, self.go_home, rematch, acts)

    def _acts_of(self, session: Session, rematch: Callable[[], None] | None) -> TableActs:
        """What leads from a table to elsewhere. While a match with a friend goes on, the table
        is left by its own way only."""
        acts = TableActs(
            settings=self.show_settings,
            colours=self.show_colours,
            keep_rules=lambda changes: self.kept.keep_rules(GAME, changes),
            look_back=self.show_replay,
        )
        if not isinstance(session, LocalSession):
            return acts

        def reseat(computers: tuple[int, ...]) -> None:
            session.reseat(computers)
            self.show_table(session, rematch)

        return replace(
            acts,
            new=lambda: self.show_local(bool(session.computers)),
            load=self.show_saves,
            friend=lambda: self.inviting.show_friend(),
            editor=lambda state: self.show_editor(session.game.id, state),
            reseat=reseat,
        )

    def _keep_view(self, name: str, value: object) -> None:
        self.kept.file.change(**{name: value})

    def show_colours(self) -> None:
        """The colours of board and pieces."""

        def change(colours: dict[str, str]) -> None:
            self.kept.file.change(colours=colours)
            theme.recolour(colours)
            textures.forget()

        colours = self.kept.file.now.colours
        self.window.open_screen(ColoursScreen(self.window, colours, self.kept.style, change))

    def show_replays(self) -> None:
        """The list of matches to look back on."""
        self.window.open_screen(ReplaysScreen(self.window, self.shelf, self.show_replay))

    def show_replay(self, recording: Recording, name: str, near: int = 0) -> None:
        """A match to look back on, over the screen that is shown."""
        self.window.open_screen(REPLAYS[recording.game.id](self, recording, name, near))

    def _trid_replay(self, recording: Recording, name: str, near: int) -> Screen:
        acts = self._replay_acts(recording)
        return TridReplay(self.window, recording, acts, near=near, name=name)

    def _wec_replay(self, recording: Recording, name: str, near: int) -> Screen:
        acts = self._replay_acts(recording)
        return WecReplay(self.window, recording, acts, near=near, style=self.kept.style, name=name)

    def _replay_acts(self, recording: Recording) -> ReplayActs:
        return ReplayActs(
            leave=self.window.close_screen,
            export=self.shelf.write,
            edit=lambda state: self.show_editor(recording.game.id, state),
            go_on=(lambda step: self._go_on(recording, step)) if recording.is_whole else None,
        )

    def _go_on(self, recording: Recording, step: int) -> None:
        try:
            session = LocalSession.going_on(recording, step, saves=self.profile.saves)
        except EngineError as error:
            self._tell(str(error))
            return
        self.show_table(session)

    def _open_save(self, save: SaveRow, invite: str = "") -> None:
        if not save.is_local:
            self.inviting.resume(save.path, invite)
            return
        try:
            session = LocalSession.load(save.path)
        except (EngineError, OSError) as error:
            self._tell(str(error))
            return
        self.show_table(session)

    def _tell(self, text: str) -> None:
        if self.window.top is not None:
            self.window.top.toasts.tell(text)


TABLES: Final[Mapping[str, Callable[[App, Session, Callable[[], None] | None], Screen]]] = (
    MappingProxyType({"wec": App._wec_table, "trid": App._trid_table})
)
REPLAYS: Final[Mapping[str, Callable[[App, Recording, str, int], Screen]]] = MappingProxyType(
    {"wec": App._wec_replay, "trid": App._trid_replay}
)
EDITORS: Final[Mapping[str, Callable[[App, EditorActs, State | None], Screen]]] = MappingProxyType(
    {"wec": App._wec_editor, "trid": App._trid_editor}
)
