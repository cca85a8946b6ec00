"""Sentences that only say that orders follow, or that some units are kept back: ``Here are my moves:``."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from legation.notation.names import Names, fold
from legation.notation.prose.heading_text import HEADING_WORDS
from legation.notation.prose.sayings import (
    AGAINST,
    CHATTY,
    CONDITIONS,
    CORRECTS,
    DOUBTS,
    DRAFTS,
    HEARD,
    OF_OTHER_TURNS,
    ORDERING,
    POINTS_ON,
)

_SENTENCES = re.compile(r"(?<=[.!?])\s+")
LEAD_IN = frozenset("here below following follows order orders move moves answer goes go send sending submit".split())
_LEAD_IN_WORDS = (
    HEADING_WORDS
    | LEAD_IN
    | frozenset(
        "anyway anyhow without further ado ok okay so well right then now as promised agreed "
        "discussed planned we you with them they go goes come comes "
        "mine answer answers oh ah and or all at last finally again thanks thank sorry late being have had about "
        "talked it s ve re can ll will ones decided made up mind think been be up what how would like want i".split()
    )
    - {"or", "what", "how", "think"}
)
ORDERS_ARE = re.compile(
    r"\s{0,9}(?:so\s{1,5})?(?:(?P<whose>my|our|the)\s{1,5})?(?P<what>orders?|moves?|builds?|retreats?|removals?|disbands?)"
    r"(?:\s{1,5}(?:for|of)\s{1,5}(?!this|the|spring|summer|autumn|fall|winter)(?P<who>[^\W\d_]{3,20}))?"
    r"(?:\s{1,5}(?:for\s{1,5})?(?:this|the)\s{1,5}(?:time|turn|season|year|phase|(?P<season>spring|summer|autumn|fall|"
    r"winter))|\s{1,5}for\s{1,5}(?P<year>\d{3,4}))?\s{1,5}(?:are|is|"
    r"will\s{1,5}be)\s{1,5}"
    r"(?:these\s{1,5}|as\s{1,5}follows[,;]?\s{1,5})?(?=\S)(?!not\b|no\b|the\s|still\b|below|as\s)",
    re.IGNORECASE,
)
"""How a sentence begins that gives orders: ``My orders this turn are``."""
OPENING_NAME = re.compile(
    r"\s{0,9}(?:[^\W\d_]{2,20}\s{1,3}){0,4}(?:opening|gambit|hedgehog|juggernaut|defen[cs]e|variation|"
    r"lepanto|sea ?lion|anschluss|maginot|blitzkrieg|octopus|squid|crusher|houseboat|rush)\s{0,3}:"
    r"\s{0,9}(?=\S)",
    re.IGNORECASE,
)
"""The name of an opening before its orders: ``Northern opening:``."""
ASKED_FOR = re.compile(
    r"\s{0,9}(?:(?:hi|hello|hey)[,!]?\s{1,5})?(?:please,?\s{1,5}(?:can|could|would|will)\s{1,5}you\s{1,5}(?=\S)|"
    r"(?:can|could|would|will)\s{1,5}you\s{1,5}"
    r"(?:(?:please|kindly)\s{1,5}(?=\S)|(?=put (?:me|us) down\b)|(?<=ould you )(?=put\b)|(?=[^?\n]*\Z)))",
    re.IGNORECASE,
)
"""How a sentence begins that asks for orders to be entered: ``Could you please``."""
ASKS_BELOW = re.compile(
    r"(?:\A|(?<=[.!;,:–—-]))\s{0,5}(?:(?:and|so)\s)?(?:(?:please|kindly),?\s)?"
    r"(?:(?:could|can|would|will)\syou(?:\sbe\s(?:so\skind\sas|kind\senough)\sto)?"
    r"|(?:may|might|can)\sI\s(?:kindly\s|please\s)?ask\syou\sto|I\s(?:kindly\s)?ask\syou\sto"
    r"|(?:I(?:\swould|\sshould|['’]d)\sbe|I(?:\sa|['’])m)\s(?:(?:most|very|so)\s)?(?:grateful|obliged|glad|thankful)"
    r"\sif\syou\s(?:could|would|can))(?:,?\s(?:please|kindly))?\s?[:,.…-]{0,3}\Z",
    re.IGNORECASE,
)
"""How a line ends that asks for the orders of a list below it: ``Please could you``."""
RUN_IN = re.compile(
    r"\s{0,9}(?:(?:my|our|here are my|these are my)\s{1,5})?(?:moves|orders)\s{1,5}(?:for\s{1,5})?"
    r"(?:this|the)\s{1,5}(?:time|turn|season|year|phase)\s{1,5}",
    re.IGNORECASE,
)
"""How a sentence begins that gives orders without a verb: ``moves for this turn par-gas``."""


IN_SHORT = re.compile(
    r"\s{0,9}(?:to (?:spell (?:it|this|that) out|be (?:clear|precise|exact|safe)|sum up|summari[sz]e|avoid doubt)|"
    r"(?:once more,? )?in (?:short|summary|full|other words|plain words|detail)|for (?:the record|clarity)|"
    r"that is(?: to say)?|simply put|once (?:more|again)|spelled out)\s{0,3}:\s{0,9}(?=\S)",
    re.IGNORECASE,
)
"""What stands before orders that are said once more in short: ``To spell it out:``."""
STARTS_ANEW = re.compile(
    r"(?:^|(?<=[.!?…;,])\s{1,5})(?:(?:oops|sorry|no|wait|oh|actually|and|or rather)[,.!…]{0,3}\s{1,3}){0,3}"
    r"(?:(?:please\s)?(?:scrap|forget|ignore|disregard|scratch|cancel)\s(?:all\s)?(?:of\s)?"
    r"(?:that|this|the above|the lot|everything(?: above)?|all the above)|(?:i|we)\s(?:take back|withdraw|cancel)\s"
    r"(?:all\s)?(?:my|our|the)\s(?:orders|moves)(?:\s(?:above|(?:from|of)\s(?:last\s)?[^\W\d_]{3,12}))?)"
    r"\s{0,3}[.,;:!–—-]{1,2}\s{1,3}"
    r"(?:(?:here (?:is|are|come)|this is|these are|use|take)\s)?(?:(?:my|the|these|those)\s)?"
    r"(?:new|final|real|right|correct|actual|revised)\s(?:orders?|moves?|sets?|version|ones?|builds?)"
    r"(?:\sfor\s(?:the\s)?(?P<who>[^\W\d_]{3,20}))?\s{0,3}:\s{0,9}",
    re.IGNORECASE,
)
"""Words that take back all orders above them and say that others follow: ``Scrap all that. New orders:``."""
_WHAT_I_WANT = re.compile(
    r"\s{0,9}(?:(?:so|ok(?:ay)?|well)[, ]\s{0,2})?(?:here(?:['’]s| is| are)|this is|these are)\s(?:what|the orders)\s"
    r"(?:i|we)(?:['’]d| would| will)?\s(?:want|like|order|send|intend|choose)(?:\sto (?:do|order|play))?"
    r"(?:\sthis (?:time|turn|season|year))?\s{0,3}:\s{0,9}",
    re.IGNORECASE,
)
"""A line that says that what the writer wants stands below it."""


def last_sentence(text: str) -> tuple[list[list[str]], str]:
    """The words of each sentence of a line but the last, and the last."""
    *before, last = _SENTENCES.split(text.strip())
    return [fold(sentence).split() for sentence in before], last


def sends(words: Sequence[str]) -> bool:
    """Whether words before a colon say that something is sent, enclosed or entered: ``With heavy heart I send``."""
    said = set(words)
    own = bool(said & _BY_ITSELF) or said.isdisjoint(_TELLS_OF_OTHERS - {"you", "your"})
    return own and 0 < len(words) <= 16 and bool(SENDS & said) and not AGAINST - CHATTY & said


_ANNOUNCES = frozenset("order orders move moves do does follow follows following below these this here".split())
_TELLS_OF_OTHERS = frozenset("he she they his her their you your everybody everyone somebody someone".split())
_OF_NO_ORDERS = frozenset(
    "ally allies friend friends enemy enemies legal possible dreams were was did had wonder pretend copy map other "
    "rumor rumour yesterday".split()
)
_BY_ITSELF = frozenset("i we my our us me".split())


def announces(words: Sequence[str]) -> bool:
    """Whether the words before a colon only announce the writer's own orders: no doubt, condition or correction."""
    said = set(words)
    hands_over = tuple(words[:3]) in {("here", "you", "go"), ("there", "you", "go")}
    own = hands_over or bool(said & _BY_ITSELF) or said.isdisjoint(_TELLS_OF_OTHERS)
    doubtful = AGAINST | HEARD | OF_OTHER_TURNS | CORRECTS | (ORDERING - _ANNOUNCES) | DOUBTS | _OF_NO_ORDERS
    asks = ("do", "i") in pairwise(words) or ("do", "we") in pairwise(words)
    return own and not asks and 2 < len(words) <= 16 and bool(said & _ANNOUNCES) and said.isdisjoint(doubtful)


