"""Failed browser tests are run once more: a busy machine can be too slow for them.

The second run starts a new house and browser, because the first may have opened accounts and dealt
cards. Reruns are listed at the end. `-p no:rerunfailures` turns them off.
"""

from pathlib import Path

import pytest

HERE = Path(__file__).parent


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.pluginmanager.hasplugin("rerunfailures"):
        for item in items:
            if HERE in item.path.parents:
                item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Function) -> None:
    if getattr(item, "execution_count", 1) > 1:
        for fixtures in item._fixtureinfo.name2fixturedefs.values():
            if fixtures[-1].scope == "module":
                fixtures[-1].finish(item._request)
