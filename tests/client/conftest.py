"""An office that clients call."""

from collections.abc import Iterator

import pytest

from legation.office.office import Office
from legation.web import create_app
from tests.serving import served


@pytest.fixture
def address(office: Office) -> Iterator[str]:
    with served(create_app(office)) as here:
        yield here
