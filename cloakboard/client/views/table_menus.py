"""The menus of the table, as in the original, and the keys that do the same.

Each line is a row: menu, text, key, what it does, whether it is on, whether it can be chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pyglet.window import key

from cloakboard.client.steps import Verb
from cloakboard.client.widgets import MenuEntry

if TYPE_CHECKING:
    from cloakboard.client.recording import Recording
    from cloakboard.client.session import Session
    from cloakboard.client.views.table import TableScreen
    from cloakboard.engine.game import State

FILE: Final = "File"
CHANGE: Final = "Play Change"
VIEW: Final = "View"
UNDO: Final = "Undo"
ACTIONS: Final = "Actions"
# The actions of the bar: text, picture, key.
VERBS: Final = MappingProxyType(
    {
        Verb.MOVE: ("Move", "ui.move", "M", key.M),
        Verb.DOZE: ("Doze", "piece.DO", "Z", key.Z),
        Verb.FIRE: ("Fire", "ui.fire", "F", key.F),
        Verb.PICK_UP: ("Pick up", "ui.pick_up", "P", key.P),
        Verb.DROP: ("Drop", "ui.drop", "D", key.D),
        Verb.EXCHANGE: ("Exchange", "ui.exchange", "X", key.X),
        Verb.REINFORCE: ("Reinforce", "ui.reinforce", "R", key.R),
        Verb.END: ("End Turn", "ui.end_turn", "E", key.E),
    }
)
NOT_ALLOWED: Final = (
    "The settings of this room do not let computers take over. They are agreed on before a match."
)
TITLES: Final = (FILE, CHANGE, VIEW, UNDO, ACTIONS)
CTRL: Final = key.MOD_CTRL


@dataclass(frozen=True, slots=True)
class TableActs:
    """What leads from a table to elsewhere; None where there is no such thing. `reseat` lets
    the computer play the seats it is given; `editor` begins with the position that is seen;
    `keep_rules` makes rules the player's own."""

    new: Callable[[], None] | None = None
    load: Callable[[], None] | None = None
    friend: Callable[[], None] | None = None
    editor: Callable[[State], None] | None = None
    settings: Callable[[], None] | None = None
    colours: Callable[[], None] | None = None
    reseat: Callable[[tuple[int, ...]], None] | None = None
    keep_rules: Callable[[dict[str, Any]], None] | None = None
    look_back: Callable[[Recording, str, int], None] | None = None


class Line(NamedTuple):
    """A line of a menu."""

    menu: str
    text: str
    key_name: str
    symbol: int
    ctrl: bool
    act: Callable[[TableScreen], None]
    is_on: Callable[[TableScreen], bool] = lambda screen: False
    is_able: Callable[[TableScreen], bool] = lambda screen: True
    why: Callable[[TableScreen], str] = lambda screen: ""  # it cannot be chosen


def _acts(name: str) -> tuple[Callable[[TableScreen], None], Callable[[TableScreen], bool]]:
    """Calling one of the screen's `TableActs`, and whether it has it."""

    def act(screen: TableScreen) -> None:
        found = getattr(screen.acts, name)
        if found is not None:
            found()

    return act, lambda screen: getattr(screen.acts, name) is not None


def _going(menu: str, text: str, key_name: str, symbol: int, ctrl: bool, name: str) -> Line:
    act, is_able = _acts(name)
    return Line(menu, text, key_name, symbol, ctrl, act, is_able=is_able)


def _verb(verb: Verb, text: str, icon: str, key_name: str, symbol: int) -> Line:
    return Line(
        ACTIONS,
        text,
        key_name,
        symbol,
        False,
        lambda at: at.choose_verb(verb),
        lambda at: at.play.may_act and at.play.choosing.verb is verb,
        lambda at: at.play.may_act and (verb is Verb.MOVE or at.play.menu.can(verb)),
    )


def _edit(screen: TableScreen) -> None:
    if screen.acts.editor is not None:
        screen.acts.editor(screen.play.state)


def _goes_on(screen: TableScreen) -> bool:
    return screen.play.result is None


def _has_computer(screen: TableScreen) -> bool:
    return len(screen.session.seats_here) == 1


def _is_against(screen: TableScreen) -> bool:
    return screen.acts.reseat is not None and _has_computer(screen)


def _are_two_here(screen: TableScreen) -> bool:
    return screen.acts.reseat is not None and not _has_computer(screen)


