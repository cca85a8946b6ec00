"""What stands beside orders: acts, each with the orders in its scope, and remarks, which touch none.

An act touches only the orders in its scope: those whose unit, place or target it names (``named``), those at which it
points right beside or below them (``beside``), or all of the sheet, if it speaks of that (``sheet``). A sentence
without scope touches nothing, whatever its words."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec

from legation.board import province_of
from legation.notation.reading_text import LONGEST_CODE, Text
from legation.notation.vocabulary import OF_NAMES
from legation.orders import Disband, Hold, Remove

Scope = Literal["beside", "named", "sheet", "head"]
SHORT = 4  # words of a fragment that says nothing by itself
LONGEST_FRAGMENT = 9
SEVERAL = -2  # orders, at which words point by their number
LONGEST_SAYING = 14  # words of a sentence that takes back all orders
KINDS = ("retraction", "condition", "choice", "doubt", "correction", "negation", "question", "quotation", "plan")
"""Kinds of acts, the strongest first."""
_CLASS = {kind: kind.upper() for kind in KINDS}
ACTS = frozenset(_CLASS.values())
"""The classes of words that speak of an act."""


class Act(msgspec.Struct, frozen=True):
    """What a clause or a sentence says of orders: ``named`` are the provinces that it names, ``nth`` is the number of
    the order at which it points (0: the one beside it)."""

    kind: str
    scope: Scope
    named: frozenset[str] = frozenset()
    nth: int = 0


@cache
def effects() -> dict[tuple[str, str], str]:
    """Return what each kind of act does to the orders in a scope: ``stop`` or ``keep``."""
    text = files("legation.notation").joinpath("effects.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
    return {(kind, scope): effect for kind, scope, effect in rows}


def kinds_in(text: Text, first: int, last: int) -> dict[str, int]:
    """Return the kinds of act that words speak of, each with where its word stands first."""
    found: dict[str, int] = {}
    idle = first  # up to where an idiom goes, whose words say nothing
    for i in range(first, last):
        if (said := text.at[i].get("IDIOM")) and (said[0][1] != "inside" or i > first):
            idle = max(idle, i + said[0][0])
        if ACTS.isdisjoint(text.at[i]) and "KEEP" not in text.at[i]:
            continue
        led = i > 0 and (text.words[i - 1] == "-" or bool(text.kinds(i - 1)))
        if i < idle or (led and bool(text.places(i))):
            continue
        if text.adjusting and "KEEP" in text.at[i]:
            found.setdefault("retraction", i)
        for kind in KINDS:
            about = "NEGATION" in text.at[i] or (i + 1 < last and "COURTESY" in text.at[i])
            if kind == "correction" and about and text.words[i + 1] not in _SIGNS:
                continue  # no more talk, sorry about Holland
            if kind == "condition" and i > first and "ONLYFIRST" in text.at[i]:
                continue
            if kind not in found and (said := text.at[i].get(_CLASS[kind])) and i + min(n for n, _ in said) <= last:
                found[kind] = i
    return found


def has(text: Text, first: int, last: int, *names: str) -> bool:
    """Whether a word of one of the classes stands among the words."""
    return any(not text.at[i].keys().isdisjoint(names) for i in range(first, last))


def is_known(text: Text, first: int, last: int) -> bool:
    """Return whether each word is known, be it within a phrase, or names a place."""
    until = first  # up to where a phrase goes
    for i in range(first, last):
        until = max([until, *(i + length for said in text.at[i].values() for length, _ in said)])
        if i >= until and text.words[i].isalpha() and not text.places(i):
            return False
    return True


def acts(text: Text, first: int, last: int) -> bool:
    """Whether words say what a unit does: a word of an order, longer than a letter, or a dash."""
    for i in range(first, last):
        word = text.words[i]
        if word == "-" and i > first and i + 1 < last:
            return True
        if "TO" in text.at[i] and len(word) > 1 and i + 1 < last and text.places(i + 1):
            return True
        after = i + 1 + (len(word) == 2 and not text.at[i + 1].keys().isdisjoint(("IN", "TO", "TOWARDS")))
        letter = i > first and len(word) < 3 and not text.kinds(i) and bool(text.kinds(after) or text.places(after))
        letter = letter or (i > first and i + 1 == last and any(end == i for end, _, _ in text.places(i - 1)))
        if (len(word) > 2 or letter) and not text.at[i].keys().isdisjoint(text.reader.verbs):
            return True
    return False


def named(text: Text, first: int, last: int) -> frozenset[str]:
    """Return the provinces that are named: in full, where a unit or an order's word stands beside the name, or by the
    only own unit of a kind (``the fleet``)."""
    found: set[str] = set()
    i = first
    while i < last:
        step = 1
        with_kind = "ARTICLE" in text.at[i] and text.words[i + 1] in text.reader.kinds
        for end, unit, cost in text.units(i)[:1] if with_kind else ():
            if cost < 1 and end <= last and not text.places(end - 1):
                found.update(key for key in unit.place.meaning.keys if text.own(key))
                step = end - i
        for end, mention, cost in text.places(i):
            if end > last or cost > 0.3 or mention.misspelled:
                continue
            if _is_name(text, i, end, first, own=any(map(text.own, mention.meaning.keys))):
                found.update(mention.meaning.keys[:1])
                step = end - i
                break
        i += step
    return frozenset(found)


def _is_name(text: Text, i: int, end: int, first: int, *, own: bool) -> bool:
    """Whether the name of a place, perhaps an everyday word, means the place; ``own``: an own unit is there."""
    token = text.tokens[i]
    written = text.text[token.start : token.end]
    before = i > first and (bool(text.kinds(i - 1)) or text.words[i - 1] == "-")
    behind = text.words[end] == "-" or bool(text.kinds(end) and len(text.words[end]) > 1)
    if before or behind:
        return True
    if any(last == end and not cost for last, _, cost in text.powers(i)):
        return False
    if text.at[i].keys() - OF_NAMES:  # a word of the lexicon, too
        return written.isupper() and len(written) > 1
    code = end - i == 1 and len(token.text) <= 3
    capital = written[:1].isupper()
    return (capital and (i > first or own or not code)) or (not code and len(token.text) > 4)


def trimmed(text: Text, first: int, last: int) -> tuple[int, int]:
    """Return the words without signs at their ends."""
    while first < last - 1 and text.words[first] in _SIGNS:
        first += 1
    while last > first + 1 and text.words[last - 1] in _SIGNS:
        last -= 1
    return first, last


_SIGNS = frozenset(["(", ")", '"', ",", "-", ":", "/", "|", "*", "~", "&", ";", "'", "^"])


def beside(text: Text, first: int, last: int, *, leads: bool = False) -> Act | None:
    """Return the act of a clause that stands in the sentence of an order, behind a comma or in brackets; None if it is
    a remark. ``leads``: it stands before the order."""
    slash = text.words[first] in ("/", "|")
    colon = last < len(text.words) and text.words[last] == ":"
    first, last = trimmed(text, first, last)
    found = kinds_in(text, first, last)
    places = named(text, first, last)
    start = first
    while start < last - 1 and not text.at[start].keys().isdisjoint(("LEAD", "AND")):
        start += 1
    if not leads and not colon and _leaves_open(text, first, last, slash=slash):
        return Act("choice" if places or text.words[first] != "?" else "question", "beside", places)
    if "CONTRAST" in text.at[first]:
        return None
    if leads and has(text, first, first + 1, "PRECAUTION"):
        return Act("condition", "beside", places)
    if not leads and any(first + count == last for count, _ in text.at[first].get("PLAN", ())):
        return Act("doubt", "beside", places)  # (next turn)
    if leads and colon:
        heads = head_kind(text, first, last, found)
        above = heads == "retraction" and _of_above(text, first, last, found[heads])
        return Act(heads, "beside" if above else "head", places) if heads else None
    if leads and "quotation" in found and text.words[last] == '"':
        return Act("quotation", "head", places)
    if leads and "plan" in found and places and acts(text, first, last):
        return Act("plan", "head", places)
    does = len(text.words[first]) > 2 and not text.at[first].keys().isdisjoint(text.reader.verbs)
    if not leads and (_only_stays(text, first, last) or (places and does)):
        return Act("choice", "beside", places)
    for kind in ("condition", "choice", "correction", "retraction", "negation", "doubt", "quotation"):
        if kind in found and _stands_beside(_Said(text, first, last, kind, found[kind], places), start, leads=leads):
            return Act(kind, "beside", places)
    return None


def _of_above(text: Text, first: int, last: int, at: int) -> bool:
    """Whether a retraction before a colon is of the orders above it (``scrap that: A par - pic``), not of those that
    follow (``please ignore: A par - bur``)."""
    above = any(says == "above" for _, says in text.at[at].get("RETRACTION", ()))
    pointed = has(text, first, last, "POINTER", "SHEETWORD") and not has(text, first, last, "BELOW")
    return above or pointed or bool(named(text, first, last) or nth_of(text, first, last))


class _Said(msgspec.Struct, frozen=True):
    """A clause or a sentence with a word of an act: ``at`` is where that stands, ``places`` are the provinces that are
    named. ``follows``: it stands right behind or below an order; ``asks``: a question mark ends it."""

    text: Text
    first: int
    last: int
    kind: str
    at: int
    places: frozenset[str]
    follows: bool = False
    asks: bool = False

    @property
    def length(self) -> int:
        return self.last - self.first

    @property
    def acts(self) -> bool:
        return acts(self.text, self.first, self.last)

    @property
    def of_others(self) -> bool:
        """Whether it begins with another power, of which it speaks: ``England might bounce me in Belgium``."""
        text, first = self.text, self.first
        return not text.places(first) and any(not cost and power != text.power for _, power, cost in text.powers(first))

    @property
    def hard(self) -> bool:
        return "HARDCONDITION" in self.text.at[self.at]

    @property
    def until(self) -> int:
        """Where the clause ends in which the act's word stands."""
        return next((i for i in range(self.at, self.last) if self.text.words[i] == ","), self.last)

    @property
    def nth(self) -> int:
        """The number of the order at which the clause points (:func:`nth_of`)."""
        short = not self.asks and self.until - self.first <= LONGEST_FRAGMENT
        return nth_of(self.text, self.first, self.until) if short else 0

    @property
    def of_all(self) -> bool:
        """Whether it speaks of the whole sheet without naming it: ``all tentative``, ``this is only a draft until ...``
        A word or two right behind an order are of that order, and those with which a sheet begins are its heading."""
        if self.length <= 2 and (self.begins("ALL") or self.follows):
            return self.begins("ALL")
        if self.at == self.first and not self.text.ordered:
            return False
        led = (self.text.at[i].keys() for i in range(self.first, self.at))
        said = all(words & _BEFORE_DRAFT and "NEGATION" not in words for words in led)
        return said and "DRAFT" in self.text.at[self.at] and self.text.words[self.last] != ":"

    def has(self, *names: str) -> bool:
        """Whether a word of one of the classes is in it."""
        return has(self.text, self.first, self.last, *names)

    def begins(self, name: str) -> bool:
        """Whether it begins with a word of the class."""
        return name in self.text.at[self.first]


