"""Logs: one line of JSON for each thing that happens, never with orders, addresses, letters or secrets in it.

What is logged is chosen where it is logged; this room only sets the form, and takes care that no library adds the
values that were at hand when something failed.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import MutableMapping
from typing import Any, TextIO, cast

import structlog

KEPT_OUT = frozenset(["text", "address", "email", "secret", "token", "facts", "body", "password"])


class StandardError:
    """Standard error as it is when something is written, whatever it was when logging began."""

    def write(self, text: str) -> int:
        return sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()


def configure(*, plain: bool = False) -> None:
    """Log to standard error, as JSON, or ``plain`` for people."""
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
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(cast(TextIO, StandardError())),
    )


def keep_out(logger: object, method: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Take out what never belongs into a log, should anybody hand it over."""
    return {key: value for key, value in line.items() if key not in KEPT_OUT}
