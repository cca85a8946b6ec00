"""An office to which orders come by post."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI

from legation.office.office import Office
from legation.office.terms.plans import preset_for
from legation.print.enclosures import enclosures
from legation.print.serving import routes
from legation.web import actor_of, create_app
from tests.mail.conftest import World, office_by_mail

POSTAL = preset_for("three-kingdoms", coordinated=True)


@pytest.fixture
def world(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[World]:
    """An office whose mails have papers with them."""
    with office_by_mail(tmp_path, request, seed="post", papers=enclosures) as made:
        yield made


def served(office: Office) -> FastAPI:
    """The pages with the papers, as one server has them."""
    app = create_app(office)
    app.router.routes[:0] = routes(office, actor_of)
    return app