def _stands_beside(said: _Said, start: int, *, leads: bool) -> bool:
    """Whether a clause beside an order speaks of it; ``start`` is its first word behind those that lead to it."""
    text, kind, at, places = said.text, said.kind, said.at, said.places
    opens = at <= start
    if kind == "condition":
        hard = said.hard and said.last - at > 1 and "COURTESY" not in text.at[at - 1]  # sorry if this is late
        return (opens or hard) and not _polite(text, at, said.last)
    if kind == "choice":
        if any(_may_go(text, goal.meaning.keys) for _, goal, _ in text.places(start)[:1]):
            return True
        return opens and bool(places or said.length <= 2 or said.acts or "CONTINUE" in text.at[start])
    if kind == "negation":
        led = all(not text.at[i].keys().isdisjoint(_BEFORE_DENIAL) for i in range(said.first, at))
        return (opens or led) and _denies(text, start if opens else at, said.last, places)
    if kind == "doubt":
        return said.length <= SHORT and not said.has("COURTESY")
    if kind == "quotation":
        return leads and bool(places) and said.acts
    if kind == "retraction" and not leads and "KEEP" in text.at[at] and _contrast(text, places):
        return False
    alone = kind == "retraction" and said.length == 1
    return opens and (bool(places) or said.has("POINTER") or alone)


