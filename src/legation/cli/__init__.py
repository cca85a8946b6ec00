"""The command line. A command's module is imported when the command is named, so that ``legation --help`` is quick."""

import errno
import io
import os
import sys

EXTRAS = {
    "httpx2": "client",
    "numba": "lab",
    "numpy": "lab",
    "openskill": "lab",
    "pyarrow": "lab",
    "shapely": "authoring",
    "fontTools": "authoring",
    "resvg_py": "pictures",
    "typst": "pictures",
}
"""The extra that brings a package; all others are the office's."""


def _run() -> None:
    words = sys.argv[1:]
    asked = words[-1:] in (["--help"], ["-h"])
    if len(words) - asked < 2 + asked and "_LEGATION_COMPLETE" not in os.environ:  # a shell that asks for completions
        from legation.cli.help_pages import kept_page

        if (page := kept_page(words[: len(words) - asked], asked=asked)) is not None:
            (sys.stdout if asked else sys.stderr).write(page)
            sys.exit(0 if asked else 2)
    from legation.cli.app import app

    app()


def _in_a_rule(error: Exception) -> str:
    """Where in a rule of somebody else's a fault is; empty where it is in no rule, or in one of Legation's own."""
    if (judge := sys.modules.get("legation.judge")) is None:
        return ""
    import traceback

    kinds: list[type] = [judge.Rule]
    for kind in kinds:
        kinds += kind.__subclasses__()
    theirs = [kind for kind in kinds if not kind.__module__.startswith("legation.") and kind.__module__ in sys.modules]
    files = {sys.modules[kind.__module__].__file__ for kind in theirs}
    frames = reversed(traceback.extract_tb(error.__traceback__))
    frame = next((frame for frame in frames if frame.filename in files), None)
    return "" if frame is None else f"{frame.filename}, line {frame.lineno}, in {frame.name}"


def main() -> None:
    """Run the command line.

    What cannot be written, to a full disk or to a reader that has gone, ends it with status 1; so does a rule that
    fails."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # what an encoding lacks is written out, and ends no command
            stream.reconfigure(errors="backslashreplace")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    try:
        try:
            _run()
        finally:
            sys.stdout.flush()
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if not package or package == "legation":
            raise  # not reached: only a broken copy of legation lacks a module of its own
        extra = EXTRAS.get(package, "office")
        sys.stderr.write(f"legation: this needs {package}; install it with: pip install 'legation[{extra}]'\n")
        sys.exit(1)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left has nowhere to go
        if error.errno != errno.EPIPE:  # a reader that stops early, such as head, has what it wanted
            sys.stderr.write(f"legation: {error.filename or 'standard output'}: {error.strerror or error}\n")
        sys.exit(1)
    except Exception as error:
        if not (place := _in_a_rule(error)):
            raise
        sys.stderr.write(f"legation: {place}: {type(error).__name__}: {error}\n")
        sys.exit(1)
