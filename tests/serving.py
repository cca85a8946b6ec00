"""A site of the tests' own, on a free port of this machine."""

import contextlib
import socket
import sys
import threading
from collections.abc import Iterator
from typing import Any

import uvicorn

_OURS: list[socket.socket] = []


def free_port() -> int:
    """A port that nobody listens at now, and that the system gives to nobody else while this process lives.

    It stays bound by a socket that does not listen, so whoever asks the system for any free port, or opens a
    connection, gets another; a server that listens at this one, as all ours do with ``SO_REUSEADDR``, may."""
    ours = socket.socket()
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    ours.bind(("127.0.0.1", 0))
    port = int(ours.getsockname()[1])
    if sys.platform == "linux":
        _OURS.append(ours)
    else:  # elsewhere no other could listen there
        ours.close()
    return port


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
