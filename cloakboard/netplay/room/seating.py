"""Who sits where: the members' wishes, and where two clash the coin that all tossed (VEIL 7)."""

from __future__ import annotations

from collections.abc import Mapping

from cloakboard.netplay.veil.secrets import tagged


def toss(room: bytes, terms: bytes, shares: Mapping[bytes, bytes]) -> bytes:
    """The coin, 32 bytes: a function of every member's share (by key), of what was agreed and of
    the room. It is the table's nonce too."""
    parts = [part for key in sorted(shares) for part in (key, shares[key])]
    return tagged("cloak/toss/1", room, terms, *parts)


def seat_members(coin: bytes, wishes: Mapping[bytes, int], seats: int) -> dict[bytes, int]:
    """The seat of each member. `wishes`: by key, anything that is no seat means any.

    A seat that one member wishes is theirs. Of several the coin picks one; the others, and who
    has no wish, take what is left, in the coin's order.
    """
    lots = sorted(wishes, key=lambda key: tagged("cloak/lot/1", coin, key))
    taken: dict[int, bytes] = {}
    for key in lots:
        if wishes[key] in range(seats):
            taken.setdefault(wishes[key], key)
    left = iter(seat for seat in range(seats) if seat not in taken)
    seated = {key: seat for seat, key in taken.items()}
    for key in lots:
        if key not in seated:
            seated[key] = next(left)
    return seated