def _may_go(text: Text, keys: Sequence[str]) -> bool:
    """Whether a place holds no own unit and one may go there: it is another choice, not what others may do."""
    units = text.position.units_of(text.power) if text.position else ()
    reached = (text.reaches(unit.kind, unit.at)(key) for unit in units for key in keys)
    return not any(map(text.own, keys)) and (not units or any(reached))


def _denies(text: Text, first: int, last: int, places: frozenset[str]) -> bool:
    """Whether a clause that begins with a word that denies may deny the order beside it."""
    if _denies_thing(text, first) and last - first > 1 and not places:
        return False
    if last - first <= 2:
        return not _contrast(text, places)
    denied = bool(places) or acts(text, first, last) or "POINTER" in text.at[last - 1]
    return last - first <= SHORT + 1 and denied and not _contrast(text, places)


def _denies_thing(text: Text, at: int) -> bool:
    """Whether a word denies a thing or a person, not what is ordered: ``no support``, ``nobody will miss it``."""
    return not text.at[at].keys().isdisjoint(("NUMBERSIGN", "NOBODY"))


_BEFORE_DRAFT = frozenset(["THESE", "POINTER", "IT", "AUX", "DET", "LEAD", "STILL"])
_BEFORE_DENIAL = frozenset(["LEAD", "PLEASE", "FIRSTPERSON", "GREETING"])


