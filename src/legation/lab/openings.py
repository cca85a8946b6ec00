"""Openings by the names that players' literature has for them."""

from collections.abc import Collection
from functools import cache
from importlib.resources import files

import msgspec

from legation.formats import read_toml


class Opening(msgspec.Struct, frozen=True):
    """An opening's name, and the orders by which it is known."""

    name: str
    orders: frozenset[str]


@cache
def openings() -> dict[str, dict[str, tuple[Opening, ...]]]:
    """Return the openings that have names, by variant and power."""
    text = (files("legation.lab") / "openings.toml").read_text("utf-8")
    return msgspec.convert(read_toml(text), dict[str, dict[str, tuple[Opening, ...]]])


def opening_name(variant: str, power: str, orders: Collection[str]) -> str:
    """Return the name of what a power orders in the first turn of a variant; empty where it has none."""
    known = openings().get(variant, {}).get(power, ())
    return next((opening.name for opening in known if opening.orders.issubset(orders)), "")
