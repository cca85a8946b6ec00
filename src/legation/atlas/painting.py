"""Maps painted in a process of their own: while resvg paints it holds up every thread of its process, and pdfium paints
for one thread at a time, so a program that answers many people has another do it. The other ends with the program, or
when it is told to.

``python -m legation.atlas.painting`` is that other process: it reads tasks, and writes pictures.
"""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import threading
from typing import IO

import msgspec

from legation.atlas import pictures

LENGTH = struct.Struct(">I")


class Task(msgspec.Struct, frozen=True, array_like=True):
    """A map to paint: as PNG, ``width`` pixels wide, and as PDF where it is to be on a ``page`` as well."""

    svg: str
    width: int
    page: bool = False

    def do(self) -> tuple[bytes, bytes]:
        """The PNG and the PDF; nothing for what is not asked for.

        :raises PicturesMissingError: where what it needs is not installed.
        :raises ValueError: where the SVG cannot be drawn.
        """
        if not self.page:
            return pictures.png(self.svg, self.width), b""
        page = pictures.pdf(self.svg)
        return pictures.png_of_page(page, self.svg, self.width), page


class Painter:
    """Paints one picture after the other, for any number of threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def png(self, svg: str, width: int) -> bytes:
        """The map as PNG, as by :func:`legation.atlas.pictures.png`.

        :raises PicturesMissingError: where resvg-py is not installed.
        :raises ValueError: where the SVG cannot be drawn.
        """
        return self._paint(Task(svg, width))[0]

    def png_and_pdf(self, svg: str, width: int) -> tuple[bytes, bytes]:
        """The map on a page of A4, as by :func:`legation.atlas.pictures.pdf`, and before it the PNG of that page.

        :raises PicturesMissingError: where typst or pypdfium2 is not installed.
        :raises ValueError: where the SVG cannot be drawn.
        """
        return self._paint(Task(svg, width, page=True))

    def _paint(self, task: Task) -> tuple[bytes, bytes]:
        """Have a task done; here, where there can be no other process or it could not do it and the reason is to be
        told."""
        with self._lock:
            try:
                painted = self._ask(msgspec.msgpack.encode(task))
            except (OSError, EOFError):
                self._end()
                painted = None
        return painted or task.do()

    def _ask(self, task: bytes) -> tuple[bytes, bytes] | None:
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is meant for this program, which lets the other end
            )
        assert self._process.stdin is not None and self._process.stdout is not None
        _write(self._process.stdin, task)
        return msgspec.msgpack.decode(_read(self._process.stdout), type=tuple[bytes, bytes] | None)

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


PAINTER = Painter()
"""The one of this program."""


def _write(to: IO[bytes], content: bytes) -> None:
    to.write(LENGTH.pack(len(content)) + content)
    to.flush()


def _read(source: IO[bytes]) -> bytes:
    return _exactly(source, LENGTH.unpack(_exactly(source, LENGTH.size))[0])


def _exactly(source: IO[bytes], count: int) -> bytes:
    content = source.read(count)
    if len(content) < count:
        raise EOFError
    return content


def main() -> None:
    """Paint what is asked for, until nobody asks any more."""
    source, out = sys.stdin.buffer, sys.stdout.buffer
    while True:
        try:
            task = msgspec.msgpack.decode(_read(source), type=Task)
        except EOFError:
            return
        try:
            painted = task.do()
        except (ValueError, RuntimeError):
            painted = None  # whoever asked finds the reason
        try:
            _write(out, msgspec.msgpack.encode(painted))
        except BrokenPipeError:
            os._exit(0)  # who asked has ended; what was painted has nowhere to go


if __name__ == "__main__":
    main()
