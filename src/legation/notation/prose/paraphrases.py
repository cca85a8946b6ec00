"""Sentences that say in other words what is built, removed or where dislodged units go: ``Off go F mao and A stp``,
``In Paris I build an army, in Brest a fleet``. Each is rewritten as an order in plain words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from legation.notation.prose.sayings import CONDITIONS, DRAFTS, HEARD, QUOTES
from legation.position import Phase

_KIND = r"(?:an?|one|the) (?:army|fleet)"
_X = r"(?:the |my )?(?P<x>[^,;:.?!]{2,60}?)"
_LIST = r"(?P<x>[^;:.?!]{2,120}?)"
_I = r"(?:I|we)(?:['’]ll|['’]d| will| shall| must| have to| would like to| want to| am going to)?"
_REST = r"(?:the |my )?(?P<count>other|second|third|fourth|fifth|sixth|last|rest|remaining)(?: one| builds?)?"
_NOT = r"(?:do not|don['’]?t|will not|won['’]?t|shall not|shan['’]?t|would not|wouldn['’]?t)"

_BUILT = (
    (rf"in {_X},? {_I} (?:build|place|put|raise|want|like) (?P<k>{_KIND})"
     rf"(?:,? (?:and )?in (?P<y>[^,;:.?!]{{2,40}}?),? (?P<l>{_KIND}))?", "build {k} in {x}; build {l} in {y}"),
    (rf"{_X} (?:gets|receives|has) (?P<k>{_KIND})"
     rf"(?:,? (?:and|while) (?P<y>[^,;:.?!]{{2,40}}?)(?: gets| receives)? (?P<l>{_KIND}))?",
     "build {k} in {x}; build {l} in {y}"),
    (rf"{_X} (?:gets|receives|builds) (?P<k>{_KIND}),? (?:and )?(?:so|as) (?:does|will) (?P<y>[^,;:.?!]{{2,40}}?)",
     "build {k} in {x}; build {k} in {y}"),
    (rf"(?:{_I} build )?(?:one|an|a) (?P<k>army|fleet) (?:in|at) {_X},? (?:and )?the other(?: one)? (?:in|at) "
     r"(?P<y>[^,;:.?!]{2,40}?)", "build {k} in {x}; build {k} in {y}"),
    (r"for my (?:\w{3,10} )?builds?,? (?P<x>I [^;:.?!]{4,120})", "{x}"),
    (rf"{_I}(?: {_NOT})?(?: want to| wish to| need to)? (?:use|take|need|build) {_REST}"
     r"(?: this (?:year|time|winter|turn))?,? ?(?:\(?waived?\)?)?", "waive {count}"),
    (rf"{_REST} {_I} {_NOT} (?:use|take|need)", "waive {count}"),
    (rf"{_I} (?:keep|leave|save|hold) {_REST}"
     r"(?: for later| for next (?:year|time|winter)| back| open| unused| in hand)+",
     "waive {count}"),
    (r"(?:one|1) build (?:is )?waived", "waive"),
    (rf"[^;:.?!]{{4,90}}?,? (?:so|which|and|hence|therefore) {_I} waive(?: it| that| that one)?", "waive"),
)  # fmt: skip
_HOME = r"home(?: supply)?(?: cent(?:er|re)| city)?"
_FIRST = r"(?:(?:very )?(?:first|starting|initial) )?"
_BE = r"(?:is|will be|shall be|would be|:|-|=)"
_AND = rf"(?:and (?:{_I} (?:have |build |like |want )?)?|and would like |and want )?"
_STARTED = (
    (rf"(?:my|our|the) first (?:unit|host|force|piece)(?: of (?:mine|ours|the game))? {_BE} (?P<k>{_KIND}) "
     rf"(?:in|at) {_X}", "build {k} in {x}"),
    (rf"(?:my |our |the )?{_FIRST}(?:{_HOME}|cent(?:er|re)|capital|city|place)? ?{_BE}? ?{_X},? "
     rf"(?:and )?with (?P<k>{_KIND})(?: there| in it)?", "build {k} in {x}"),
    (rf"{_I} (?:choose|pick|select|take|want|like) {_X} (?:for|as) (?:my|our|the) {_FIRST}"
     rf"(?:{_HOME}|cent(?:er|re)|capital)(?:,? {_AND}(?:with )?(?P<k>{_KIND})(?: there| in it)?)", "build {k} in {x}"),
    (rf"{_I} (?:begin|start|open|dwell|live|settle|make (?:my|our) home) (?:in|at) {_X},? (?:and )?with (?P<k>{_KIND})"
     r"(?: there| in it)?", "build {k} in {x}"),
    (rf"{_I} (?:begin|start|open|dwell|live|settle) (?:in|at) {_X},? and (?:my|our|the) first (?:unit|host|force) "
     rf"{_BE} (?P<k>{_KIND})", "build {k} in {x}"),
    (r"(?:my|our|the) (?P<k>defensive army(?: \(3d\))?|triple army|armies|fleets|army|fleet) "
     r"(?:will |shall |must |to )?(?:be|stand|go|start|begin|sit|are|is|stands|goes|starts|sits)(?: placed)? "
     r"(?:in|at|to) (?P<x>[^;:.?!]{2,120}?)", "build {k} in {x}"),
    (rf"(?:{_I} )?(?:begin|start|open)s? with (?P<k>{_KIND}) (?:in|at) {_X}", "build {k} in {x}"),
)  # fmt: skip
"""How people say where a power starts, and with which unit."""
_LEFT = (
    (rf"{_X}(?: one)? {_I} (?:take off(?: the board)?|disband|remove|give up|scrap|sacrifice)", "{leave} {x}"),
    (r"(?:take )?off (?:go|goes|with) (?P<x>[^;:.?!]{2,120}?)", "{leave} {x}"),
    (rf"take {_LIST} off(?: the board)?,? and (?:also )?(?P<y>[^;:.?!]{{2,60}}?)(?: too| as well)?",
     "{leave} {x}, {y}"),
    (rf"{_LIST} (?:have to go|has to go|must go|have to leave|go off|goes off|goes too|is lost|are lost|"
     r"is gone|are gone|must leave|gives? up|is given up|are given up)", "{unit} {x}"),
    (rf"{_I} (?:give up|part with|sacrifice|let go of|lose|drop|take off|say goodbye to) {_LIST}", "{unit} {x}"),
    (rf"(?:goodbye|farewell|bye bye|adieu),? {_LIST}", "{unit} {x}"),
    (rf"(?:the )?(?:ones?|two|three|first|units?)? ?(?:to go|that go(?:es)?|I remove|I disband)(?: are| is|:) {_LIST}",
     "{unit} {x}"),
    (rf"one of them is {_LIST}", "{unit} {x}"),
    (r"(?:please )?(?:disband|remove) both(?: of (?:them|my units))?", "{leave} both"),
    (rf"(?:I|we)(?:['’]m| have| am|['’]ve| are)? [\w ]{{2,40}}?,? (?:and )?so {_I} "
     rf"(?:disband|remove|lose|drop) {_LIST}",
     "{leave} {x}"),
    (r"(?:I|we) (?:lose|have lost|must lose|have to lose|am|are|must remove) (?:one|two|three|four|\d)"
     r"(?: units?| down| short| over)?[,:]? (?:namely )?(?P<x>(?:[AF] |the |my |army |fleet )[^;:.?!]{2,120}?)",
     "{leave} {x}"),
)  # fmt: skip
_BACK = (
    (rf"{_I} (?:retreat|go|withdraw|fall back) to {_X} with (?P<k>(?:the|my) (?:army|fleet))"
     r"(?:,? and to (?P<y>[^,;:.?!]{2,40}?) with (?P<l>(?:the|my) (?:army|fleet)))?", "{k} to {x}; {l} to {y}"),
)  # fmt: skip
_PATTERNS = {
    Phase.ADJUSTMENTS: [(re.compile(pattern, re.IGNORECASE), plain) for pattern, plain in (*_BUILT, *_LEFT)],
    Phase.PLACEMENT: [(re.compile(pattern, re.IGNORECASE), plain) for pattern, plain in (*_STARTED, *_BUILT[:3])],
    Phase.RETREATS: [(re.compile(pattern, re.IGNORECASE), plain) for pattern, plain in (*_BACK, *_LEFT)],
}
_NEVER = (
    (CONDITIONS - {"would", "first", "rather"})
    | (DRAFTS - {"next", "later"})
    | QUOTES
    | (HEARD - {"want", "wants", "plan", "plans"})
    | frozenset("? or".split())
)
"""Words of sentences that leave something open."""
LONGEST = 160  # characters of such a sentence
_LEADS = re.compile(
    r"(?:(?:so|ok(?:ay)?|well|then|and|also|please|pls|sadly|alas|hi|hello|sorry)[,!]?\s)+", re.IGNORECASE
)
_ENDS = re.compile(
    r"(?:[,\s]{1,9}(?:please|pls|thanks|thank you|then|sadly|alas|sorry|again|this time|i fear|i guess))+\Z",
    re.IGNORECASE,
)


def paraphrases(text: str, phase: Phase) -> Iterator[tuple[str, bool]]:
    """The orders in plain words that a sentence may mean, one after the other, and whether it must name the kinds of
    their units, as of a place alone it may be said that a center is lost."""
    if len(text) > LONGEST or phase not in _PATTERNS:
        return
    bare = text.strip(" .!,;").replace("should like", "would like")
    bare = _ENDS.sub("", bare[lead.end() :] if (lead := _LEADS.match(bare)) else bare)
    if not _NEVER.isdisjoint(re.findall(r"\w+|[^\w\s]", bare.casefold())):
        return
    leave = "disband" if phase is Phase.RETREATS else "remove"
    for pattern, plain in _PATTERNS[phase]:
        if (match := pattern.fullmatch(bare)) is None:
            continue
        said = match.groupdict()
        clauses = [
            clause.format(leave=leave, unit=leave, **said)
            for clause in plain.split("; ")
            if all(said[name] is not None for name in re.findall(r"\{(\w)\}", clause))
        ]
        yield ", ".join(clauses), "{unit}" in plain
