"""The start position: the standard one (TD-10..12), or any other as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from cloakboard.engine.trid.moves import legal
from cloakboard.engine.trid.notation.positions import read_position
from cloakboard.engine.trid.options import complete
from cloakboard.engine.trid.pieces import START
from cloakboard.engine.trid.position import position
from cloakboard.engine.trid.rules import judged
from cloakboard.engine.trid.state import State, key


def start(options: Mapping[str, Any], setup: str = "", seed: bytes = b"") -> State:
    """The start position under `options` (changes from the standard). `setup`: a position
    string (RULES 10.3), or empty for the standard one. Raises `BadOption`, `BadSetup`."""
    state = read_position(setup or START, complete(options))
    state = replace(state, seen=(key(state),))
    return replace(state, ended=judged(state, legal(position(state))))