_CONCLUDES = re.compile(r"\b(?:so|hence|therefore|thus|consequently)\s{0,3}:$", re.IGNORECASE)
_OWN_FOLLOW = re.compile(
    r"(?:ok(?:ay)?|so|now|well)?[,\s]{0,3}(?:mine|ours|what\s(?:i|we)(?:['’]d|\swould|\swill)?\s(?:want|order|like|do))"
    r"\s(?:is|are)(?:\s(?:this|these|as follows))?\s{0,3}[:.]?",
    re.IGNORECASE,
)


def announces_below(text: str) -> bool:
    """Whether a line that is no order ends by saying that the writer's orders follow, and what stands before that
    speaks of none of them: ``I won't do that. Mine are:``, ``A par - pic is no good, so:``."""
    before, last = last_sentence(text)
    said = {word for sentence in before for word in sentence}
    if said & (DRAFTS | POINTS_ON | OF_OTHER_TURNS | (CONDITIONS - CHATTY)):
        return False
    if _CONCLUDES.search(last):
        return not set(fold(last).split()) & (DRAFTS | POINTS_ON | (CONDITIONS - CHATTY))
    words = fold(last).split()
    follows = last.endswith(":") or words[-1:] == ["follows"]
    return _OWN_FOLLOW.fullmatch(last) is not None or (bool(before) and follows and announces(words))


