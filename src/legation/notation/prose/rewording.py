"""How corrections in prose are put: in clauses, each with words before and behind what it orders."""

from __future__ import annotations

import re

import msgspec

from legation.notation.prose.correcting import AGAINST
from legation.notation.prose.sayings import CORRECTS

CUES = CORRECTS | frozenset(
    "cannot cant isnt wont doesnt dont after drop meant mean had number line change keep stays".split()
)
"""Words of which a correction in prose has one."""
_NUMBERS = {
    **{word: n for n, word in enumerate("first second third fourth fifth sixth seventh eighth".split(), 1)},
    **{word: n for n, word in enumerate("1st 2nd 3rd 4th 5th 6th 7th 8th 9th".split(), 1)},
    "last": -1,
}
_ORDINAL = r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|[1-9](?:st|nd|rd|th)|last)"
_ONE = r"(?:one|order|line|build|removal|move|retreat|unit|entry)"
_SHOULD = r"(?:should (?:be|read|have been|say)|was (?:meant|supposed) to be|must be|ought to be|is to be|becomes|is)"
_COUNTED = re.compile(
    rf"(?:(?:in |on |for |change |make |please change |and )?"
    rf"(?:the |my |that |order |line |number |no\.? ?|# ?|build )?(?P<ordinal>{_ORDINAL})(?: {_ONE})?|"
    rf"(?:(?:in |on |for |change |make |please change )?(?:the |my )?(?:number|no\.?|#|line|order|build|entry|item) ?|"
    rf"(?:change|make) )(?P<number>\d{{1,2}}))"
    rf"(?:\s?[:,]\s?|\s(?:to|into|{_SHOULD})\b(?: to)?:?\s?|\s{{1,3}}(?=(?:[AFD]|army|fleet)\b))",
    re.IGNORECASE,
)
"""How a clause begins that counts the order which it replaces: ``the first one should be``, ``number 2:``."""
_OF_LAST = re.compile(
    r"(?:(?:and )?(?:please )?(?:make|change) (?:that|it|this)(?: one| to| into| a)?(?= )|i meant?|"
    r"(?:that|it|this|which) (?:should|was (?:meant|supposed) to) (?:be|read|have been)|"
    r"should (?:be|read|have been)|sorry|rather|correction)[,:.…-]{0,3}\s{1,3}",
    re.IGNORECASE,
)
"""How a clause begins that replaces what was said last: ``make that``."""
_LEADS = re.compile(
    r"(?:oh|ah|oops|ouch|argh|damn|hm{1,4}|uh|um|er+m?|ok(?:ay)?|well|so|and|but|then|now|or rather|wait|hold on|"
    r"no(?=[,:;.!…-]|\s(?:wait|sorry|make|rather|actually|hold on|i\s|scratch))|"
    r"nope|sorry|please|pls|actually|in fact|instead|rather|therefore|p\.?\s?s\.?|edit|correction|scratch that|"
    r"forget that|on (?:second thoughts?|reflection)|(?:second|better) thoughts?|"
    r"change of (?:mind|plans?|heart)|"
    r"i(?:['’]ve| have)? changed my mind|my (?:mistake|bad|error)|let me|i(?:['’]d| would) (?:like|rather have|prefer)|"
    r"i(?:['’]ll| will)|i want|let|have|just|of course|also|one (?:more )?change|small change|change(?=:)|amendment|"
    r"(?:a )?correction (?:to|of) (?:the above|that|my (?:orders|moves|builds|retreats)(?: above)?))"
    r"(?![\w'’])[,:;.!…]{0,3}\s{1,3}",
    re.IGNORECASE,
)
"""Words before what a clause orders."""
_ENDS = re.compile(
    r"[,\s]{1,3}(?:please|pls|instead|actually|after all|then|now|thanks|thank you|sorry|rather|of course|again|"
    r"for me|this time|as well|if you please|it should be|it should read|it is)[.!]{0,2}\Z",
    re.IGNORECASE,
)
"""Words behind what a clause orders."""
_JOINTS = re.compile(r"(?P<stop>[.;!…]{1,3}|,)\s{1,3}(?:so\s)?|:\s{1,3}|\s(?:so|because|since|but)\s", re.IGNORECASE)
TOPIC = re.compile(
    r"(?:(?:change|amend|alter|about|for|regarding|as for|with|of|in|correction (?:for|to|of)|"
    r"change (?:for|to|of|in))\s)?"
    r"(?P<what>[^,;:?!]{2,40})",
    re.IGNORECASE,
)
"""A clause that only says of which unit the next one speaks: ``change Paris``."""
STAYS = re.compile(
    r"(?:(?:keep|save|spare) (?P<kept>[^,;:]{2,40})|"
    r"(?P<stays>[^,;:]{2,40}?) (?:stays|remains|can stay|survives|is kept))(?: after all)?",
    re.IGNORECASE,
)
"""A clause that says that a unit isn't removed: ``keep Brest``."""
WITHIN = re.compile(
    r"(?<=\w)(?:\.{1,4}|…|,|;|!|\s[-–—]{1,2})\s{1,3}"
    r"(?:(?:oops|sorry|oh|no|nope|wait|er+m?|um|argh|damn|i meant?|or rather|rather|make (?:that|it)|correction|"
    r"that should (?:be|read)|should (?:be|read))(?![\w'’])[,:.!…]{0,3}\s{1,3}){1,3}"
    r"(?:to\s)?(?P<place>[^,;:.!?()\n]{2,40})[.!]{0,2}\Z",
    re.IGNORECASE,
)
"""How a line ends on which a unit goes elsewhere after all: ``F nap - adr... sorry Ionian``."""
BREAKS_OFF = re.compile(
    r"(?<=[\w)])(?:\.{2,4}|…|\?{1,3}|,|;|!|\s[-–—]{1,2})\s{1,3}(?=(?:oops|sorry|nope|wait|oh|scrap|scratch|forget|"
    r"no(?=[,:;.!…]|\s(?:wait|sorry|make|rather))|actually|hm{1,3}|er+m?|that['’]s|it['’]s|it can['’]?t|it cannot|"
    r"not adjacent|impossible)(?![\w'’]))|(?<=[\w)])(?:\.{2,4}|…)\s{1,3}(?=to\s)",
    re.IGNORECASE,
)
"""Where something else is said of the last unit of a line: ``F hol holds... scrap that, to Belgium``."""
KEPT = re.compile(
    r"(?:(?P<rest>(?:everything else|(?:the )?(?:rest|others|other ones?)|all others?|all else)(?: of (?:it|them))?)|"
    r"(?P<what>[^,;:?!]{2,40}?))(?:\s(?:is|are|stays?|remains?))?"
    r"\s(?:(?:the )?same|unchanged|fine|ok(?:ay)?|"
    r"as (?:above|before|it (?:is|was)|they (?:are|were)|(?:is|was|were|are)))",
    re.IGNORECASE,
)
"""A clause that says that something stays as it was ordered: ``yor same``."""
_FURTHER = re.compile(r"(?:and|also|plus|in addition)\b", re.IGNORECASE)
_OF_IT = re.compile(r"\s(?:it|that|them|this|that one)(?=\Z|\s(?:to|at|in|with)\s)", re.IGNORECASE)
_IT = re.compile(r"\A(?:it|he|she|that one|this one|that unit|the unit|they|this|that)\b(?!-)", re.IGNORECASE)
_HAS_SHOULD = re.compile(
    r"\b(?:should|shall|is to|was to|ought to|must|needs to|has to|will|can)\s(?:be\s|just\s)?", re.IGNORECASE
)
_SHOULD_BE_KIND = re.compile(
    r"(?P<place>[^,;:]{2,40}?) (?:should be|is|as|will be|becomes|shall be|must be|to be) (?:an?|the) "
    r"(?P<kind>[^\W\d_]{4,20})",
    re.IGNORECASE,
)
_KIND_IN = re.compile(r"\A(?:the |my )?(?:fleet|army|unit|build) (?:in|at) ", re.IGNORECASE)
_WAIVED = re.compile(r"waive (?:that one|that|it|this one|this|instead)\Z", re.IGNORECASE)
_BARE_VERB = re.compile(
    r"\A(?:to\s|hold|stay|support|move|go|retreat|disband|convoy|attack|remain|stand|back)", re.IGNORECASE
)


