"""A site of the tests' own, on a free port of this machine."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from typing import Any

import uvicorn


def free_port() -> int:
    """A port that nobody listens at now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def served(app: Any, port: int = 0, **settings: Any) -> Iterator[str]:
    """An ASGI app that listens while the block runs; its address."""
    port = port or free_port()
    config: dict[str, Any] = {"log_level": "error", **settings}
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, **config))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.02)
        if not thread.is_alive():
            raise RuntimeError(f"nothing listens at port {port}")
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = server.force_exit = True  # watchers may still hold a connection
        thread.join(10)
