"""Setting up a match on this machine: players, sides, rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cloakboard.client import theme
from cloakboard.client.canvas import Box
from cloakboard.client.texts import shown
from cloakboard.client.views.page import GameChoice, Offer, Page
from cloakboard.client.views.rules_picker import RuleSources, RulesPicker
from cloakboard.client.widgets import Button, Label, Look, TextField

if TYPE_CHECKING:
    from cloakboard.client.window import CloakWindow
    from cloakboard.engine.game import Game


@dataclass(frozen=True, slots=True)
class LocalMatch:
    """What was chosen: names by seat, the seats that the computer plays, changed options, and
    the start position, empty for the standard one."""

    names: tuple[str, ...]
    computers: tuple[int, ...]
    options: dict[str, Any]
    setup: str = ""


class LocalScreen(Page):
    """`computer`: against the computer, else two players at this machine."""

    def __init__(
        self,
        window: CloakWindow,
        game: Game,
        name: str,
        computer: bool,
        on_begin: Callable[[LocalMatch], None],
        sources: RuleSources | None = None,
        offer: Offer | None = None,
    ) -> None:
        super().__init__(
            window, "Play against the computer" if computer else "Two players at this machine"
        )
        self.computer = computer
        self.on_begin = on_begin
        self.side = 0
        self._sides = game.seat_names()
        self.games = GameChoice(self.stage, game, offer or Offer())
        self.fields = [
            TextField(self.stage, "Your name", value=name, limit=24),
            TextField(
                self.stage,
                "Second player",
                value=shown("Computer" if computer else "Guest"),
                limit=24,
            ),
        ]
        self.fields[1].enable(not computer)
        self.labels = [Label(self.stage, "", theme.SMALL) for _ in self.fields]
        self.swap = Button(self.stage, "Change sides", self._swap, icon="ui.exchange")
        self.rules = RulesPicker(self.stage, game, sources, self.toasts.tell)
        self.begin = Button(
            self.stage, "Begin", self._begin, icon="ui.play", look=Look.PRIMARY, key_name="Enter"
        )
        self.stage.uncovered = tuple(self.fields)
        self._tell_sides()
        self.stage.set_focus(self.begin)

    def _swap(self) -> None:
        self.side = 1 - self.side
        self._tell_sides()

    def _tell_sides(self) -> None:
        for order, label in enumerate(self.labels):
            side = self.side if order == 0 else 1 - self.side
            label.say(f"{self._sides[side]}{', moves first' if side == 0 else ''}")

    def fill(self, box: Box) -> None:
        """Game, names and sides above, the rules below them, Begin at the foot."""
        px = self.px
        box = self.games.place(box, px(38), px(10))
        players, rest = box.cut_top(px(70), px(14))
        swap, players = players.cut_right(self.swap.natural_width(), px(14))
        self.swap.place(Box(swap.x, players.y, swap.width, px(40)))
        for room, label, text_field in zip(
            players.columns(2, px(14)), self.labels, self.fields, strict=True
        ):
            above, below = room.cut_top(px(24), px(4))
            label.place(above)
            text_field.place(Box(below.x, players.y, below.width, px(40)))
        foot, rest = rest.cut_bottom(px(46), px(14))
        width = max(px(200), self.begin.natural_width())
        self.begin.place(Box(foot.right - width, foot.y, width, foot.height))
        self.rules.place(rest, px)

    def _begin(self) -> None:
        own, other = (field.value.strip() or "Player" for field in self.fields)
        names = (own, other) if self.side == 0 else (other, own)
        computers = (1 - self.side,) if self.computer else ()
        self.on_begin(LocalMatch(names, computers, self.rules.changes, self.rules.start.setup))