def _reseats(screen: TableScreen) -> bool:
    return screen.acts.reseat is not None and _goes_on(screen)


def _reseat(*computers: int) -> Callable[[TableScreen], None]:
    def act(screen: TableScreen) -> None:
        if screen.acts.reseat is not None:
            screen.acts.reseat(computers)

    return act


def _swap(screen: TableScreen) -> None:
    if screen.acts.reseat is not None:
        screen.acts.reseat(screen.session.seats_here)


def _against(screen: TableScreen) -> None:
    if screen.acts.reseat is not None:
        screen.acts.reseat((1 - screen.play.viewer,))


def _may_stand_in(screen: TableScreen) -> bool:
    return not why_no_stand_in(screen.session) and _goes_on(screen)


def _has_stand_in(screen: TableScreen) -> bool:
    return screen.session.stand_in is not None and screen.session.stand_in.is_on


def why_no_stand_in(session: Session) -> str:
    """Why the computer cannot play in the player's place; empty if it can."""
    if session.stand_in is None:
        return "The computer takes your place only in a match with a friend."
    return "" if session.stand_in.is_allowed else NOT_ALLOWED


def switch_stand_in(session: Session) -> None:
    """The computer plays in the player's place, or no longer."""
    if session.stand_in is not None and session.stand_in.is_allowed:
        session.stand_in.switch(not session.stand_in.is_on)


def _switch_stand_in(screen: TableScreen) -> None:
    switch_stand_in(screen.session)
    screen.rebuild()


