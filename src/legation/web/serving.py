"""Runs the pages by uvicorn."""

from __future__ import annotations

import threading

from legation.office import Office
from legation.variants import USUAL
from legation.web.app import create_app
from legation.web.gallery import card
from legation.web.maps import map_of
from legation.web.settings import Settings


def warm() -> None:
    """Draw what the first visitors will ask for, so that they need not wait."""
    for variant in USUAL.names():
        card(variant)
        live = map_of(variant)
        for name in ("board.svg", "map.css", "places.json"):
            live.files[name].pack()
        for name in ("thumb-light.webp", "thumb-dark.webp"):
            live.opening(name)


def serve(
    office: Office | None = None, settings: Settings | None = None, *, host: str = "127.0.0.1", port: int = 8000
) -> None:
    """Serve the pages until the process is told to end.

    Behind a proxy on the same machine its ``X-Forwarded-*`` headers are believed, nobody else's.
    """
    import uvicorn

    app = create_app(office, settings)
    threading.Thread(target=warm, daemon=True, name="warm").start()
    uvicorn.run(app, host=host, port=port, server_header=False, proxy_headers=True, forwarded_allow_ips="127.0.0.1")
