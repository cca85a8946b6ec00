"""The web pages: those over the office, and those that need no office (variants, rules, moves, sandbox, designer)."""

from typing import Any

from legation.web.app import create_app
from legation.web.serving.sessions import actor_of
from legation.web.settings import WebSettings

__all__ = ["WebSettings", "actor_of", "create_app"]


def __getattr__(name: str) -> Any:
    """Return what ``Settings`` is called now, with a warning: the name of version 0.1."""
    if name == "Settings":
        import warnings

        warnings.warn("legation.web.Settings is called WebSettings now", DeprecationWarning, stacklevel=2)
        return WebSettings
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
