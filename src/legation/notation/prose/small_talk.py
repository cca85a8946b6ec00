"""Sentences beside orders that leave these as they are: what a writer feels, hopes or is busy with (``I don't believe a
word.``), questions in passing (``Can it do that?``), and what stands before a colon (``I want Turkey out:``)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from legation.notation.prose.sayings import CROSSES, DENIES, DRAFTS, HEARSAY, OF_OTHER_TURNS, ORDERING, QUOTES, RETRACTS

_TAKES_BACK = (
    (RETRACTS - {"take", "make", "mind", "replace", "replaces", "depends", "strike"})
    | DRAFTS
    | CROSSES
    | QUOTES
    | frozenset(
        "otherwise else instead rather correction corrected oops wait change changes changed mean meant wrong mistake "
        "mistaken nonsense confirm confirms confirmed process reply answer unsure undecided decide decided tear fake "
        "bluff hypothetical pretend imagine suppose dream yet still joke withdrawn stop halt hold on consider "
        "unclear uncertain subject test testing option options alternative".split()
    )
)
"""Words that may take orders back, put them off or leave a choice."""
_CONDITIONS = frozenset(
    "if unless when whenever until once provided providing assuming except only or either depends depending case event "
    "perhaps maybe possibly probably preference whether".split()
)
_POINTS = frozenset(
    "this that thats these those it its them they following below above so former latter order orders move moves plan "
    "plans version idea ideas intention intentions both all everything everyone anything any one ones rest others "
    "other same either previous earlier last".split()
)
"""Words that may point at orders."""
_NOT_ORDERS = frozenset(
    "turn turns year season time spring summer fall autumn winter phase game letter mail email note message map "
    "variant deadline weekend week month morning evening afternoon player players place word".split()
)
"""What such a word may point at besides them."""
_DOUBTS = frozenset(
    "think guess hope hopes suppose sure certain believe believed wonder might may could would should will shall think "
    "thinking feel expect afraid doubt".split()
)
_OTHER_TIMES = DRAFTS | OF_OTHER_TURNS | ORDERING | frozenset("second choice again before same after first".split())
"""Words of fragments that may say of which turn, or how firm, orders are."""
_SUBJECTS = frozenset(
    "i im ive ill id we were weve he hes she shes you my our his her your the a an mr sir and".split()
)
_SAFE = re.compile(
    r"(?:yes,? )?i mean it|(?:i think |i believe )?(?:that|this|it)s? (?:is |should be |makes |uses |was |will be )?"
    r"(?:all|it|everything|enough|my last word|fun)(?: (?:two|three|four|five|six|seven|eight|nine|ten|\d{1,2}|for "
    r"now|for today|from me|for me|of (?:it|them)|my (?:units|orders|builds)))?"
)
"""Whole sentences that say that all is said."""
_ASKS_ADVICE = frozenset(
    "or should shall rather better instead would which what else wait change prefer recommend advise advice decide "
    "keep if unless till until where agree agreed approve".split()
)
"""Words of questions that leave open what is ordered."""
_HEARD = HEARSAY - frozenset(
    "i we he she they you your hope hopes hoping thinks think believe expect wish he_s because promised promise agreed "
    "want wants could would likes letter".split()
)
_NOT_BEFORE_COLON = (
    _TAKES_BACK
    | _CONDITIONS
    | OF_OTHER_TURNS
    | frozenset(
        "? was were had did wrote wanted told said thought think planned intended he she they you your him them "
        "example next later could would might may should shall originally yesterday what who how why which not no "
        "never nothing dont wont cant cannot isnt options result results rest others dream dreams".split()
    )
)
_PLACES = frozenset("in at on by from to under if".split())
"""First words of what isn't meant in earnest: ``In my dreams:``."""
_OWN = frozenset("i im ive ill id we were weve well my our me us lets".split())
_REASONS = frozenset("since because as".split())
_STAND_IN = frozenset("do does did think thinks hope hopes say says said if not guess suppose believe".split())
"""Words behind which ``so`` stands for what was said."""
_SAID = frozenset(
    "told tell tells know knows think thinks hope hopes fear fears promised promises said says say believe believes "
    "sure means hear heard expect see sees afraid guess writing sorry glad wish swears swore claims claimed".split()
)
"""Words behind which ``that`` opens a clause."""
_STATES = frozenset("is are means makes goes seems looks remains wins deserves".split())


def talks_in_passing(words: Sequence[str], acts: bool, *, leading: bool) -> bool:
    """Whether a statement that names nothing of the board leaves the orders beside it as they are. ``acts``: it has a
    word for what units do; ``leading``: no order stands before it."""
    text = " ".join(word for word in words if word.isalnum())
    if _SAFE.fullmatch(text):
        return True
    said = set(words)
    if acts or said & (_TAKES_BACK | _CONDITIONS) or words[-1] == ":":
        return False
    pointed = _pointed(words)
    if said & DENIES:
        firm = words[0] in _SUBJECTS or (leading and words[0] == "no")
        return firm and len(words) > 3 and not pointed
    if pointed:
        return False
    if len(words) < 5:
        return len(words) > 1 and said.isdisjoint(_DOUBTS | _OTHER_TIMES | _HEARD | {"yes", "ok", "okay"})
    return True


def asks_in_passing(words: Sequence[str], acts: bool) -> bool:
    """Whether a question that names nothing of the board leaves the orders beside it as they are: ``can it do that?``,
    not ``or should it hold?``"""
    said = set(words)
    if not any(word.isalpha() for word in words):
        return False
    plain = not acts and said.isdisjoint(_ASKS_ADVICE | _TAKES_BACK - {"still", "yet", "confirm", "answer", "reply"})
    return plain and not {"orders", "order", "following", "these", "those"} & said


def leads_to_orders(words: Sequence[str]) -> bool:
    """Whether the words before a colon are only why, or to what end, orders follow: ``Since Italy keeps his word``."""
    if len(words) < 2 or (len(words[0]) < 2 and words[0] != "i") or words[0] in _PLACES:
        return False  # F alb S I: F ion - gre
    said = set(words) - {"their", "his"}
    own = not _OWN.isdisjoint(words[:-1]) or words[0] in _REASONS or said & _STATES
    heard = _HEARD & said and not (words[0] in ("i", "we") or words[0] in _REASONS)
    return bool(own) and not heard and said.isdisjoint(_NOT_BEFORE_COLON)


def joins(before: str, word: str, after: str) -> bool:
    """Whether a word that may point at orders only joins clauses: ``I hear that Italy leaves``, ``so I go there``."""
    if word == "so":
        return before not in _STAND_IN and after != ""
    return word == "that" and (before in _SAID or after in _SUBJECTS - {"and"})


def _pointed(words: Sequence[str]) -> bool:
    """Whether words may point at orders; ``this game``, ``to all`` do not."""
    return any(
        word in _POINTS
        and after not in _NOT_ORDERS
        and not joins(before, word, after)
        and not (word == "one" and after.isalpha() and after != "of")
        and not (word == "all" and (before in ("to", "at", "with", "for") or after in ("the", "")))
        for before, (word, after) in zip(["", *words], pairwise([*words, ""]), strict=False)
    )
