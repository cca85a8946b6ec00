"""The site without an office, for all tests of its pages."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from legation.web import Settings, create_app


@pytest.fixture(scope="session")
def app() -> FastAPI:
    return create_app(settings=Settings(bounded=False))


@pytest.fixture
def site(app: FastAPI) -> TestClient:
    """A visitor's browser, cookies and all; forms are sent with ``headers=OURS``."""
    return TestClient(app, follow_redirects=False, raise_server_exceptions=False)
