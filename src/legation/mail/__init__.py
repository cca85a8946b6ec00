"""The mail counter: orders, pictures and commands that come in by e-mail, and everything that the office sends out.

It holds no rules of its own: what a mail asks for is done by the office's commands, as any other counter does it.
:func:`serve` runs it.
"""

from legation.mail.mail_service import MailService
from legation.mail.previewing import Preview, preview
from legation.mail.service import read_mail_settings, serve

__all__ = ["MailService", "Preview", "preview", "read_mail_settings", "serve"]
