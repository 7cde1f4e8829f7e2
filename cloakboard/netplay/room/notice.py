"""What a room shows of itself to strangers, kept current where it is announced."""

from __future__ import annotations

from collections.abc import Sequence

from cloakboard.engine.game import Game
from cloakboard.netplay.finding.advert import Advert, Announcer, make_advert
from cloakboard.netplay.invite import Invite
from cloakboard.netplay.room.room_state import Phase, Room
from cloakboard.netplay.room_settings import ROOM


class Notice:
    """One room's advert. `invite` has no ticket, so that strangers pass by the door."""

    def __init__(self, invite: Invite, host: str, announcers: Sequence[Announcer]) -> None:
        self._invite = invite
        self._host = host
        self._announcers = announcers
        self._shown: Advert | None = None

    def show(self, room: Room | None) -> None:
        """Shows the room as it is now, if that is news; one that is over is shown no longer."""
        if room is None or room.phase in (Phase.AGREED, Phase.CLOSED):
            self.withdraw()
            return
        advert = advert_of(room, self._invite, self._host)
        if advert != self._shown:
            self._shown = advert
            for announcer in self._announcers:
                announcer.publish(advert)

    def withdraw(self) -> None:
        """Shows the room no longer."""
        if self._shown is not None:
            self._shown = None
            for announcer in self._announcers:
                announcer.withdraw()


def advert_of(room: Room, invite: Invite, host: str) -> Advert:
    """The advert of a room: what differs from the standard, the room's settings first."""
    usual, standard = ROOM.defaults(), room.game.options.defaults()
    settings = {n: v for n, v in room.settings.items() if v != usual[n] and n != "password"}
    settings |= {n: v for n, v in room.options.items() if v != standard[n]}
    return make_advert(
        invite,
        game=room.game.id,
        rules_version=room.game.rules_version,
        host=host,
        seats=room.game.seats,
        free=room.free,
        title=room.title,
        settings=settings,
        needs_password=bool(room.settings["password"]),
    )


def setting_of(advert: Advert, name: str, game: Game | None) -> bool | int | str | None:
    """The value of a setting of the room, or of an option of its game: what the advert tells, else
    the standard; None for a name that neither has. `game`: None for one that is not known here."""
    standard = ROOM.defaults() | (game.options.defaults() if game is not None else {})
    told = advert.setting(name)
    return told if told is not None else standard.get(name)
