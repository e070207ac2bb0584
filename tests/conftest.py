"""Fixtures shared by several packages."""

import logging
import os
import subprocess

import pytest
from hypothesis import settings

from baccarat.house.people import passwords
from baccarat.web.server.logs import JsonLines
from support.browser import chromium
from support.passwords import CHEAP
from support.samples import amount
from support.stores import postgresql

# Machines are noisy: the time an example takes means nothing.
settings.register_profile("sample", deadline=None, max_examples=amount("PROPERTIES"))
settings.load_profile("sample")


@pytest.hookimpl(trylast=True)  # after Hypothesis has marked its tests
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run properties untraced: they take half as long, and other tests reach the same code."""
    for item in items:
        if item.get_closest_marker("hypothesis"):
            item.add_marker("no_cover")


@pytest.fixture(autouse=True)
def _logs_end_with_their_test():
    """Reset logging: a server started in a test logs to a stream that pytest closes afterwards."""
    yield
    root = logging.getLogger()
    root.handlers[:] = [
        handler for handler in root.handlers if not isinstance(handler.formatter, JsonLines)
    ]


@pytest.fixture(scope="session", autouse=True)
def _cheap_passwords():
    """Hash passwords cheaply; the real cost has its own test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_HASHER", CHEAP)
        yield


@pytest.fixture(scope="session")
def server():
    """Return the address of a PostgreSQL server, in which tests create their databases."""
    with postgresql() as address:
        yield address


@pytest.fixture(scope="module")
def browser():
    """Start Chromium for one module: while Playwright runs, its event loop occupies the thread, and
    other tests have their own loops."""
    with chromium() as running:
        yield running


@pytest.fixture
def full_disk(tmp_path):
    """Mount a full disk and return a folder on it; only root can do that."""
    folder = tmp_path / "full-disk"
    folder.mkdir()
    if os.geteuid() != 0:
        pytest.skip("mounting a small disk needs root")
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no disk can be mounted here")
    try:
        with (folder / "filling").open("wb", buffering=0) as file:
            try:
                while file.write(bytes(4096)):
                    pass
            except OSError:
                pass
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)
