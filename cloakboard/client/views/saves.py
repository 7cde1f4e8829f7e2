"""The list of kept matches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cloakboard.client import theme
from cloakboard.client.canvas import Box
from cloakboard.client.claims import NOT_KEPT, question, refusal
from cloakboard.client.views.page import Page
from cloakboard.client.widgets import (
    Button,
    Choice,
    Dialog,
    List,
    Look,
    Row,
    TextField,
    confirm,
)
from cloakboard.netplay.invite import MAX_TEXT

if TYPE_CHECKING:
    from concurrent.futures import Future

    from cloakboard.client.carrier import Carrier, Report
    from cloakboard.client.claims import Claims
    from cloakboard.client.lobby import SaveRow
    from cloakboard.client.window import CloakWindow

MAX_PATH: Final = 4096  # characters of a file name


class SavesScreen(Page):
    """Opens or deletes a save, or has the records say that its match was never finished; a
    damaged one says so and harms no other."""

    def __init__(
        self,
        window: CloakWindow,
        list_saves: Callable[[], Sequence[SaveRow]],
        on_open: Callable[[SaveRow, str], None],
        carrier: Carrier | None = None,
        claims: Claims | None = None,
    ) -> None:
        """`on_open` takes a save and the friend's fresh invite, or nothing. `carrier` takes saves
        to other machines and in from there; `claims` keeps matches as never finished."""
        super().__init__(window, "Continue a match")
        self._list_saves = list_saves
        self._on_open = on_open
        self._carrier = carrier
        self._claims = claims
        self._work: Future[Report] | None = None
        self.saves: Sequence[SaveRow] = ()
        self.told: Dialog | None = None
        self.list = List(
            self.stage,
            row_height=58,
            on_select=self._select,
            on_activate=self._open,
            empty_text="No match has been saved yet.",
        )
        self.open = Button(
            self.stage, "Continue", self._open_selected, icon="ui.play", look=Look.PRIMARY
        )
        self.delete = Button(
            self.stage, "Delete", self._ask_delete, icon="ui.trash", look=Look.DANGER
        )
        self.claim = Button(
            self.stage, "Keep as never finished", self._ask_claim, icon="ui.link_lost"
        )
        self.claim.hint = "Your friend never comes back: your records say so, unrated."
        self.claim.show(claims is not None)
        self.invite = TextField(
            self.stage, "If your friend is elsewhere now: paste their new invite", limit=MAX_TEXT
        )
        self.paste = Button(self.stage, "Paste", self._paste, icon="ui.files")
        self.place_name = TextField(
            self.stage, "A file to import, or a folder to export to", limit=MAX_PATH
        )
        self.export = Button(self.stage, "Export", self._export, icon="ui.files")
        self.bring = Button(self.stage, "Import", self._bring, icon="ui.load")
        for widget in (self.place_name, self.export, self.bring):
            widget.show(carrier is not None)
        self._read()

    def _read(self) -> None:
        before = self._selected()
        self.saves = self._list_saves()
        self.list.rows = [
            Row(
                save.title,
                save.problem or save.detail,
                icon="ui.cross"
                if save.problem
                else "ui.hotseat"
                if save.is_local
                else "ui.friends",
                note="" if save.is_local else "both of you continue",
                accent=theme.CORAL if save.problem else theme.TEAL,
            )
            for save in self.saves
        ]
        paths = [save.path for save in self.saves]
        at = paths.index(before.path) if before is not None and before.path in paths else 0
        self.list.selected = at if self.saves else None
        self.list.refresh()
        self._select(at)
        self.stage.set_focus(self.list)

    def _selected(self) -> SaveRow | None:
        index = self.list.selected
        return self.saves[index] if index is not None and index < len(self.saves) else None

    def _select(self, index: int) -> None:
        has_one = index < len(self.saves)
        self.open.enable(has_one and not self.saves[index].problem)
        self.delete.enable(has_one)
        self.claim.enable(has_one)  # where it does not apply it says why
        is_with_friend = has_one and not self.saves[index].is_local
        self.invite.enable(is_with_friend)
        self.paste.enable(is_with_friend)
        self.export.enable(is_with_friend and not self.saves[index].problem)

    def fill(self, box: Box) -> None:
        """The list, and what to do with the selected one."""
        px = self.px
        foot, rest = box.cut_bottom(px(46), px(14))
        row, rest = rest.cut_bottom(px(40), px(12))
        paste, row = row.cut_right(max(px(110), self.paste.natural_width()), px(10))
        self.paste.place(paste)
        self.invite.place(row)
        if self._carrier is not None:
            row, rest = rest.cut_bottom(px(40), px(12))
            for button in (self.bring, self.export):
                place, row = row.cut_right(max(px(110), button.natural_width()), px(10))
                button.place(place)
            self.place_name.place(row)
        self.list.place(rest)
        width = px(160)
        self.open.place(Box(foot.right - width, foot.y, width, foot.height))
        place, foot = foot.cut_left(px(130), px(10))
        self.delete.place(place)
        place, _ = foot.cut_left(self.claim.natural_width())
        self.claim.place(place)

    def _open_selected(self) -> None:
        if self.list.selected is not None:
            self._open(self.list.selected)

    def _open(self, index: int) -> None:
        if index < len(self.saves) and not self.saves[index].problem:
            invite = "" if self.saves[index].is_local else self.invite.value.strip()
            self._on_open(self.saves[index], invite)

    def _paste(self) -> None:
        self.invite.set_value("".join(self.window.read_clipboard().split()))
        self.stage.set_focus(self.open)

    def _export(self) -> None:
        save = self._selected()
        if self._carrier is not None and save is not None and self._work is None:
            self._work = self._carrier.export(save.path, self.place_name.value)

    def _bring(self) -> None:
        if self._carrier is not None and self._work is None:
            self._work = self._carrier.bring(self.place_name.value)

    def update(self, passed_ms: float) -> None:
        """Tells what came of an export, an import or a claim once it is done."""
        super().update(passed_ms)
        if self._work is not None and self._work.done():
            told, self._work = self._work.result(), None
            self._read()
            self.told = Dialog(self.stage, told.title, told.text, [Choice("Close")])

    def _ask_claim(self) -> None:
        save = self._selected()
        if save is None:
            return
        why = refusal(save)
        if why:
            self.told = Dialog(self.stage, NOT_KEPT, why, [Choice("Close")])
            return
        confirm(
            self.stage,
            "Keep this match as never finished?",
            question(save),
            "Keep",
            lambda: self._claim(save.path),
        )

    def _claim(self, path: Path) -> None:
        if self._claims is not None and self._work is None:
            self._work = self._claims.claim(path)

    def _ask_delete(self) -> None:
        save = self._selected()
        if save is None:
            return
        confirm(
            self.stage,
            "Delete this match?",
            f"{save.title}: the file {save.path.name} is removed and the match cannot be "
            "continued from this machine.",
            "Delete",
            lambda: self._delete(save.path),
        )

    def _delete(self, path: Path) -> None:
        try:
            path.unlink()
        except OSError as error:
            self.toasts.tell(f"Not deleted: {error.strerror}", theme.CORAL)
        self._read()
