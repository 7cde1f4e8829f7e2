"""What can go wrong with what a player keeps, each with a way out for the player."""

from enum import StrEnum


class KeepingError(Exception):
    """The root of all of these."""


class FalseRecord(KeepingError):
    """A record that its players did not sign, or that is none; the text says which."""


class Contradiction(KeepingError):
    """A record of a match that is kept already, with other players or another game."""


class Unreadable(KeepingError):
    """A file that holds no records, or an older or newer form of them."""


class Unwritable(KeepingError):
    """The disk does not take what is to be kept; nothing was changed."""


class Obstacle(StrEnum):
    """Why a match is not kept as one that never ended."""

    OTHERS = "others"  # others play it
    ENDED = "ended"
    CLAIMED = "claimed"  # it is kept so already
    FORGOTTEN = "forgotten"  # its player deleted the record


class Unclaimable(KeepingError):
    """A match that is not kept as one that never ended."""

    def __init__(self, text: str, obstacle: Obstacle) -> None:
        super().__init__(text)
        self.obstacle = obstacle
