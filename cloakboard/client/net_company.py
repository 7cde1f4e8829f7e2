"""The others at a table over the net, as the window sees them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from cloakboard.client import session as seam
from cloakboard.client.company import Remark, Spoke, Ticked, Watchers
from cloakboard.client.network import Network
from cloakboard.client.session import Happening, Offered
from cloakboard.netplay.lockstep import effects as net
from cloakboard.netplay.lockstep.clock import TOLERANCE_MS, Thinking
from cloakboard.netplay.lockstep.match import Match
from cloakboard.netplay.lockstep.online import Online
from cloakboard.netplay.lockstep.talk import ANNOUNCED, PHRASES, STANDS_IN

TOO_FAST = "Wait a moment before you say more."
MUTED = "Nobody talks in this room."
ASKED = {
    "undo": "Your friend is asked to let you take your last action back.",
    "pause": "Your friend is asked for a pause.",
    "extend": "Your friend is asked for more time.",
    "save": "The match is saved at every action. Your friend is asked to save it under this "
    "name, too.",
}
DECLINED = {
    "draw": "{} would rather play on.",
    "undo": "{} would rather not take it back.",
    "pause": "{} would rather play on without a pause.",
    "extend": "{} would rather keep to the time.",
    "save": "{} would rather not save it under this name.",
}
AGREED = {
    "undo": "It is taken back. What was learned meanwhile is not forgotten.",
    "pause": "The match is paused.",
}


@dataclass(frozen=True, slots=True)
class Wishes:
    """What is asked for and how time stands, as the network's thread saw it. `asked`: seat, kind
    and value; `seen_at`: on the monotonic clock."""

    asked: tuple[tuple[int, str, int], ...]
    thinking: Thinking | None
    is_paused: bool
    undo_target: int | None
    seen_at: float

    @classmethod
    def of(cls, match: Match) -> Wishes:
        """The match now."""
        requests = match.core.requests
        asked = [(p.seat, p.kind, p.value) for p in match.pending]
        asked += [(seat, "draw", 0) for seat in requests.draws]
        return cls(
            tuple(asked),
            match.thinking,
            requests.is_paused,
            match.undo_target,
            time.monotonic(),
        )


class NetCompany:
    """See `company.Company`. `now` gives the latest wishes; `notice` shows a sentence; `changed`
    has the wishes looked at again."""

    def __init__(
        self,
        network: Network,
        online: Online,
        now: Callable[[], Wishes],
        notice: Callable[[str], None],
        changed: Callable[[], None],
    ) -> None:
        self._network = network
        self._online = online
        self._now = now
        self._notice = notice
        self._changed = changed
        self._seat = online.match.seat
        self._remarks: list[Remark] = []
        self._computers: frozenset[int] = frozenset()  # seats whose players they play for
        self._watchers: dict[int, Watchers] = {}  # by seat
        self._watch_invite = online.gallery.invite()  # asked for on the network's thread alone
        self.is_muted = online.match.talk.is_muted
        self.has_limit = online.match.core.clock.has_limit

    # -- on the network's thread ---------------------------------------------------------------

    def translate(self, told: object, names: Sequence[str]) -> Iterable[Happening]:
        """What happens by an effect that is no part of the game."""
        match told:
            case net.Resumed():
                self._watch_invite = self._online.gallery.invite()
                self._computers = frozenset()  # whose they still are, is told again
                yield seam.Noticed("You are connected again; the match goes on.")
            case net.Offered(seat=seat, kind=kind, value=value):
                if kind in ("draw", *ASKED) and not self._asks(kind):
                    yield Offered(seat, kind, value)
            case net.NameOffered(seat=seat, name=name):
                yield Offered(seat, "save", 0, name)
            case net.Declined(seat=seat, kind=kind) if kind in DECLINED:
                yield seam.Noticed(DECLINED[kind].format(names[seat]))
            case net.Consented(kind=kind, value=value):
                minutes = round(value / 60_000)
                yield seam.Noticed(AGREED.get(kind, f"{minutes} minutes more for this action."))
                if kind == "undo":
                    yield seam.Jumped()
            case net.Continued():
                yield seam.Noticed("The pause is over; the match goes on.")
            case net.Named(name=name):
                yield seam.Noticed(f"Saved as {name}.")
            case net.Heard(seat=seat, phrase=phrase, text=text):
                if phrase in ANNOUNCED:
                    here = {seat} if phrase == STANDS_IN else set()
                    self._computers = self._computers - {seat} | here
                yield Spoke(Remark(seat, PHRASES.get(phrase, text), bool(phrase)))
            case net.Watched(seat=seat, count=count, names=watching):
                self._watchers = self._watchers | {seat: Watchers(count, watching)}
                yield Ticked()
            case net.Doubted(seat=seat, stated_ms=stated, measured_ms=measured):
                yield seam.Noticed(
                    f"{names[seat]} states {stated // 1000} s for this action; here it took "
                    f"{measured // 1000} s. The match goes on."
                )
            case net.OverTime(seat=seat):
                yield seam.Noticed(
                    f"The time of {names[seat]} is over by this clock, and their machine does not "
                    "say so. You may wait, or leave: the match is saved."
                )

    def _asks(self, kind: str) -> bool:
        """Whether this seat has asked for the same, so that another's wish is an answer."""
        return any((seat, asked) == (self._seat, kind) for seat, asked, _ in self._wishes())

    def _wishes(self) -> tuple[tuple[int, str, int], ...]:
        return Wishes.of(self._online.match).asked

    # -- on the window's thread ----------------------------------------------------------------

    def heard(self, remark: Remark) -> None:
        """Something was said."""
        self._remarks.append(remark)

    def remarks(self) -> Sequence[Remark]:
        """What was said."""
        return self._remarks

    def say(self, text: str) -> None:
        """Says what was typed."""
        self._network.run(self._say("", text))

    def say_phrase(self, phrase: str) -> None:
        """Says a quick phrase."""
        self._network.run(self._say(phrase, ""))

    async def _say(self, phrase: str, text: str) -> None:
        if not await self._online.say(phrase, text) and (phrase or text.strip()):
            self._notice(MUTED if self.is_muted else TOO_FAST)

    def ask(self, kind: str, value: int = 0) -> None:
        """Asks the others."""
        if kind in ASKED:
            self._notice(ASKED[kind])
        self._network.run(self._request(kind, value))

    async def _request(self, kind: str, value: int) -> None:
        await self._online.request(kind, value)
        self._changed()

    def agree(self, offer: Offered) -> None:
        """Agrees to what another asks for."""
        if offer.what == "save":
            self._network.run(self._online.agree_on_name(offer.seat, offer.text))
        else:
            self._network.run(self._online.request(offer.what, offer.value))

    def decline(self, offer: Offered) -> None:
        """Declines it."""
        self._network.run(self._online.decline(offer.what))

    def stands(self, offer: Offered) -> bool:
        """Whether another still asks for it."""
        return offer.what == "save" or (offer.seat, offer.what, offer.value) in self._now().asked

    def watch_invite(self) -> str:
        """A line that lets its holder watch."""
        return self._watch_invite

    def watchers(self, seat: int) -> Watchers | None:
        """Who watches at a seat's machine."""
        return self._watchers.get(seat, Watchers()) if self._watch_invite else None

    def has_computer(self, seat: int) -> bool:
        """Whether the computer plays there for the player."""
        return seat in self._computers

    @property
    def is_paused(self) -> bool:
        """Whether all agreed to a pause that nobody has ended."""
        return self._now().is_paused

    def left_ms(self, seat: int) -> int | None:
        """What a seat has left for its action."""
        now = self._now()
        if now.thinking is None or now.thinking.seat != seat or not now.thinking.limit_ms:
            return None
        since = round((time.monotonic() - now.seen_at) * 1000)
        return now.thinking.limit_ms - now.thinking.used_ms - since

    def is_overdue(self, seat: int) -> bool:
        """Whether a seat's time is over by this clock, grace and tolerance included."""
        left, thinking = self.left_ms(seat), self._now().thinking
        return (
            left is not None and thinking is not None and left < -thinking.grace_ms - TOLERANCE_MS
        )
