"""Row and column by keyboard."""

from __future__ import annotations

import pytest

from cloakboard.client.typed import square_typed, typed
from cloakboard.engine.wec.state import square_at


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("4,7", square_at(4, 7)),
        ("10,10", square_at(10, 10)),
        ("1.10", square_at(1, 10)),
        ("74,7", square_at(4, 7)),  # 74 is no row: the 4 begins anew
        ("4", None),
        ("4,", None),
        (",7", None),
        ("4,0", None),
        ("12,3", square_at(2, 3)),
    ],
)
def test_a_square_is_named_by_row_and_column(keys: str, expected: int | None) -> None:
    text = ""
    for key in keys:
        text = typed(text, key)
    assert square_typed(text) == expected
