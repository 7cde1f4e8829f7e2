"""A page of plain text to read: the status of a match in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloakboard.client import theme
from cloakboard.client.canvas import Box
from cloakboard.client.views.page import Page
from cloakboard.client.widgets import Button, Label, ScrollArea

if TYPE_CHECKING:
    from cloakboard.client.window import CloakWindow


class TextPage(Page):
    """The text, to scroll through and to copy."""

    width = 860
    height = 640

    def __init__(self, window: CloakWindow, title: str, text: str) -> None:
        super().__init__(window, title)
        self.text = text
        self.copy = Button(self.stage, "Copy", self._copy, icon="ui.files", style=theme.SMALL)
        self.scroll = ScrollArea(self.stage)
        style = theme.BODY
        self.parts = [
            Label(self.stage, part, style, wrap=True, layer=self.scroll.content)
            for part in text.split("\n\n")
        ]

    def fill(self, box: Box) -> None:
        """The paragraphs one below the other."""
        px = self.px
        foot, rest = box.cut_bottom(px(36), px(10))
        width = self.copy.natural_width()
        self.copy.place(Box(foot.right - width, foot.y, width, foot.height))
        self.scroll.place(rest)
        inner = self.scroll.content_box
        top = inner.top
        for part in self.parts:
            height = part.natural_height(inner.width)
            part.place(Box(inner.x, top - height, inner.width, height))
            top -= height + px(14)
        self.scroll.set_content_height(inner.top - top)

    def _copy(self) -> None:
        self.window.write_clipboard(self.text)
        self.toasts.tell("The text is in the clipboard.")