def head_kind(text: Text, first: int, last: int, found: dict[str, int]) -> str:
    """Return the kind of act by which words before a colon may speak against what follows; empty if they only lead to
    it: ``Here is what I want:``, ``These replace my earlier orders:``."""
    if has(text, first, last, "REPLACES"):
        return ""
    if has(text, first, min(first + 4, last), "SAMPLE"):
        return "doubt"
    for kind in _HEADS:
        if kind == "retraction" and has(text, first, last, "EARLIER"):
            continue
        at = found.get(kind, last)
        far = at - first > 2 and not has(text, at - 1, at, "POINTER", "THESE")  # only do this if
        if at == last or (kind == "condition" and far):
            continue
        near = has(text, max(first, at - 2), min(at + 3, last), "SHEETWORD")
        if kind == "negation" and _denies_thing(text, at) and not near:
            continue  # no more talk
        if kind == "plan" and near and "EARLIER" in text.at[at]:
            return "doubt"  # last turn's orders
        if kind == "retraction" and "KEEP" in text.at[at]:
            return "negation" if text.units_over() > 0 else ""
        if kind == "condition" and _polite(text, at, last):
            continue
        own = has(text, first, first + 1, "WE") if kind == "quotation" else has(text, first, last, "FIRSTPERSON")
        own = own and not (kind == "negation" and has(text, at, last, "POINTER", "THESE"))
        own = own and (kind != "plan" or has(text, first, last, "SHEETWORD", "PAST"))  # my orders for next turn
        if kind in ("condition", "retraction") or not own:
            return kind
    return ""


_HEADS = ("retraction", "negation", "condition", "choice", "doubt", "quotation", "plan")


