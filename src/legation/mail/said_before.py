"""What the office said in the mails that an answer answers: by the fingerprints that came back with it, and for
results, which are long, by writing them again."""

from __future__ import annotations

from legation.mail.composing import with_footer
from legation.mail.content import as_text, shown_text
from legation.mail.own_words import Words, spoken
from legation.mail.reading import ParsedMail
from legation.mail.results import results_as_text
from legation.office.context import Actor
from legation.office.desk import mailings
from legation.office.errors import OfficeError
from legation.office.office import Office
from legation.office.records import Mailing

RESULTS = ("results", "draft results")


def what_was_said(office: Office, actor: Actor, mail: ParsedMail) -> list[Words]:
    """The words of the office's mails that a mail answers."""
    said: list[Words] = list(mail.references)
    for mailing in mailings.sent_before(office, mail.answers, actor.person):
        if mailing.kind in RESULTS:
            said += _results(office, actor, mailing)
    return said


def _results(office: Office, actor: Actor, mailing: Mailing) -> list[Words]:
    """Results as they stand now, and as they were when they were drafts."""
    said: list[Words] = []
    for state in ("", "draft"):
        try:
            content = with_footer(office, mailing, results_as_text(office, actor, mailing, state))
        except (OfficeError, LookupError, ValueError):
            continue
        said.append(spoken(content.subject, as_text(content), shown_text(content, office.settings.name)))
    return said
