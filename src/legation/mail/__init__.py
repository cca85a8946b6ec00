"""The mail service: orders, pictures and commands that come in by e-mail, and everything that the office sends out.

It holds no rules of its own: what a mail asks for is done by the office's commands, as any other channel does it.
:func:`serve` runs it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from legation.mail.mail_service import MailService
    from legation.mail.results import Preview, preview
    from legation.mail.service import read_mail_settings, serve

_PLACES = {
    "MailService": "mail_service",
    "Preview": "results",
    "preview": "results",
    "read_mail_settings": "service",
    "serve": "service",
}
__all__ = ["MailService", "Preview", "preview", "read_mail_settings", "serve"]


def __getattr__(name: str) -> Any:
    """Import what is asked for when it first is: the child process that takes a mail apart needs none of it."""
    if name in _PLACES:
        return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
