"""What is wrong with an entry, in words that stand in a finding."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import MappingProxyType
from typing import Final

from cloakboard.engine.errors import EngineError
from cloakboard.netplay.errors import Malformed, NetplayError
from cloakboard.netplay.plain import printable
from cloakboard.netplay.transcript import Answer, Ask, Link, Part, Rows, Trace

FINDING_LENGTH: Final = 500  # characters of a finding that are kept
NO_SENSE: Final = "sense"  # `what` of a `Malformed`: the rules stumbled, maybe over the past

PART_NAMES: Final = MappingProxyType(
    {
        Answer: "an answer that its own pieces contradict",
        Ask: "a lookup that asks what its pieces do not see",
        Rows: "a reply to a lookup that its own pieces contradict",
        Link: "a link that is not the next of its chain",
        Trace: "a veiled action whose shown effects are not those of the rules",
    }
)


def words_of(error: Exception) -> str:
    """What an error says, fit to be shown: what a stranger wrote may stand in it."""
    return printable(str(error))[:FINDING_LENGTH]


def difference(expected: Part) -> str:
    """What a part is that should have been `expected`."""
    return PART_NAMES[type(expected)]


@contextmanager
def within_the_rules() -> Iterator[None]:
    """What a stranger says can be well-formed and yet mean nothing: a token of no cell, a text
    where a number belongs. Whatever the rules then raise must end the match, not the program."""
    try:
        yield
    except (NetplayError, EngineError):
        raise
    except Exception as error:
        raise Malformed(
            "the rules cannot go on from what another machine said", what=NO_SENSE
        ) from error
