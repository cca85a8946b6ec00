"""The names of the coastlines that come with the package. Reading one needs the extra ``authoring``
(:mod:`legation.atlas.grow.coastline`)."""

from __future__ import annotations

CREDIT = "Made with Natural Earth"
EUROPE, NONE = "europe", "none"
SHIPPED = {EUROPE: "land.json.gz", "world-10m": "world-10m.json.gz", "world-50m": "world-50m.json.gz"}
"""The coastlines of the package, by the name that ``[grow] coastline`` gives them."""
