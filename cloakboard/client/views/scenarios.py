"""Choosing a start position, and keeping one of one's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cloakboard.client import theme
from cloakboard.client.canvas import Box
from cloakboard.client.views.page import Page
from cloakboard.client.widgets import Button, Label, List, Look, Row, TextField, confirm
from cloakboard.engine.scenario import TEACHES_LENGTH, TITLE_LENGTH

if TYPE_CHECKING:
    from cloakboard.client.library import Library, Listed, Made
    from cloakboard.client.window import CloakWindow


class ScenariosScreen(Page):
    """The list. `on_choose` gets the chosen one, None for the standard game; the screen has
    been left by then."""

    def __init__(
        self,
        window: CloakWindow,
        library: Library[Any],
        on_choose: Callable[[Listed | None], None],
    ) -> None:
        super().__init__(window, "Start positions")
        self._library = library
        self._on_choose = on_choose
        self.listed: list[Listed] = []
        self.list = List(
            self.stage, row_height=54, on_select=self._select, on_activate=self._choose
        )
        self.choose = Button(
            self.stage, "Choose", self._choose_selected, icon="ui.play", look=Look.PRIMARY
        )
        self.delete = Button(
            self.stage, "Delete", self._ask_delete, icon="ui.trash", look=Look.DANGER
        )
        self._read()
        self.stage.set_focus(self.list)

    def _read(self) -> None:
        self.listed = self._library.listed()
        rows = [Row("Standard game", "The set-up of the original", icon="ui.home")]
        rows += [
            Row(
                one.title,
                one.problem or one.teaches,
                icon="ui.cross" if one.problem else "ui.star" if one.path else "ui.editor",
                note="yours" if one.path else "",
                accent=theme.CORAL if one.problem else theme.TEAL if one.path else None,
            )
            for one in self.listed
        ]
        self.list.set_rows(rows)
        self.list.select(0)
        self._select(0)

    def _select(self, index: int) -> None:
        one = self.listed[index - 1] if index else None
        self.choose.enable(one is None or not one.problem)
        self.delete.enable(one is not None and one.path is not None)

    def fill(self, box: Box) -> None:
        """The list, and what to do with the selected one."""
        px = self.px
        foot, rest = box.cut_bottom(px(46), px(14))
        self.list.place(rest)
        width = px(160)
        self.choose.place(Box(foot.right - width, foot.y, width, foot.height))
        self.delete.place(Box(foot.x, foot.y, px(130), foot.height))

    def _choose_selected(self) -> None:
        if self.list.selected is not None:
            self._choose(self.list.selected)

    def _choose(self, index: int) -> None:
        one = self.listed[index - 1] if index else None
        if one is None or not one.problem:
            self.go_back()
            self._on_choose(one)

    def _ask_delete(self) -> None:
        index = self.list.selected
        if not index:
            return
        one = self.listed[index - 1]
        confirm(
            self.stage,
            "Delete this start position?",
            f"{one.title} is removed from this machine. Matches that began with it stay.",
            "Delete",
            lambda: self._delete(one),
        )

    def _delete(self, one: Listed) -> None:
        try:
            self._library.delete(one)
        except OSError as error:
            self.toasts.tell(f"Not deleted: {error.strerror}", theme.CORAL)
        self._read()


class KeepScreen(Page):
    """Title and sentence of a start position. `on_keep` gets them; the screen has been left by
    then."""

    width = 640
    height = 340

    def __init__(
        self,
        window: CloakWindow,
        made: Made,
        library: Library[Any],
        on_keep: Callable[[str, str], None],
    ) -> None:
        super().__init__(window, "Keep this start position")
        self._library = library
        self._on_keep = on_keep
        self.title = TextField(
            self.stage, "Title", value=made.title, limit=TITLE_LENGTH, on_change=self._changed,
            on_submit=lambda _: self._keep(),
        )  # fmt: skip
        self.teaches = TextField(
            self.stage, "What it is for, in a sentence", value=made.teaches,
            limit=TEACHES_LENGTH, on_submit=lambda _: self._keep(),
        )  # fmt: skip
        self.note = Label(self.stage, "", theme.SMALL)
        self.keep = Button(self.stage, "Keep", self._keep, icon="ui.save", look=Look.PRIMARY)
        self._changed(self.title.value)
        self.stage.set_focus(self.title)

    def _changed(self, title: str) -> None:
        title = title.strip()
        self.keep.enable(bool(title))
        exists = bool(title) and self._library.path_of(title).exists()
        self.note.say("Yours of that title is replaced." if exists else "")

    def fill(self, box: Box) -> None:
        """Two fields, a note and the button."""
        px = self.px
        row, rest = box.cut_top(px(42), px(14))
        self.title.place(row)
        row, rest = rest.cut_top(px(42), px(10))
        self.teaches.place(row)
        row, rest = rest.cut_top(px(22))
        self.note.place(row)
        foot, _ = rest.cut_bottom(px(46))
        self.keep.place(Box(foot.right - px(160), foot.y, px(160), foot.height))

    def _keep(self) -> None:
        title = self.title.value.strip()
        if not title:
            return
        self.go_back()
        self._on_keep(title, self.teaches.value.strip())