def _leaves_open(text: Text, first: int, last: int, *, slash: bool) -> bool:
    """Whether a clause leaves open what the order before it means: it has nothing but names of other places or kinds,
    perhaps with "or" or "?". Names that the order has already leave nothing open, unless a ``slash`` parts them."""
    said = _ordered(text, -1)
    further = text.words[first:last] == ["?"] or (slash and not text.words[first].isdecimal())
    i, enclosed = first, text.words[first - 1] == "("
    while i < last:
        named = [(end, {*m.meaning.keys}) for end, m, cost in text.places(i) if cost < 1 and end <= last]
        kinds = [(end, {kind}) for end, kind, _ in text.kinds(i) if len(text.words[i]) > 1 or text.adjusting]
        if any(text.places(end) for end, _ in kinds):
            return False  # it names a unit
        if named or kinds:
            i, keys = [*named, *kinds][0]
            if i < last and not enclosed and any(map(text.own, keys)):
                return False
            further = further or said.isdisjoint(keys)
        elif text.at[i].keys().isdisjoint(_OPEN) and text.words[i] not in _OPEN:
            return further and i > first and text.words[first - 1] == "/" and text.tokens[first].glued
        else:
            i += 1
    return further


_OPEN = frozenset(["TO", "CHOICE", "OR", "DET", "LEAVE", "?", "/"])


def _contrast(text: Text, places: frozenset[str]) -> bool:
    """Whether a clause only names what the order before it was not to be: another place."""
    return bool(places) and not places & _ordered(text, -1)


def _polite(text: Text, at: int, last: int) -> bool:
    """Whether a condition is mere politeness: ``if you please``."""
    return "COURTEOUS" in text.at[at] and not named(text, at, last)


def of_sentence(text: Text, first: int, last: int, asks: bool, *, follows: bool) -> Act | None:
    """Return the act of a sentence that holds no order; None if it is a remark. ``asks``: a question mark ends it;
    ``follows``: it stands right behind or below an order."""
    first, last = trimmed(text, first, last)
    found = kinds_in(text, first, last)
    if asks:
        found.setdefault("question", first)
    elif follows and (
        _only_stays(text, first, last) or (text.words[first - 1] == "|" and _leaves_open(text, first, last, slash=True))
    ):
        return Act("choice", "beside")
    if not found:
        return None
    places = named(text, first, last)
    for kind in KINDS:
        if kind not in found or (asks and kind == "correction"):
            continue
        said = _Said(text, first, last, kind, found[kind], places, follows, asks)
        scope = _scope(said)
        if scope is not None:
            whole = scope == "sheet" and any(says == "sheet" for _, says in text.at[said.at].get("RETRACTION", ()))
            return Act("doubt" if whole else kind, scope, places if scope == "named" else frozenset(), said.nth)
    return None


def _scope(said: _Said) -> Scope | None:
    kind, past = said.kind, said.has("PAST")
    numbers = kind in ("correction", "retraction") or (kind == "negation" and said.at == said.first)
    if numbers and said.nth:
        return "sheet" if said.nth == SEVERAL else "beside"
    if kind == "retraction":
        return _scope_of_retraction(said)
    if kind in ("correction", "negation") and (corrected := _scope_of_correction(said)) is not None:
        return corrected or None
    if kind in _LONGEST_NAMING and said.places and not past and not said.of_others:
        denied = kind == "negation" and said.at == said.first and bool(said.text.places(said.at + 1))
        denied = denied and not said.places.isdisjoint(_ordered(said.text))  # not Spain but Piedmont for the last
        if said.acts or said.length <= (LONGEST_FRAGMENT if denied else _LONGEST_NAMING[kind]):
            return "named"
    if said.has("SHEETWORD") or said.of_all:
        these = said.has("THESE") or said.of_all
        if kind == "doubt" and said.length <= LONGEST_SAYING and not past and not said.asks:
            return "sheet" if these else None
        if kind == "condition" and said.has("DIRECTION") and these:
            return "sheet"
    if not said.follows or said.asks:
        return None
    return "beside" if _speaks_of_last(said, past=past) else None


