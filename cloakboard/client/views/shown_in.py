"""Where one's open room is shown, and who of the local network wants to come in: a row of
switches and a question, for the screens of a room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloakboard.client import theme
from cloakboard.client.canvas import Box
from cloakboard.client.texts import sentence
from cloakboard.client.views.rooms import place_name
from cloakboard.client.widgets import Button, Label, Look
from cloakboard.client.widgets.overlays import Choice, Dialog
from cloakboard.netplay.finding.places import LAN, Spot

if TYPE_CHECKING:
    from cloakboard.client.street import Street
    from cloakboard.client.widgets import Stage


class ShownIn:
    """`place` it, and `update` it every frame."""

    def __init__(self, stage: Stage, street: Street) -> None:
        self._stage = stage
        self._street = street
        self._asked: set[bytes] = set()
        self._dialog: Dialog | None = None
        self.label = Label(stage, "Show this room on", theme.SMALL)
        self._spots = street.spots()
        self.label.show(bool(self._spots))
        self.buttons = [self._button(spot) for spot in self._spots]
        self._tell()

    def _button(self, spot: Spot) -> Button:
        return Button(
            self._stage,
            place_name(spot.place),
            lambda: self._toggle(spot.place),
            icon="ui.lan" if spot.place == LAN else "ui.world",
            style=theme.SMALL,
        )

    @property
    def problem(self) -> str:
        """One sentence: why somewhere nobody sees the room. Empty while all is well."""
        return next((sentence(spot.problem) for spot in self._spots if spot.problem), "")

    def place(self, box: Box, gap: float) -> None:
        """The label, then the switches, as far as there is room."""
        place, rest = box.cut_left(self.label.natural_width(), gap)
        self.label.place(place)
        for button in self.buttons:
            width = button.natural_width()
            button.show(width <= rest.width)
            place, rest = rest.cut_left(min(width, rest.width), gap)
            button.place(place)

    def show(self, is_visible: bool) -> None:
        """Hides all of it, or shows it again."""
        for widget in (self.label, *self.buttons):
            widget.show(is_visible and bool(self.buttons))

    def update(self) -> None:
        """Shows how things stand, and asks about whoever waits at the door."""
        spots = self._street.spots()
        if spots != self._spots and len(spots) == len(self.buttons):
            self._spots = spots
            self._tell()
        knocking = self._street.knocking()
        waiting = {one.key for one in knocking}
        self._asked &= waiting
        if self._dialog is not None and not waiting:
            self._dialog.dismiss()
        if self._dialog is not None and not self._dialog.is_open:
            self._dialog = None
        fresh = [one for one in knocking if one.key not in self._asked]
        if fresh and self._dialog is None:
            one = fresh[0]
            self._asked.add(one.key)
            self._dialog = Dialog(
                self._stage,
                f"Let {one.name} in?",
                f"A device that has not been here before wants to join from the local network. "
                f"Its words are: {one.words}. Once let in, it can come again.",
                [
                    Choice("Let in", lambda: self._street.answer(one.key, True), Look.PRIMARY),
                    Choice("Not now", lambda: self._street.answer(one.key, False)),
                ],
                unasked=True,
            )

    def _toggle(self, place: str) -> None:
        is_on = any(spot.is_on for spot in self._spots if spot.place == place)
        self._street.switch(place, not is_on)

    def _tell(self) -> None:
        for spot, button in zip(self._spots, self.buttons, strict=True):
            button.switch(spot.is_on)
            button.hint = sentence(spot.problem) if spot.problem else ""
