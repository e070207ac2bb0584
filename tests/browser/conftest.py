"""Browser tests that fail are run once more: a busy machine can be too slow for one of them.

A second run has a house and a browser of its own: in the first, accounts may have been opened and
cards dealt. What was run again is listed at the end of the run. `-p no:rerunfailures` allows none.
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
