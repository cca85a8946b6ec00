"""Sentences that say that orders sent before do not count: ``Please ignore my last mail``."""

from __future__ import annotations

from collections.abc import Collection

from legation.notation.names import fold
from legation.notation.prose.sayings import POINTS_ON

_REPLACES = frozenset(
    "disregard ignore cancel replace replaces replacing supersede supersedes forget scratch void "
    "withdraw revoke".split()
)
_USES = frozenset("use take run".split())
_REPLACED = frozenset("previous earlier last prior former old above first other".split())
_MAILS = frozenset("mail email message letter".split())
_DAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
REPLACING = (
    _REPLACES
    | _REPLACED
    | _DAYS
    | frozenset(
        "please kindly all any my the our of order orders moves set sets sheet email e mail message submission "
        "submissions ones one these "
        "night week morning whole lot "
        "this those new following version versions second third newest latest final revised updated corrected "
        "are is and use take run instead here i sent have submitted it they with by from ones "
        "yesterday today already before can could would you back letter on was were wrong that what".split()
    )
)
"""Words of a sentence that says that former orders do not count."""
SENT_BEFORE = _DAYS | frozenset("yesterday morning night week".split())
"""Words by which what does not count was sent in another mail."""


def replaces_former(words: Collection[str]) -> bool:
    """Whether a sentence says no more than that what was sent before does not count."""
    said = set(words)
    takes = said & _REPLACES or said >= {"take", "back"} or (said & _MAILS and "wrong" in said)
    pointed = takes and said & (_REPLACED | _DAYS | {"yesterday"})  # disregard my last orders
    pointed = pointed or (said & _REPLACES and "that" in said and said & _MAILS)
    follows = said & POINTS_ON and any(word.startswith("replac") for word in said) and said & {"with", "by"}
    use = said & _USES and "instead" in said  # use these instead
    return bool(pointed or follows or use) and said <= REPLACING


def heads_former(text: str) -> bool:
    """Whether a sentence says that former orders follow: ``Previous set (please ignore):``."""
    words = fold(text).split()
    first = next((word for word in words if word in _REPLACED or word in _REPLACES), "")
    others = "instead" in words or words[:1] in (["new"], ["these"], ["this"])
    return text.rstrip().endswith(":") and first in _REPLACED and not others
