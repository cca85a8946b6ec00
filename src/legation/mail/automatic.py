"""Whether a machine wrote a mail, as its head and its parts say.

Some subjects say only that somebody is away. Machines write them, and people do, too; what else such a mail carries
decides (:mod:`.absences`)."""

import re
from collections.abc import Callable, Sequence
from email.message import EmailMessage
from typing import Literal

from legation.mail.subjects import without_replies
from legation.mail.words import pattern, words

OWN_MARK = "X-Legation"  # every mail of ours carries it, so that two offices never write to each other for ever

EXCHANGE = re.compile(r"microsoftexchange[0-9a-f]{32}@")  # the sender of Exchange's own reports
DENIALS = frozenset(["no", "false", "0"])  # what these say where a person wrote the mail
_AWAY = (
    r"^[\[(*]{0,2}\s?(?:(?:i'?m|i am|im|en|de|in|på|op|on|na|w|в) ){0,2}"
    r"{}(?: (?:notice|message|reply|response|note|nachricht|bericht))?"
    r"(?:[\])*]{1,2}|\s?[:：]|\s(?=re\s?:))"
)
"""A word of absence with a colon or in brackets, as machines put it before the subject that they answer: ``Ferie:``."""
Automatic = Literal["", "bounce", "auto-reply", "list", "own", "away"]
REACTION = "text/vnd.google.email-reaction+json"


def known_as(
    says: Callable[[str], str], message: EmailMessage, parts: Sequence[EmailMessage], sender: str
) -> Automatic:
    """What kind of machine wrote the mail, if any did (RFC 3834, and what machines really write). ``says``: what a
    header says, on one line, in lower case."""
    local = sender.partition("@")[0]
    if says(OWN_MARK):
        return "own"
    if message.get_content_type() == "multipart/report" or says("X-Failed-Recipients"):
        return "bounce"
    if says("Return-Path").replace(" ", "").startswith(("<>", "<mailer-daemon>")):  # whatever it says, it is no orders
        return "bounce"
    if EXCHANGE.match(sender) or local in words("bouncing_senders"):
        return "bounce"
    if any(map(_is_reaction, parts)) or local in words("automatic_senders") or _is_answer(says):
        return "auto-reply"
    if says("List-Id") or says("Precedence") in ("bulk", "list", "junk"):
        return "list"
    subject, absence = without_replies(says("Subject")), pattern("away_words", _AWAY)
    away = absence.search(subject) or absence.search(says("Subject"))  # [Away] Re: ...
    return "away" if away or subject.startswith(words("away_subjects")) else ""


def _is_reaction(part: EmailMessage) -> bool:
    """Whether a part accepts or declines a date for somebody's calendar (RFC 6047), or is a thumb up."""
    if part.get_content_type() == "text/calendar":
        return str(part.get_param("method", "")).lower() in ("reply", "counter", "declinecounter")
    return part.get_content_type() == REACTION


def _is_answer(says: Callable[[str], str]) -> bool:
    if any(says(name) and says(name).split()[0].strip(";") not in DENIALS for name in words("automatic_headers")):
        return True
    if says("Precedence") in ("auto_reply", "auto-reply") or says("X-Auto-Response-Suppress") in ("all", "oof"):
        return True
    return without_replies(says("Subject")).startswith(words("automatic_subjects"))
