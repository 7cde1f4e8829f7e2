"""What every test starts from: no chance in CI, no folder of the player who runs them."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

# A machine that does other work too is slow at times: no deadline. In CI a failure must be the
# change's own, so the examples are the same each time.
settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, database=None, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


@pytest.fixture(scope="session", autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Identities, saves and settings of tests, and of programs they start, go to a folder apart."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
            patch.setenv(variable, str(home / variable.lower()))
        yield
