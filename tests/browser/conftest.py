"""Browser tests that fail are run once more: a busy machine can be too slow for one of them.

What was run again is listed at the end of the run. `-p no:rerunfailures` allows none.
"""

from pathlib import Path

import pytest

HERE = Path(__file__).parent


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.pluginmanager.hasplugin("rerunfailures"):
        for item in items:
            if HERE in item.path.parents:
                item.add_marker(pytest.mark.flaky(reruns=1))