class Clause(msgspec.Struct, frozen=True):
    """A clause without the words around what it orders.

    ``count``: which of the orders above it replaces (-1: the last); ``of_last``: it begins with words that point at the
    one before it; ``definite``: it names a unit by ``the``; ``led``: a word of a correction stands before it;
    ``former``: what it says the order was; ``further``: it comes beside others (``and build A par``).
    """

    text: str
    count: int = 0
    of_last: bool = False
    definite: bool = False
    led: bool = False
    former: str = ""
    further: bool = False


def clauses(text: str) -> list[Clause]:
    """The clauses of a text."""
    found: list[str] = []
    begin = 0
    for joint in _JOINTS.finditer(text):
        word = text[begin : joint.start()].rsplit(maxsplit=1)[-1:] or [""]
        if joint.group().startswith(".") and len(word[0]) <= 2:  # St. Petersburg, A. Par
            continue
        if joint.group().startswith(":") and clause(f"{text[begin : joint.end()]}x").count:  # number 2: A lux - dij
            continue
        found.append(text[begin : joint.start()])
        begin = joint.end()
    found.append(text[begin:])
    return [clause(one) for one in found if one.strip(" .!,;:…")]


def clause(text: str) -> Clause:
    """A stretch of a line as a clause."""
    count, of_last, former = 0, False, ""
    text = text.strip(" ,;!…\t")
    text = text if text.endswith(("st.", "St.")) else text.rstrip(".")
    length = len(text)
    further = _FURTHER.match(text) is not None
    while True:
        if match := _COUNTED.match(text):
            word = match["ordinal"] or match["number"] or ""
            count = int(word) if word.isdecimal() else _NUMBERS.get(word.casefold(), 0)
        elif match := _OF_LAST.match(text):
            of_last = True
        elif not (match := _LEADS.match(text)):
            break
        text = text[match.end() :]
    led = len(text) < length
    if text and _LEADS.match(f"{text} "):
        text = ""  # nothing but such a word
    while match := _ENDS.search(text):
        text = text[: match.start()]
    if match := AGAINST.search(text):
        text, former = text[: match.start()], match["former"]
    return Clause(text, count, of_last, text[:4].casefold() == "the ", led, former, further)


def readings(one: Clause, unit: str, *, adjusting: bool) -> list[str]:
    """The texts of orders that a clause may mean, the plainest first; ``unit`` is the one that ``it`` means."""
    found = [one.text]
    if (match := _IT.match(one.text)) and unit and not adjusting:
        found = [unit + one.text[match.end() :]]
    elif unit and one.text and _BARE_VERB.match(one.text):
        found.append(f"{unit} {one.text}")
    if unit and (match := _OF_IT.search(one.text)):  # disband it
        found.append(f"{one.text[: match.start()]} {unit}{one.text[match.end() :]}")
    if one.text[:5].casefold() == "make ":
        found.append(one.text[5:])
    if adjusting and (match := _SHOULD_BE_KIND.fullmatch(one.text)):
        place = _KIND_IN.sub("", match["place"])
        found.append(f"make {place} a {match['kind']}")
    if adjusting and _WAIVED.match(one.text):
        found.append("waive")
    return [*found, *(plain for text in found if (plain := _HAS_SHOULD.sub("", text, count=1)) != text)]
