"""Every turn that is judged here is judged again with units, powers and sheets listed otherwise."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.judge.shuffling import listing_shuffled


@pytest.fixture(autouse=True, scope="module")
def shuffled_listings() -> Iterator[None]:
    with listing_shuffled():
        yield
