"""What Cloakboard is, and whose work it shows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cloakboard import assets
from cloakboard.client import theme
from cloakboard.client.canvas import Box
from cloakboard.client.views.page import Page
from cloakboard.client.widgets import Label, ScrollArea

if TYPE_CHECKING:
    from cloakboard.client.window import CloakWindow

CREDITS: Final = Path(assets.__file__).parent / "CREDITS.md"
ABOUT: Final = (
    "Cloakboard is free software under the MIT licence. What you may not know never reaches your "
    "machine; after a match both sides open their secrets and each machine checks the other."
)

_LINK: Final = re.compile(r"\[([^]]*)\]\(([^)]*)\)")


def plain(markdown: str) -> str:
    """The credits as plain lines: without marks of headings, tables and emphasis."""
    lines: list[str] = []
    for line in markdown.splitlines():
        if set(line) <= set("|-: "):
            if lines and lines[-1]:
                lines.append("")
            continue
        text = _LINK.sub(r"\1 (\2)", line).strip().lstrip("#").strip().strip("|").strip()
        lines.append(text.replace(" | ", " · ").replace("`", "").replace("*", ""))
    return "\n".join(lines).strip()


class AboutScreen(Page):
    """The text and the credits, to scroll through."""

    width = 860
    height = 640

    def __init__(self, window: CloakWindow) -> None:
        super().__init__(window, "About and credits")
        self.about = Label(self.stage, ABOUT, theme.BODY, wrap=True)
        self.scroll = ScrollArea(self.stage)
        self.credits = Label(
            self.stage,
            plain(CREDITS.read_text("utf-8")),
            theme.SMALL,
            wrap=True,
            layer=self.scroll.content,
        )

    def fill(self, box: Box) -> None:
        """The text above, the credits below."""
        px = self.px
        height = self.about.natural_height(box.width)
        about, rest = box.cut_top(height, px(14))
        self.about.place(about)
        self.scroll.place(rest)
        inner = self.scroll.content_box
        height = self.credits.natural_height(inner.width)
        self.credits.place(Box(inner.x, inner.top - height, inner.width, height))
        self.scroll.set_content_height(height)
