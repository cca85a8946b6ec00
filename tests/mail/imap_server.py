"""A mailbox of IMAP on a port of this machine."""

import contextlib
import imaplib
import subprocess
import sys
import time
from collections.abc import Iterator


@contextlib.contextmanager
def imap_server(port: int) -> Iterator[None]:
    """pymap, an IMAP server on PyPI, with its mailbox in memory and emptied."""
    command = ["--host", "127.0.0.1", "--port", str(port), "--no-tls", "--no-service", "admin", "dict", "--demo-data"]
    # it keeps no hold of its connections, so that the garbage collector of Python 3.13 ends them while they wait
    program = "import gc; gc.disable(); from pymap.main import main; main()"
    server = subprocess.Popen(
        [sys.executable, "-c", program, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        for _ in range(1200):  # a busy machine takes its time
            with contextlib.suppress(OSError), imaplib.IMAP4("127.0.0.1", port) as box:
                box.login("demouser", "demopass")
                box.select("INBOX")
                box.store("1:*", "+FLAGS", "\\Deleted")
                box.expunge()
                break
            assert server.poll() is None, "the IMAP server ended"
            time.sleep(0.1)
        else:
            raise AssertionError("the IMAP server never answered")
        yield
    finally:
        server.kill()  # it may wait for those who are still connected
        server.wait(10)
