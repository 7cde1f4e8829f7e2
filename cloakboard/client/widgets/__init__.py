"""Widgets for keyboard and mouse, drawn in batches; only what changed is rebuilt."""

from cloakboard.client.widgets.base import FocusMark, Host, Widget
from cloakboard.client.widgets.controls import Button, IconButton, Label, Look, Panel
from cloakboard.client.widgets.fields import TextField
from cloakboard.client.widgets.lists import List, Row, ScrollArea
from cloakboard.client.widgets.menus import MenuBar, MenuEntry
from cloakboard.client.widgets.overlays import Choice, Dialog, Toasts, confirm
from cloakboard.client.widgets.signals import Chip, StatusLine, Tone
from cloakboard.client.widgets.stage import OVERLAY_Z, Stage
from cloakboard.client.widgets.text import Text, line_height, shortened, text_width, wrapped

__all__ = [
    "OVERLAY_Z",
    "Button",
    "Chip",
    "Choice",
    "Dialog",
    "FocusMark",
    "Host",
    "IconButton",
    "Label",
    "List",
    "Look",
    "MenuBar",
    "MenuEntry",
    "Panel",
    "Row",
    "ScrollArea",
    "Stage",
    "StatusLine",
    "Text",
    "TextField",
    "Toasts",
    "Tone",
    "Widget",
    "confirm",
    "line_height",
    "shortened",
    "text_width",
    "wrapped",
]