SENDS = frozenset("send sending submit submitting enter herewith enclosed following follows follow".split())


def leads_in(text: str, powers: Names) -> bool:
    """Whether a line that ends with a colon only says that orders follow: ``Here are the orders we discussed:``."""
    if not text.rstrip().endswith(":"):
        return False
    if _WHAT_I_WANT.fullmatch(text):
        return True
    words = fold(text).split()
    if not words or len(words) > 12 or not LEAD_IN & set(words):
        return False
    return not AGAINST & set(words) and all(w in _LEAD_IN_WORDS or powers.exact(w) for w in words)


_KEEPS = frozenset(["keep", "save", "hold", "reserve", "rest", "remaining", "others"])
_KEPT_BACK = _KEEPS | frozenset(
    "the my all of unit units build builds place other everything else is are am kept keep unplaced remainder "
    "back for later next a another season turn winter year in reserve to come and "
    "keeping saving holding kept one two three four five six seven eight nine ten i will ill we well".split()
)
_NO_MORE = frozenset("i we no nothing more units for now place build this winter turn season at first yet".split())


def keeps_back(words: Collection[str]) -> bool:
    """Whether words say that some units are not placed or built yet: ``keep three back``, ``rest later``."""
    said = set(words)
    if said <= _NO_MORE and said & {"nothing", "more"} and said & {"place", "more", "now", "build"}:
        return True
    when = said & {"back", "later", "next", "reserve"}
    keeps = said & (_KEEPS | {"keeping", "saving", "holding", "kept"}) or said & {"build", "place"}
    return bool(when and keeps and said <= _KEPT_BACK)
