"""What a player can set; every change is kept at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from cloakboard.client import theme
from cloakboard.client.canvas import Box
from cloakboard.client.motion import Amount
from cloakboard.client.texts import LANGUAGES
from cloakboard.client.views.page import Page
from cloakboard.client.widgets import Button, Label, TextField

if TYPE_CHECKING:
    from cloakboard.client.kept import KeptSettings
    from cloakboard.client.window import CloakWindow

SCALES: Final = (75, 85, 100, 115, 130, 150, 175, 200)
VOLUMES: Final = (0, 10, 25, 40, 55, 70, 85, 100)


def stepped_to(values: tuple[int, ...], now: int, step: int) -> int:
    """The value `step` places from the nearest to `now`, held at both ends."""
    nearest = min(range(len(values)), key=lambda place: abs(values[place] - now))
    return values[min(max(nearest + step, 0), len(values) - 1)]


class SettingsScreen(Page):
    """Name, sizes, motion, sound, pieces."""

    width = 720
    height = 680

    def __init__(
        self,
        window: CloakWindow,
        kept: KeptSettings,
        player: str,
        on_colours: Callable[[], None] = lambda: None,
        on_language: Callable[[str], None] = lambda language: None,
        on_links: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(window, "Settings")
        self.kept = kept
        now = kept.file.now
        self.name = TextField(
            self.stage, player, value=now.name, limit=40, on_change=self._set_name
        )
        self.rows: list[tuple[Label, tuple[Button, ...] | TextField]] = [
            (Label(self.stage, "Your name"), self.name),
            (Label(self.stage, "Size of everything"), self._stepper(self._set_scale)),
            (
                Label(self.stage, "Motion"),
                self._choices([amount.value for amount in Amount], self._set_motion),
            ),
            (Label(self.stage, "Volume"), self._stepper(self._set_volume)),
            (Label(self.stage, "Sound"), self._choices(["on", "off"], self._set_sound)),
            (
                Label(self.stage, "Pieces"),
                self._choices(["detailed", "simple"], self._set_pieces),
            ),
            (
                Label(self.stage, "Patterns besides colours"),
                self._choices(["off", "on"], self._set_patterns),
            ),
            (Label(self.stage, "Full screen (F11)"), self._choices(["off", "on"], self._set_full)),
            (
                Label(self.stage, "A match starts with rules"),
                self._choices(["mine", "standard"], self._set_rules),
            ),
            (Label(self.stage, "Language"), self._languages(on_language)),
            (Label(self.stage, "Colours"), (Button(self.stage, "Choose colours", on_colours),)),
            (
                Label(self.stage, "Links of invites"),
                (Button(self.stage, "Open them with Cloakboard", on_links),),
            ),
        ]
        self.note = Label(self.stage, kept.file.notice or "", theme.SMALL, wrap=True)
        self._tell()

    def _choices(self, texts: list[str], act: Callable[[str], None]) -> tuple[Button, ...]:
        def button(text: str) -> Button:
            return Button(self.stage, text.capitalize(), lambda: self._do(act, text))

        return tuple(button(text) for text in texts)

    def _languages(self, act: Callable[[str], None]) -> tuple[Button, ...]:
        """Each language in its own words."""

        def button(language: str, name: str) -> Button:
            made = Button(self.stage, name, lambda: act(language), style=theme.SMALL)
            made.switch(self.kept.language == language)
            return made

        return tuple(button(language, name) for language, name in LANGUAGES.items())

    def _stepper(self, act: Callable[[int], None]) -> tuple[Button, ...]:
        def step(by: int) -> None:
            act(by)
            self._tell()

        return (
            Button(self.stage, "-", lambda: step(-1)),
            Button(self.stage, "", lambda: None),
            Button(self.stage, "+", lambda: step(+1)),
        )

    def _do(self, act: Callable[[str], None], text: str) -> None:
        act(text)
        self._tell()

    def fill(self, box: Box) -> None:
        """A row for each setting."""
        px = self.px
        note, rest = box.cut_bottom(px(36), px(4))
        self.note.place(note)
        height = min(px(44), (rest.height - px(6) * len(self.rows)) / len(self.rows))
        for label, control in self.rows:
            row, rest = rest.cut_top(height, px(6))
            named, room = row.cut_left(px(230), px(10))
            label.place(named)
            if isinstance(control, TextField):
                control.place(room)
                continue
            for button, place in zip(control, room.columns(len(control), px(8)), strict=True):
                button.place(place)

    def _tell(self) -> None:
        now = self.kept.file.now
        values = {
            "Motion": now.motion,
            "Sound": "off" if now.sound_muted else "on",
            "Pieces": now.piece_set,
            "Patterns besides colours": "on" if now.colour_blind else "off",
            "Full screen (F11)": "on" if self.window.fullscreen else "off",
            "Size of everything": f"{now.ui_scale} %",
            "Volume": f"{now.sound_volume} %",
            "A match starts with rules": now.start_with,
        }
        for label, control in self.rows:
            value = values.get(label.label)
            if value is None or isinstance(control, TextField):
                continue
            if not control[1].label or control[0].label == "-":
                control[1].say(value)
                continue
            for button in control:
                button.switch(button.label.lower() == value)

    def _set_name(self, name: str) -> None:
        self.kept.file.change(name=name.strip())

    def _set_scale(self, step: int) -> None:
        self.window.set_user_scale(stepped_to(SCALES, self.kept.file.now.ui_scale, step) / 100)

    def _set_volume(self, step: int) -> None:
        self.kept.volume = stepped_to(VOLUMES, self.kept.file.now.sound_volume, step) / 100
        self.window.sounds.volume = self.kept.volume
        self.window.sounds.play("select")

    def _set_motion(self, amount: str) -> None:
        self.window.set_motion(Amount(amount))

    def _set_sound(self, text: str) -> None:
        self.kept.is_muted = text == "off"
        self.window.sounds.is_muted = self.kept.is_muted

    def _set_pieces(self, text: str) -> None:
        self.kept.file.change(piece_set=text)

    def _set_patterns(self, text: str) -> None:
        self.kept.file.change(colour_blind=text == "on")

    def _set_rules(self, text: str) -> None:
        self.kept.file.change(start_with=text)

    def _set_full(self, text: str) -> None:
        if (text == "on") != self.window.fullscreen:
            self.window.toggle_fullscreen()