_LONGEST_NAMING = {"correction": LONGEST_FRAGMENT, "doubt": LONGEST_FRAGMENT, "negation": SHORT} | dict.fromkeys(
    ("question", "condition", "choice"), 0
)
"""Words of a sentence that speaks of the orders that it names, though it says nothing that a unit does."""


def _scope_of_correction(said: _Said) -> Scope | Literal[""] | None:
    """The scope of words that correct or deny; empty if they are a courtesy, None if nothing of this tells."""
    text, places, follows = said.text, said.places, said.follows
    bare = follows and not places and not said.asks
    corrects = said.kind == "correction" and not said.asks and "NEGATION" not in text.at[said.at]
    if (bare or (follows and corrects)) and said.length <= SHORT:
        words = [i for i in range(said.first, said.last) if text.words[i].isalnum()]
        said_anew = [i for i in words if text.at[i].keys().isdisjoint(_ONLY_CORRECTS)]  # Gas, sorry
        if all(corrects and text.places(i) for i in said_anew):
            return "beside" if said_anew or not said.has("COURTESY") else ""
    if said.at != said.first:
        return None
    if corrects and said.length <= LONGEST_FRAGMENT and _anew(text, said.first, said.last, places):
        return "named" if places & _ordered(text) else "beside" if follows else "sheet"
    short = said.length <= SHORT + 1 and is_known(text, said.first, said.last)
    return "beside" if bare and short and _points(text, said.first, said.last) else None


def _speaks_of_last(said: _Said, *, past: bool) -> bool:
    kind, text, length = said.kind, said.text, said.length
    stays = has(text, said.at, said.last, "HOLD", "LEAVE") and length <= LONGEST_FRAGMENT and not said.places
    if kind == "choice" and (stays or (length == 1 and said.begins("OPENEND"))):
        return True  # or hold; or
    short = length <= (LONGEST_FRAGMENT if "POINTER" in text.at[said.last - 1] else SHORT)  # I'm not sure about it
    if kind == "doubt" and short and not past and not said.has("COURTESY"):
        return True
    if kind == "condition" and (binds := _binds_last(said)) is not None:
        return binds
    if kind not in ("condition", "choice", "negation", "doubt") or not said.begins("CONTINUE"):
        return False
    says = kind != "choice" or length <= 2 or said.acts
    fragment = length <= LONGEST_FRAGMENT and says and not _polite(text, said.first, said.last)
    return fragment and (length <= SHORT or kind != "negation")


def _binds_last(said: _Said) -> bool | None:
    """Whether a condition is one of the order right before it; None if it doesn't tell."""
    text, first, at = said.text, said.first, said.at
    others = any(text.powers(i) for i in range(at + 1, said.until) if len(text.words[i]) > 3)
    fragment = (said.until if others else said.last) - first <= LONGEST_FRAGMENT  # only if Italy agrees, my dear Tom
    opens = at <= first + 1
    if said.hard and opens and said.length <= SHORT and not _polite(text, at, said.last):
        return True
    done = at > first + 1 and has(text, at - 1, at, "POINTER") and has(text, at - 2, at - 1, "DIRECTION", "DOING")
    if said.hard and (done or (at > first and said.begins("POINTER") and fragment)):
        return True  # only do this if Italy agrees
    if not (opens and fragment) or said.places:
        return None
    third = has(text, at + 1, at + 3, "THIRD") or "HOLD" in text.at[said.last - 1]
    return (others or third) and not _polite(text, at, said.last)


