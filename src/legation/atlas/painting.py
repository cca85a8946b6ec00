"""Maps painted in a process of their own: while resvg paints it holds up every thread of its process, so a program that
answers many people has another do it. The other ends with the program, or when it is told to.

``python -m legation.atlas.painting`` is that other process: it reads widths and SVGs, and writes PNGs.
"""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import threading
from typing import IO

from legation.atlas import pictures

HEAD = struct.Struct(">iI")
"""The width in pixels (of an answer: whether it is a picture), and the length of what follows."""


class Painter:
    """Paints one picture after the other, for any number of threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def png(self, svg: str, width: int) -> bytes:
        """The map as PNG, as by :func:`legation.atlas.pictures.png`; painted here where there can be no other process.

        :raises PicturesMissingError: where resvg-py is not installed.
        :raises ValueError: where the SVG cannot be drawn.
        """
        with self._lock:
            try:
                painted, answer = self._ask(svg.encode(), width)
            except (OSError, EOFError):
                self._end()
                return pictures.png(svg, width)
        if painted:
            return answer
        return pictures.png(svg, width)  # it tells the reason

    def _ask(self, svg: bytes, width: int) -> tuple[bool, bytes]:
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is meant for this program, which lets the other end
            )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(HEAD.pack(width, len(svg)) + svg)
        self._process.stdin.flush()
        painted, length = HEAD.unpack(_exactly(self._process.stdout, HEAD.size))
        return bool(painted), _exactly(self._process.stdout, length)

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


PAINTER = Painter()
"""The one of this program."""


def _exactly(source: IO[bytes], count: int) -> bytes:
    content = source.read(count)
    if len(content) < count:
        raise EOFError
    return content


def main() -> None:
    """Paint what is asked for, until nobody asks any more."""
    source, out = sys.stdin.buffer, sys.stdout.buffer
    while len(head := source.read(HEAD.size)) == HEAD.size:
        width, length = HEAD.unpack(head)
        svg = source.read(length).decode()
        try:
            painted, answer = 1, pictures.png(svg, width)
        except (ValueError, pictures.PicturesMissingError):
            painted, answer = 0, b""
        try:
            out.write(HEAD.pack(painted, len(answer)) + answer)
            out.flush()
        except BrokenPipeError:
            os._exit(0)  # who asked has ended; what was painted has nowhere to go


if __name__ == "__main__":
    main()
