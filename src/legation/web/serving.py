"""Runs the pages by uvicorn."""

from __future__ import annotations

import msgspec

from legation.office import Office
from legation.web.app import create_app, settings_of
from legation.web.settings import Settings


def serve(
    office: Office | None = None, settings: Settings | None = None, *, host: str = "127.0.0.1", port: int = 8000
) -> None:
    """Serve the pages until the process is told to end.

    Behind a proxy on the same machine its ``X-Forwarded-*`` headers are believed, nobody else's.
    """
    import uvicorn

    chosen = settings or settings_of(office)
    app = create_app(office, msgspec.structs.replace(chosen, warm=True))
    uvicorn.run(app, host=host, port=port, server_header=False, proxy_headers=True, forwarded_allow_ips="127.0.0.1")