def _scope_of_retraction(said: _Said) -> Scope | None:
    text, first, last, at = said.text, said.first, said.last, said.at
    if "KEEP" in text.at[at] and text.words[last] == ":" and not said.places:
        return None  # it speaks of what follows
    follows = said.follows and not said.asks
    pointed = has(text, at + 1, min(at + 3, last), "POINTER")
    if follows and at <= first + 2 and pointed and not has(text, at, last, "SHEETWORD"):
        return "beside"
    if said.places and (said.acts or said.length <= LONGEST_FRAGMENT):
        return "named"
    if follows and said.length <= SHORT + 1 and _points(text, first, last):
        return "beside"
    ends = at <= first + 2 and not said.asks
    if ends and any(says == "sheet" and said.until - at <= n + 1 for n, says in text.at[at].get("RETRACTION", ())):
        return "sheet"  # please don't process yet
    near = has(text, max(first, at - 6), min(at + 6, last), "SHEETWORD")
    if near and not said.has("EARLIER") and not said.asks:
        return None if said.has("CONDITION", "PRECAUTION") else "sheet"
    return "beside" if follows and said.length <= 2 else None


def _anew(text: Text, first: int, last: int, places: frozenset[str]) -> bool:
    """Whether words behind one that corrects may say an order anew, though it isn't understood."""
    said = max((length for length, _ in text.at[first].get("LEADCORRECTION", ())), default=0)
    counts = any(
        text.words[i].isdecimal() or (len(text.words[i]) > LONGEST_CODE and text.kinds(i)) for i in range(first, last)
    )
    return bool(said) and "NEGATION" not in text.at[first] and bool(places or counts)


def _ordered(text: Text, since: int = 0) -> set[str]:
    """The provinces and kinds that the orders of the sheet name; ``since`` -1: the last one of them."""
    values = (v for order in list(text.ordered.values())[since:] for v in msgspec.structs.asdict(order).values())
    return {province_of(value) for value in values if isinstance(value, str)}


def _points(text: Text, first: int, last: int) -> bool:
    """Whether words point at one order: ``this order``, ``the last one``, ``take that back``."""
    phrase = any(length > 1 for i in range(first, last) for length, _ in text.at[i].get("POINTER", ()))
    return phrase or (has(text, first, last, "POINTER") and not has(text, first, last, "SHEETWORD"))


def nth_of(text: Text, first: int, last: int) -> int:
    """The number of the order at which words point: ``the first one``, ``line 2``, ``order no. 3``, -1 for ``the last
    line``; 0 if at none, :data:`SEVERAL` if at several: ``the first two``, ``all but the first``."""
    at, words = text.at, text.words
    numbers = [i for i in range(first + 1, last) if words[i].isdecimal()]
    ordinals = [i for i in range(first, last) if any(value for _, value in at[i].get("ORDINAL", ()))]
    pointed = [i for i in numbers if not at[i - 1].keys().isdisjoint(("NUMBERSIGN", "ORDERWORD"))]
    for i in ordinals:
        one = any(says for _, says in at[i + 1].get("ORDERWORD", ()))
        ends = i + 1 == last or not at[i + 1].keys().isdisjoint(("NUMBER", "ORDERWORD", "AUX"))
        if one or (ends and at[i]["ORDINAL"][0][1] != "-1"):  # the last orders were sent before
            pointed.append(i)
    if not pointed:
        return 0
    counted = any("ORDERWORD" not in at[i + 1] and "NUMBER" in at[i + 1] for i in ordinals if i + 1 < last)
    if counted or len(numbers) + len(ordinals) > 1 or has(text, first, last, "EXCEPT"):
        return SEVERAL
    return int(words[pointed[0]]) if pointed[0] in numbers else int(at[pointed[0]]["ORDINAL"][0][1])


def _only_stays(text: Text, first: int, last: int) -> bool:
    """Whether a clause is nothing but another thing to do than the order before it."""
    stays = all(text.at[i].keys() & {"HOLD", "LEAVE"} for i in range(first, last)) and len(text.words[first]) > 1
    return last - first <= 2 and stays and type(text.last_ordered()) not in (Hold, Disband, Remove)


_ONLY_CORRECTS = frozenset(["NEGATION", "LEADCORRECTION", "CORRECTION", "RETRACTION", "POINTER"])
