"""The command line, each command in a process of its own that is forked from one that has loaded everything.

What a test sees is what ``python -m legation`` does, in a quarter of the time."""

import io
import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import BinaryIO, cast

LOADED = [
    "__main__",
    "legation.atlas",
    "legation.cli.app",
    "legation.cli.judging",
    "legation.conformance",
    "legation.game",
    "legation.office.desk.postbag",
    "legation.office.hosting.roster",
    "legation.office.operation.work",
    "rich.console",
    "typer._adapters",
    "typer.rich_utils",
    __name__,
]
"""What takes time to load; a module that is not there is passed over."""


@cache
def _server() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(LOADED)
    return context


def run_forked(
    words: tuple[str, ...], given: bytes, around: Mapping[str, str], cwd: Path | None
) -> subprocess.CompletedProcess[bytes]:
    """Run ``legation WORDS`` with this input and environment."""
    with tempfile.TemporaryDirectory() as place:
        streams = [Path(place) / name for name in ("in", "out", "err")]
        streams[0].write_bytes(given)
        process = _server().Process(target=_command, args=(words, streams, dict(around), cwd or Path.cwd()))
        process.start()
        process.join()
        assert process.exitcode is not None
        return subprocess.CompletedProcess(words, process.exitcode, streams[1].read_bytes(), streams[2].read_bytes())


def _command(words: tuple[str, ...], streams: list[Path], around: Mapping[str, str], cwd: Path) -> None:
    """Be ``python -m legation``."""
    for number, (path, mode) in enumerate(zip(streams, ("rb", "wb", "wb"), strict=True)):
        with path.open(mode) as file:
            os.dup2(file.fileno(), number)
    sys.stdin, sys.stdout, sys.stderr = (
        _text(number, mode, around.get("PYTHONIOENCODING", "utf-8")) for number, mode in enumerate(("rb", "wb", "wb"))
    )
    sys.argv = ["legation", *words]
    os.environ.clear()
    os.environ.update(around)
    os.chdir(cwd)
    from legation.cli import main

    main()


def _text(number: int, mode: str, encoding: str) -> io.TextIOWrapper:
    opened = cast(BinaryIO, os.fdopen(number, mode, closefd=False))
    return io.TextIOWrapper(opened, encoding, "backslashreplace" if number == 2 else "strict", line_buffering=False)
