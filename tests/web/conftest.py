"""The site without an office, and who visits it, for all tests of its pages."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from fastapi import FastAPI
from playwright.sync_api import Browser
from starlette.testclient import TestClient

from legation.cli.serving import whole_site
from legation.office.office import Office
from legation.web import WebSettings, create_app
from tests.serving import served
from tests.web.clients import Visitor, client_of
from tests.web.visiting import TOUCHED, Visit


@pytest.fixture(scope="session")
def app() -> FastAPI:
    return create_app(settings=WebSettings(bounded=False))


@pytest.fixture
def site(app: FastAPI) -> TestClient:
    """A visitor's browser, cookies and all."""
    return client_of(app)


@pytest.fixture(scope="session")
def address(app: FastAPI) -> Iterator[str]:
    """The site on a port of this machine."""
    with served(app) as here:
        yield here


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Callable[..., Visit]]:
    """Makes visits in whose pages no script fails and nothing leaves the site; refusals are looked at, too."""
    made: list[Visit] = []

    def visited(**settings: Any) -> Visit:
        made.append(Visit(browser, address, **{"reduced_motion": "reduce", **settings}))
        return made[-1]

    yield visited
    for one in made:
        one.context.close()
    troubles = [trouble for one in made for trouble in one.troubles]
    # Chromium tells of a tap that comes while the panel still scrolls
    known = ("responded with a status of 4", "Ignored attempt to cancel a touchend")
    assert not [trouble for trouble in troubles if not any(words in trouble for words in known)], troubles


@pytest.fixture
def desk(visit: Callable[..., Visit]) -> Visit:
    return visit()


@pytest.fixture
def phone(visit: Callable[..., Visit]) -> Visit:
    return visit(**TOUCHED)


@pytest.fixture
def visitor(office: Office) -> Visitor:
    """Makes clients of all that an office serves: a visitor's, or of somebody who is signed in."""
    return partial(client_of, whole_site(office), office)
