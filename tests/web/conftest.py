"""The site without an office, for all tests of its pages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from playwright.sync_api import Browser, expect, sync_playwright
from starlette.testclient import TestClient

from legation.web import Settings, create_app
from tests.browser import MISSING, chromium


@pytest.fixture(scope="session")
def app() -> FastAPI:
    return create_app(settings=Settings(bounded=False))


@pytest.fixture
def site(app: FastAPI) -> TestClient:
    """A visitor's browser, cookies and all; forms are sent with ``headers=OURS``."""
    return TestClient(app, follow_redirects=False, raise_server_exceptions=False)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = chromium()
    if path is None:
        pytest.skip(MISSING)
    expect.set_options(timeout=15_000)  # a busy machine may take its time
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield started
        started.close()
