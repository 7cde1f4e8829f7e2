"""One audit a match: here the peers' own are not what is tested."""

from __future__ import annotations

import pytest

from tests.netplay.rig import Rig


@pytest.fixture(autouse=True)
def audited_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machines of a match share their audit of it."""
    monkeypatch.setattr(Rig, "shares_audit", True)
