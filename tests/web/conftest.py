"""The site without an office, and who visits it, for all tests of its pages."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
from fastapi import FastAPI
from playwright.sync_api import Browser
from starlette.testclient import TestClient

from legation.cli.serving import whole_site
from legation.office.office import Office
from legation.web import WebSettings, create_app
from tests.serving import served
from tests.web.clients import Visitor, client_of
from tests.web.visiting import PHONE, Visit


@pytest.fixture(scope="session")
def app() -> FastAPI:
    return create_app(settings=WebSettings(bounded=False))


@pytest.fixture
def site(app: FastAPI) -> TestClient:
    """A visitor's browser, cookies and all; forms are sent with ``headers=OURS``."""
    return TestClient(app, follow_redirects=False, raise_server_exceptions=False)


@pytest.fixture(scope="session")
def address(app: FastAPI) -> Iterator[str]:
    """The site on a port of this machine."""
    with served(app) as here:
        yield here


@pytest.fixture
def visits(browser: Browser, address: str) -> Iterator[list[Visit]]:
    """Visitors in whose pages no script fails and nothing leaves the site; refusals are looked at, too."""
    made: list[Visit] = []
    yield made
    for visit in made:
        visit.context.close()
    troubles = [trouble for visit in made for trouble in visit.troubles]
    assert not [trouble for trouble in troubles if "responded with a status of 4" not in trouble], troubles


@pytest.fixture
def desk(browser: Browser, address: str, visits: list[Visit]) -> Visit:
    visits.append(Visit(browser, address, reduced_motion="reduce"))
    return visits[-1]


@pytest.fixture
def phone(browser: Browser, address: str, visits: list[Visit]) -> Visit:
    settings = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "reduced_motion": "reduce"}
    visits.append(Visit(browser, address, **settings))
    return visits[-1]


@pytest.fixture
def visitor(office: Office) -> Visitor:
    """Makes clients of all that an office serves: a visitor's, or of somebody who is signed in."""
    return partial(client_of, whole_site(office), office)
