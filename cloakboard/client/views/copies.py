"""Carrying records and achievements to another machine, and back."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cloakboard.achievements.errors import KeepingError
from cloakboard.client import theme
from cloakboard.client.canvas import Box
from cloakboard.client.carrier import typed_path
from cloakboard.client.views.page import Page
from cloakboard.client.widgets import Button, Label, Look, TextField
from cloakboard.client.words import count
from cloakboard.keeping.copies import SUFFIX, read_copy, write_copy

if TYPE_CHECKING:
    from cloakboard.client.window import CloakWindow
    from cloakboard.keeping.keeper import Keeper
    from cloakboard.netplay.identity import Identity

ABOUT: Final = (
    "A copy holds your match records, what you have earned, and how far you have come. Taken in "
    "by you it is joined with what is there; nothing is lost on either side. A friend who takes it "
    "in gets only the records that all players of a match have signed. Your key is not in it."
)


def fresh_path(folder: Path, day: str) -> Path:
    """A name in the folder that no file has yet."""
    path, number = folder / f"cloakboard-{day}{SUFFIX}", 1
    while path.exists():
        number += 1
        path = folder / f"cloakboard-{day}-{number}{SUFFIX}"
    return path


class CopiesScreen(Page):
    """Export to a folder, import from a file named by its path."""

    width = 760
    height = 420

    def __init__(
        self, window: CloakWindow, keeper: Keeper, identity: Identity, folder: Path
    ) -> None:
        super().__init__(window, "Export and import")
        self._keeper = keeper
        self._identity = identity
        self._folder = folder
        self.about = Label(self.stage, ABOUT, theme.BODY, wrap=True)
        self.export = Button(self.stage, "Export", self._export, icon="ui.save", look=Look.PRIMARY)
        self.path = TextField(
            self.stage, "Path of a copy to take in", limit=1000, on_submit=lambda _: self._bring()
        )
        self.bring = Button(self.stage, "Import", self._bring, icon="ui.load")
        self.said = Label(self.stage, "", theme.SOFT, wrap=True)
        self.stage.set_focus(self.export)

    def fill(self, box: Box) -> None:
        """What it is, export, import, what came of it."""
        px = self.px
        about, rest = box.cut_top(self.about.natural_height(box.width), px(18))
        self.about.place(about)
        row, rest = rest.cut_top(px(46), px(18))
        self.export.place(row.cut_left(px(160))[0])
        row, rest = rest.cut_top(px(46), px(14))
        button, field = row.cut_right(px(160), px(10))
        self.path.place(field)
        self.bring.place(button)
        self.said.place(rest)

    def _export(self) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            path = fresh_path(self._folder, time.strftime("%Y-%m-%d"))
            number = write_copy(self._keeper, self._identity, path)
        except OSError as error:
            self.said.say(f"Not exported: {error.strerror or error}")
            return
        self.said.say(f"Exported {count(number, 'record')} to {path}")
        self.path.set_value(str(path))

    def _bring(self) -> None:
        path = typed_path(self.path.value)
        if path is None:
            self.said.say("Type or paste the path of a copy first.")
            return
        try:
            merged = read_copy(self._keeper, path)
        except KeepingError as error:
            self.said.say(str(error))
            return
        said = f"Imported {count(merged.fresh, 'new record')}."
        if merged.refused:
            said += f" {len(merged.refused)} refused; the first: {merged.refused[0]}."
        self.said.say(said)