LINES: Final = (
    _going(FILE, "New match", "Ctrl+N", key.N, True, "new"),
    _going(FILE, "Load a match", "Ctrl+O", key.O, True, "load"),
    Line(FILE, "Save", "Ctrl+S", key.S, True, lambda at: at.save()),
    Line(
        FILE, "Board editor", "Ctrl+E", key.E, True, _edit,
        is_able=lambda at: at.acts.editor is not None,
    ),
    _going(FILE, "Online and LAN play", "Ctrl+P", key.P, True, "friend"),
    Line(
        FILE, "Select a square by row and column", "Ctrl+G", key.G, True,
        lambda at: at.looks.ask_square(),
    ),
    Line(
        FILE, "Copy the notation", "Ctrl+C", key.C, True, lambda at: at.looks.copy_notation()
    ),
    Line(FILE, "Leave the table", "Ctrl+Q", key.Q, True, lambda at: at.leave()),
    Line(CHANGE, "Rules of this match", "F2", key.F2, False, lambda at: at.looks.show_rules()),
    Line(
        CHANGE, "Change sides with the computer", "F3", key.F3, False, _swap,
        is_able=lambda at: _reseats(at) and _has_computer(at),
    ),
    Line(
        CHANGE, "Two players here", "F4", key.F4, False, _reseat(), _are_two_here,
        lambda at: _reseats(at) and _has_computer(at),
    ),
    Line(
        CHANGE, "Against the computer", "F5", key.F5, False, _against, _is_against,
        lambda at: _reseats(at) and not _has_computer(at),
    ),
    Line(
        CHANGE, "The computer plays for me", "F9", key.F9, False, _switch_stand_in,
        _has_stand_in, _may_stand_in, lambda at: why_no_stand_in(at.session),
    ),
    Line(
        CHANGE, "Save these rules as mine", "F6", key.F6, False,
        lambda at: at.looks.keep_rules(),
        is_able=lambda at: at.acts.keep_rules is not None,
    ),
    _going(CHANGE, "Preferences", "F7", key.F7, False, "settings"),
    _going(VIEW, "Colours", "F8", key.F8, False, "colours"),
    Line(
        VIEW, "Talk and requests", "Ctrl+T", key.T, True, lambda at: at.match.toggle_talk(),
        lambda at: at.match.talk is not None and at.match.talk.is_open,
        lambda at: at.match.talk is not None,
    ),
    Line(VIEW, "Guide", "F1", key.F1, False, lambda at: at.looks.show_guide()),
    Line(VIEW, "Game status in words", "G", key.G, False, lambda at: at.looks.show_status()),
    Line(
        VIEW, "Possible places of unseen enemies", "O", key.O, False,
        lambda at: at.looks.switch("places"), lambda at: at.view.places,
    ),
    Line(
        VIEW, "Last-seen marks", "A", key.A, False,
        lambda at: at.looks.switch_last_seen(), lambda at: at.view.last_seen,
    ),
    Line(
        VIEW, "Reinforcement squares", "V", key.V, False,
        lambda at: at.looks.switch("reserves"), lambda at: at.view.reserves,
    ),
    Line(
        VIEW, "Threats of the enemy", "T", key.T, False,
        lambda at: at.looks.switch("threats"), lambda at: at.view.threats,
    ),
    Line(
        VIEW, "History in notation", "N", key.N, False,
        lambda at: at.looks.toggle_notation(), lambda at: at.panel.shows_notation,
    ),
    Line(
        VIEW, "History: look back", "H", key.H, False, lambda at: at.look_back(),
        is_able=lambda at: at.acts.look_back is not None,
    ),
    Line(VIEW, "Enlarge a quarter", "Q", key.Q, False, lambda at: at.looks.next_quarter(),
         lambda at: at.view.quarter is not None),
    Line(VIEW, "Single board", "B", key.B, False, lambda at: at.looks.switch_single(),
         lambda at: at.view.is_single),
    Line(VIEW, "Lighting", "L", key.L, False, lambda at: at.looks.next_lighting()),
    Line(VIEW, "Piece set", "Y", key.Y, False, lambda at: at.looks.next_pieces()),
    Line(
        VIEW, "Full screen", "F11", key.F11, False,
        lambda at: at.window.toggle_fullscreen(),
        lambda at: at.window.fullscreen,
    ),
    Line(
        UNDO, "Undo", "Ctrl+Z", key.Z, True, lambda at: at.undo(),
        is_able=lambda at: at.session.can_undo() and _goes_on(at),
    ),
    Line(
        UNDO, "Redo", "Ctrl+Y", key.Y, True, lambda at: at.redo(),
        is_able=lambda at: at.session.can_redo() and _goes_on(at),
    ),
    *(_verb(verb, *row) for verb, row in VERBS.items()),
    Line(
        ACTIONS, "Offer a draw", "Ctrl+D", key.D, True, lambda at: at.match.offer_draw(),
        is_able=_goes_on,
    ),
    Line(
        ACTIONS, "Resign", "Ctrl+R", key.R, True, lambda at: at.match.resign(),
        is_able=_goes_on,
    ),
)  # fmt: skip
# The buttons above the board: name, picture, hint, what each does.
TOOLS: Final[tuple[tuple[str, str, str, Callable[[TableScreen], object]], ...]] = (
    (
        "guide",
        "ui.help",
        "Guide to rules, pieces and articles (F1)",
        lambda at: at.looks.show_guide(),
    ),
    (
        "threats",
        "ui.threat",
        "Threats of the enemy (T, or hold Alt)",
        lambda at: at.looks.threats(),
    ),
    ("places", "ui.ghost", "Where unseen enemies could be (O)", lambda at: at.looks.places()),
    ("history", "ui.replay", "Look back at the match (H)", lambda at: at.look_back()),
    ("undo", "ui.undo", "Take back the last action (Ctrl+Z)", lambda at: at.undo()),
    ("save", "ui.save", "Save the match (Ctrl+S)", lambda at: at.save()),
    ("talk", "ui.friends", "Talk and requests (Ctrl+T)", lambda at: at.match.toggle_talk()),
    ("full", "ui.expand", "Full screen (F11)", lambda at: at.window.toggle_fullscreen()),
    ("leave", "ui.exit", "Leave the table", lambda at: at.leave()),
)
KEYS: Final[Mapping[tuple[int, bool], Line]] = MappingProxyType(
    {(line.symbol, line.ctrl): line for line in LINES}
)


def entries(screen: TableScreen, title: str) -> tuple[MenuEntry, ...]:
    """The lines of a menu as they are now."""
    return tuple(_entries(screen, title))


def _entries(screen: TableScreen, title: str) -> Iterator[MenuEntry]:
    for line in LINES:
        if line.menu == title:
            yield MenuEntry(
                line.text,
                line.key_name,
                lambda line=line: line.act(screen),  # type: ignore[misc]  # bound now
                line.is_on(screen),
                line.is_able(screen),
                line.why(screen),
            )


def press(screen: TableScreen, symbol: int, modifiers: int) -> bool:
    """Does what a key stands for; False if it stands for nothing, or not now."""
    line = KEYS.get((symbol, bool(modifiers & CTRL)))
    if line is None:
        return False
    if line.menu != ACTIONS and not line.is_able(screen):
        why = line.why(screen)
        if why:
            screen.toasts.tell(why)
        return bool(why)
    line.act(screen)
    return True
