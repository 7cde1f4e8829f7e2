"""Settings of a room: what entry 0 holds of them."""

from __future__ import annotations

import msgspec
import pytest

from cloakboard.engine.errors import BadOption
from cloakboard.netplay.lockstep.judge import check_opening
from cloakboard.netplay.room_settings import ROOM, settings, settings_of
from cloakboard.netplay.transcript import Entry, Opening, encode, sign_joint
from cloakboard.netplay.veil.opening import joint_entry, opening_header
from tests.netplay.rig import identity, opening_entry
from tests.tiny import game

LINE = game(3)


def test_entry_0_holds_all_settings_in_order_of_their_names() -> None:
    entry, _ = opening_entry(LINE, room={"scored": False, "move_seconds": 30})
    opening, _ = check_opening(entry, LINE)
    assert [name for name, _ in opening.room] == sorted(o.name for o in ROOM.options)
    agreed = settings_of(opening)
    assert (agreed["scored"], agreed["move_seconds"]) == (False, 30)
    assert agreed == ROOM.defaults() | {"scored": False, "move_seconds": 30}


@pytest.mark.parametrize(
    ("name", "value"),
    [("scored", 1), ("move_seconds", -1), ("max_disconnect_rate", 101), ("unheard_of", True)],
)
def test_what_is_no_setting_is_refused_though_all_have_signed_it(name: str, value: object) -> None:
    with pytest.raises(BadOption):
        settings({name: value})
    _, opening = opening_entry(LINE)
    forged = msgspec.structs.replace(opening, room=((name, value),))
    with pytest.raises(BadOption):
        check_opening(_signed(forged), LINE)


def _signed(opening: Opening) -> Entry:
    signatures = [sign_joint(identity(seat), opening_header(opening)) for seat in range(LINE.seats)]
    return joint_entry(opening, tuple(signatures))


def test_a_setting_that_an_older_version_did_not_have_is_at_its_standard() -> None:
    _, opening = opening_entry(LINE)
    older = msgspec.structs.replace(opening, room=(("scored", False),))
    assert settings_of(older) == ROOM.defaults() | {"scored": False}
    assert encode(older) != encode(opening)
