"""The list of matches to look back on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from cloakboard.client import theme
from cloakboard.client.canvas import Box
from cloakboard.client.shelf import read_text
from cloakboard.client.views.page import Page
from cloakboard.client.widgets import Button, List, Look, Row
from cloakboard.engine.errors import EngineError
from cloakboard.netplay.errors import NetplayError

if TYPE_CHECKING:
    from cloakboard.client.recording import Recording
    from cloakboard.client.shelf import Kept, Shelf
    from cloakboard.client.window import CloakWindow


class ReplaysScreen(Page):
    """Opens a match, or one from a text in notation. `on_open` gets it with a name."""

    def __init__(
        self, window: CloakWindow, shelf: Shelf, on_open: Callable[[Recording, str], None]
    ) -> None:
        super().__init__(window, "Replays")
        self._shelf = shelf
        self._on_open = on_open
        self.kept: list[Kept] = shelf.kept()
        self.list = List(
            self.stage,
            [
                Row(
                    kept.title,
                    kept.problem or kept.detail,
                    icon="ui.cross" if kept.problem else kept.icon,
                    accent=theme.CORAL if kept.problem else theme.TEAL,
                )
                for kept in self.kept
            ],
            row_height=58,
            on_select=self._select,
            on_activate=self._open,
            empty_text="Finished matches and those with friends stand here, saved matches against "
            "the computer, and notation that you kept.",
        )
        self.paste = Button(self.stage, "Paste notation", self._paste, icon="ui.files")
        self.open = Button(
            self.stage, "Look back", self._open_selected, icon="ui.replay", look=Look.PRIMARY
        )
        self.list.selected = 0 if self.kept else None
        self._select(0)
        self.stage.set_focus(self.list if self.kept else self.paste)

    def _select(self, index: int) -> None:
        self.open.enable(index < len(self.kept) and not self.kept[index].problem)

    def fill(self, box: Box) -> None:
        """The list, and what to do with it."""
        px = self.px
        foot, rest = box.cut_bottom(px(46), px(14))
        self.list.place(rest)
        width = px(160)
        self.open.place(Box(foot.right - width, foot.y, width, foot.height))
        width = self.paste.natural_width()
        self.paste.place(Box(foot.x, foot.y, width, foot.height))

    def _open_selected(self) -> None:
        if self.list.selected is not None:
            self._open(self.list.selected)

    def _open(self, index: int) -> None:
        kept = self.kept[index]
        if kept.problem:
            return
        try:
            recording = self._shelf.open(kept.path)
        except (EngineError, NetplayError, OSError) as error:
            self.toasts.tell(str(error), theme.CORAL)
            return
        self._on_open(recording, kept.path.stem)

    def _paste(self) -> None:
        text = self.window.read_clipboard()
        if not text.strip():
            self.toasts.tell("Copy a match in notation first; then it can be pasted here.")
            return
        try:
            recording = read_text(text)
        except EngineError as error:
            self.toasts.tell(str(error), theme.CORAL)
            return
        self._on_open(recording, "pasted")
