"""Logs: a line of JSON for each thing that happens, never with orders, addresses, letters or secrets in it, nor with
the values that a library had at hand when something failed."""

import logging
import sys
import threading
import traceback
import warnings
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

import structlog

KEPT_OUT = frozenset(["text", "address", "email", "secret", "token", "facts", "body", "password"])


def configure(*, plain: bool = False, level: int = logging.INFO) -> None:
    """Log to standard error what is at least of a level, as JSON, or ``plain`` for people; libraries' logs, too."""
    end: Any = (
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback, colors=sys.stderr.isatty())
        if plain
        else structlog.processors.JSONRenderer()
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            keep_out,
            end,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),  # as it is when something is written
    )
    root = logging.getLogger()
    root.handlers[:] = [_Libraries(logging.WARNING)]
    warnings.showwarning = _warned
    threading.excepthook = _thread_ended


class _Libraries(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        facts = told_of(error) if error is not None else {}
        event = f"{record.name}: {record.msg if record.args else record.levelname.lower()}"
        structlog.get_logger("legation.library").log(record.levelno, event.partition("\n")[0][:200], **facts)


def _warned(message: object, category: type[Warning], filename: str, lineno: int, *_: object, **__: object) -> None:
    at = [f"{Path(filename).name}:{lineno}"]
    structlog.get_logger("legation.library").warning("warning", warning=category.__name__, at=at)


def _thread_ended(given: threading.ExceptHookArgs) -> None:
    if given.exc_value is not None:
        name = given.thread.name if given.thread is not None else ""
        structlog.get_logger("legation.office").error("thread ended", thread=name, **told_of(given.exc_value))


def told_of(error: BaseException) -> dict[str, Any]:
    """Return the kind of an error and where it and its cause came from; messages may hold what somebody wrote."""
    told: dict[str, Any] = {"error": type(error).__name__, "at": where(error)}
    cause = error.__cause__ or error.__context__
    if cause is not None:
        told |= {"cause": type(cause).__name__, "cause_at": where(cause)}
    return told


def where(error: BaseException) -> list[str]:
    """Return an error's place in the code, without local values: they may be orders."""
    return [f"{Path(f.filename).name}:{f.lineno} {f.name}" for f in traceback.extract_tb(error.__traceback__)[-12:]]


def keep_out(logger: object, method: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Take out what never belongs into a log, should anybody hand it over; of an error put what may be told."""
    error = line.pop("exc_info", None)
    error = sys.exc_info()[1] if error is True else error
    told = told_of(error) if isinstance(error, BaseException) else {}
    return {key: value for key, value in {**line, **told}.items() if key not in KEPT_OUT}
