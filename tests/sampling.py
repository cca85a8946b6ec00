"""Which parameters of a test are tried at once: the rest is `long`, so that `make test-long` and CI try them all."""

from collections.abc import Iterable
from typing import Any

import pytest


def some(values: Iterable[Any], nth: int = 3, rest: pytest.MarkDecorator = pytest.mark.long) -> list[Any]:
    """The values as parameters of a test: each ``nth`` is quick, beginning with the first, all others are ``rest``."""
    given: list[Any] = []
    for number, value in enumerate(values):
        known = value if isinstance(value, type(pytest.param())) else pytest.param(value)
        marks = known.marks if number % nth == 0 else (*known.marks, rest)
        given.append(pytest.param(*known.values, marks=marks, id=known.id))
    return given
