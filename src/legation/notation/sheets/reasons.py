"""Remarks beside a complete order that give its reason, or say what another power's unit does: ``(Germany supports from
Mun)``, ``because Italy leaves``. The order counts, and the remark is reported as not read."""

from __future__ import annotations

from collections.abc import Sequence

from legation.board import province_of
from legation.notation import other_languages
from legation.notation.forms.helping import others_help_end
from legation.notation.grammar import PAST, Grammar
from legation.notation.names import COASTS, SHORTEST_BEGINNING
from legation.notation.parsing.orders import Parser
from legation.notation.prose import sayings, seasons
from legation.notation.sheets.asides import MOST_WORDS, SAYS_HOW
from legation.notation.sheets.grounds import leaves_order, may_name, opens_reason, orders_own, power_of, tells_of_others
from legation.notation.sheets.harmless import PLANS, changes_nothing
from legation.notation.sheets.shapes import looks_like_order, part_end
from legation.notation.small_words import ARTICLES, FILLERS, JOINTS
from legation.orders import Disband, Hold, Order, Remove, Retreat, SupportHold
from legation.position import Phase

NOT_READ = "this is in brackets, so it wasn't read; if it is an order, write it on a line of its own"
A_REASON = "this only gives a reason, so it wasn't read; if it is an order, write it on a line of its own"
OF_OTHERS = "this says what another power's unit does, so it wasn't read; you can order only your own"
UNREAD = frozenset([NOT_READ, A_REASON, OF_OTHERS])
SHORTEST_REMARK = 3  # words of a remark that says something
SHORTEST_ALONE = 5  # letters of a single word that is no abbreviation: ``(defensive)``
_TELLS = frozenset(
    "says said say told tells agreed agrees promised promises expect expects heard i we he she they you your "
    "hope hopes hoping".split()
)
"""Words of hearsay by which a remark gives a reason."""
_DOUBTFUL = (
    sayings.AGAINST
    | sayings.DOUBTS
    | sayings.QUESTIONS
    | sayings.QUOTES
    | sayings.CORRECTS
    | sayings.CROSSES
    | sayings.BACK_OUT
    | sayings.HAPPENED
    | sayings.HELPED
    | SAYS_HOW
    | other_languages.DOUBT
    | seasons.SEASONS.keys()
    | PAST
    | (sayings.HEARSAY - _TELLS)
    | {"option", "convoy", "convoys", "convoyed", "via", "order", "orders", "supported"}
) - {"because", "take", "make", "sorry", "moved", "attacked"}
"""Words of remarks that may say whether, or how, an order is meant."""
_GIVES_REASON = frozenset("against because since for as".split())
_KNOWS = frozenset("expect heard know promised agreed fear fears hope trust hear see".split())
_STATES = frozenset(["is", "are"])
_NEGATED = frozenset(f"{word}nt" for word in "are did does has have was were would could should wo do is ca".split())
_AIMING = frozenset("cutting covering guarding protecting blocking bouncing keeping gaining threatening".split())
"""What an order may be given for, behind a comma."""
_REMARKS = frozenset(
    "as i we im ive its it is he hes she they this hoping fearing expecting because since for with".split()
)
"""Other first words of remarks behind a comma or a semicolon."""
_LIKELY = frozenset("probably likely hopefully presumably will may might should want wanting".split())
_COMES_OF_IT = frozenset(
    "bounce bounces succeed succeeds fail fails standoff i think expect this it a the do enough work works both all "
    "they these".split()
)
"""Words of remarks that guess an order's result: ``should bounce``, ``will likely fail``."""
_PURPOSES = frozenset(
    "annoy bother keep scare tease please stop prevent save spoil help hinder threaten harass deny distract tempt "
    "disturb frighten irritate impress".split()
)
"""What an order may be given for: ``to keep the English busy``."""
_STATED = frozenset("is was are were has".split())
_WHOSE = frozenset("my our the his her their".split())
_NO_MATTER = (
    ("do", "not", "worry"),
    ("dont", "worry"),
    ("no", "worries"),
    ("no", "hard", "feelings"),
    ("no", "offence"),
    ("no", "offense"),
    ("of", "course"),
    ("no", "use"),
    ("no", "point"),
    ("no", "need"),
    ("you", "never", "know"),
    ("never", "mind", "why"),
    ("never", "mind"),
    ("for", "a", "change"),
    ("but", "ok"),
    ("but", "okay"),
    ("but", "fine"),
)
"""Courtesies in remarks."""
_GREETS = frozenset("hello hi hey bye goodbye farewell welcome sorry poor dear thanks take that".split())
"""Words of remarks that call something to another power."""
_LEAVES_WITH = frozenset("hello bye goodbye farewell adieu".split())
_OTHERS = frozenset("he she they someone somebody anyone anybody".split())
_THREATENS = frozenset("tries attacks stabs lies cheats comes moves turns".split())
"""What others may do for fear of which an order is given: ``(in case Turkey tries something)``."""
_LATER = frozenset("then next later after followed afterwards and to".split())
_SEASONS = ("spring", "summer", "fall", "autumn", "winter")
_OTHER_TURNS = (
    ("next", "turn"),
    ("next", "year"),
    ("next", "season"),
    ("next", "time"),
    ("later",),
    *((word, season) for season in _SEASONS for word in ("in", "next")),
    *(("in", "the", season) for season in _SEASONS),
)
_PUT_OFF = frozenset("for in the next later turn year season time then and to only".split()) | frozenset(_SEASONS)
"""Words that alone may put an order off: ``for the next turn``."""
_TO = frozenset("to into toward towards".split())


def reason_end(parser: Parser, orders: Sequence[Order]) -> int:
    """Where a remark ends that comes next behind these orders and leaves them as they are; 0 where what comes is none,
    or may mean something for them."""
    tokens, start = parser.tokens, parser.at
    if orders and (length := opens_reason(parser)):
        end = part_end(parser, start, start + length)
        if leaves_order(parser, length, end, orders[-1]):
            return end
    if orders and (end := others_help_end(parser)):
        return end
    if orders and parser.peek(-1) == "," and parser.peek() == "which" and parser.peek(1) in _STATED:
        end = start + 2
        while end < len(tokens) and not tokens[end - 1].stop and tokens[end].text not in (",", ";", "("):
            end += 1
        return end if _tells_which([token.text for token in tokens[start + 1 : end]], parser) else 0
    comma = orders and parser.peek(-1) in (",", ";")
    if comma and parser.speaker_orders():
        return 0  # ..., I waive the second build
    others = parser.peek() == "the" and power_of(parser.peek(1), parser.reader) not in ("", parser.power)
    remarks = (parser.peek() in _REMARKS and parser.phase is not Phase.PLACEMENT) or others
    if comma and (parser.peek() in _AIMING or remarks):
        end = part_end(parser, start, start)  # ..., cutting any support
        said = [token.text for token in tokens[start + others : end]]
        alone = said[0] in _AIMING or not (said[0] in ("with", "so") and is_told(said, parser.reader))
        if alone and _is_reason(said, parser, orders[-1]):
            return end
    if orders and (end := _purpose_end(parser, orders[-1])):
        return end
    if parser.peek() != "(" or not orders:
        return 0
    said = [token.text for token in tokens[start + 1 : start + 2 + MOST_WORDS]]
    if "(" in said[: said.index(")") if ")" in said else 0] or ")" not in said:
        return 0
    end = start + 2 + said.index(")")
    said = said[: end - start - 2]
    if not _ends_an_order(parser, end):
        return 0
    order = orders[-1]
    harmless = _tells_purpose(said, parser, order) or changes_nothing(said, parser, order)
    return end if harmless or _is_reason(said, parser, order) else 0


def trailing_end(parser: Parser, order: Order) -> int:
    """Where a remark behind a comma or a semicolon ends that comes next and cannot change the order before it: ``...,
    just like in the old days``; 0 where none comes."""
    start = parser.at
    before = start
    while before and parser.tokens[before - 1].text in FILLERS:  # ..., just like in the old days
        before -= 1
    if not before or parser.tokens[before - 1].text not in (",", ";"):
        return 0
    end = part_end(parser, start, start)
    said = [token.text for token in parser.tokens[start:end]]
    place = parser.longest_name(start)[0].keys[:1]
    elsewhere = place and not parser.present("", parser.power)(province_of(place[0]))  # ..., Marseilles is taken
    starts = parser.names_unit() or parser.opening_comes() or (looks_like_order(parser, start) and not elsewhere)
    if starts or "(" in said:
        return 0
    told = said[:2] == ["in", "case"] or power_of(said[0], parser.reader) not in ("", parser.power)
    return end if (told and _is_reason(said, parser, order)) or changes_nothing(said, parser, order) else 0


def _purpose_end(parser: Parser, order: Order) -> int:
    """Where words end that come next and tell what an order is for, ``to annoy the Russians``; 0 where none come, or
    they may say where the unit goes or what it does."""
    start = parser.at
    ahead = 2 * (parser.peek() == "in" and parser.peek(1) == "order")
    ahead += parser.peek(ahead) == "just"
    if parser.peek(ahead) != "to":
        return 0
    end = part_end(parser, start, start + ahead + 2)
    said = [token.text for token in parser.tokens[start + ahead : end]]
    return end if _tells_purpose(said, parser, order) else 0


def _tells_purpose(said: Sequence[str], parser: Parser, order: Order) -> bool:
    """Whether words tell what an order is for, now or in a later turn: ``to annoy the Russians``, ``to help next
    time``."""
    if len(said) < 3 or said[0] != "to" or isinstance(order, SupportHold):
        return False
    rest = said[2:]
    plain = set(rest).isdisjoint(_DOUBTFUL | {"-", "?"}) and not orders_own(rest, parser)
    acts = any(one in parser.reader.verbs and len(one) > 1 for one in rest)
    if said[1] in _PURPOSES and plain and not acts:
        return True
    return said[1] in PLANS and not {"next", "later"}.isdisjoint(rest) and changes_nothing(said[1:], parser, order)


def _tells_which(said: Sequence[str], parser: Parser) -> bool:
    """Whether what stands behind ``which`` only tells of a place: ``, which is a home of mine now,``."""
    against = _DOUBTFUL - PAST - {"supported"}
    return len(said) > 2 and set(said).isdisjoint(against | {"-", "?"}) and not orders_own(said, parser)


def is_told(said: Sequence[str], reader: Grammar) -> bool:
    """Whether a remark names a unit, a place or a power, or is a single word that is not known."""
    words = [word for word in said if word.isalpha() and word not in ("support", "supports")]  # to cut support
    if "?" in said:
        return True
    return len(words) < 2 or any(may_name(word, reader) or power_of(word, reader) for word in words)


def _ends_an_order(parser: Parser, end: int) -> bool:
    """Whether nothing behind a remark goes on with the order before it."""
    tokens = parser.tokens
    return end >= len(tokens) or tokens[end - 1].stop or tokens[end].text in JOINTS or looks_like_order(parser, end)


def _is_reason(said: Sequence[str], parser: Parser, order: Order) -> bool:
    """Whether words tell why an order is given or what others do, and cast no doubt on it: all of them together, or
    each clause of several; a question that offers no other order does not either."""
    if "?" in said and parser.peek() == "(":
        return _asks_in_passing(said, parser, order)
    if _PUT_OFF.issuperset(said):
        return False
    if cannot_besides(said, parser, order):
        return True
    clauses: list[list[str]] = [[]]
    for word in said:
        clauses += [[]] * (word in (",", ";"))
        clauses[-1] = clauses[-1] + [word] * (word not in (",", ";"))
    if len(clauses) > 1 and all(clause and _tells_why(clause, parser, order) for clause in clauses):
        return True
    return _tells_why(said, parser, order)


def _says_little(said: Sequence[str], parser: Parser, order: Order) -> bool:
    """Whether words can only be a remark, though one of them might mean something elsewhere: ``too big to move``,
    ``while they are away``, ``hope he doesn't see it``, ``hello Russia``."""
    first, rest = said[0], said[1:]
    others = rest[:1] != [] and (rest[0] in _OTHERS or bool(power_of(rest[0], parser.reader)))
    plain = "-" not in said and not orders_own(said, parser)
    if first == "too" and "to" in rest[1:3]:
        return not any(may_name(word, parser.reader) for word in rest if word not in parser.reader.verbs)
    if first in ("while", "hope", "hoping") and others:
        denied = frozenset(sayings.NEGATIONS | _NEGATED | {"does"}) if first != "while" else frozenset[str]()
        return plain and set(rest).isdisjoint((_DOUBTFUL | _NEGATED) - denied)
    words = [word for word in said if word not in ARTICLES | {"a", "an"}]
    if len(words) == 1 and len(words[0]) > 1 and words[0] in parser.reader.kinds:
        return parser.reader.kinds[words[0]] == getattr(order, "kind", "")  # F bre (a fleet)
    if first in _LEAVES_WITH and len(rest) == 1 and rest[0] not in parser.reader.kinds:
        return may_name(rest[0], parser.reader)  # goodbye Adriatic
    return first in _GREETS and all(word in _GREETS or power_of(word, parser.reader) for word in rest) and others


def _tells_why(said: Sequence[str], parser: Parser, order: Order) -> bool:
    """Whether words tell one reason for an order."""
    reader = parser.reader
    if _says_little(said, parser, order):
        return True
    if _is_another_turns(said) or _is_owner(said, parser, order):
        return True
    said = said[said[:2] == ["just", "to"] :]  # just to cut support
    if said[:2] == ["in", "case"] and len(said) > 3 and (said[2] in _OTHERS or power_of(said[2], reader)):
        return said[3] in _THREATENS and set(said[2:]).isdisjoint(_DOUBTFUL | {"-"}) and not orders_own(said, parser)
    remark, said = said, _without_counts(said)
    words = [word for word in said if word.isalpha()]
    if words[:2] == ["as", "in"] and set(said).isdisjoint(sayings.AGAINST | {"-"}):  # as in the rules
        return True
    if words and tells_of_others(words, said, parser, order):
        return True
    if set(words) & _LIKELY and set(words) <= _LIKELY | _COMES_OF_IT:  # (bounce probably)
        return True
    if not words or set(said) & (_DOUBTFUL | _NEGATED) or any(word.isdecimal() for word in said):
        return False
    if words[:2] == ["to", "be"] and words[2:3] not in (["safe"], ["sure"]):  # to be confirmed
        return False
    if set(said) & (COASTS.keys() | {"coast"}) and _has_coasts(order, reader):
        return False
    if orders_own(said, parser) or set(words) <= sayings.OUTCOMES:
        return False
    named = any(may_name(word, reader) for word in said)
    if isinstance(order, SupportHold) and (named or len(words) < 2):  # it may say where the supported unit goes
        return (words[0] == "against" and not _acts(words, reader)) or words[:2] == ["holding", "the"]
    if len(said) < len(remark) and all(power_of(word, reader) for word in words):  # Russia, do not worry
        return True
    if len(words) == 1:
        return _says_nothing(words[0], parser, order)
    if not named or _tells_of_another(words, parser, order) or _expects(words):
        return True
    if "-" in said:
        return words[0] in ("guarding", "blocking", "bouncing")
    if _names_no_place(words, parser, order):
        return True
    if _acts(words, reader):
        return _holds_the(words)
    gives = not {words[0], words[1]}.isdisjoint(_GIVES_REASON) or "fear" in words[:3] or words[1] in _STATES
    return gives or (words[0].endswith("ing") and words[0] not in reader.openings and _TO.isdisjoint(words))


def _asks_in_passing(said: Sequence[str], parser: Parser, order: Order) -> bool:
    """Whether a remark asks whether the order is right, and offers no other: ``(may I build there?)``, ``(or should I
    write North Sea?)``."""
    if len(said) < 3:
        return False
    named, at = set(), parser.at + 1
    while parser.tokens[at].text != ")":
        meaning, end = parser.longest_name(at)
        if parser.tokens[at].text == "-":
            return False  # (or A par - pic?)
        if meaning.keys and parser.tokens[at].text not in _ASKING:
            named.add(province_of(meaning.keys[0]))
        at = max(end, at + 1)
    own = {province_of(getattr(order, name, "") or "") for name in ("to", "at", "target")}
    acts = any(word in parser.reader.verbs or word in parser.reader.openings for word in said if len(word) > 2
               and word not in _ASKING)  # fmt: skip
    if not named <= own or acts or not set(said).isdisjoint(_LEAVES_OPEN):
        return False
    return ("or" not in said and "should" not in said) or bool(_SPELLS & set(said))


_ASKING = frozenset("can may is are build there was legal not let call see".split())
_LEAVES_OPEN = sayings.DOUBTS | frozenset("rather better else change what which".split())
_SPELLS = frozenset("write spell call spelled written called".split())


def cannot_besides(said: Sequence[str], parser: Parser, order: Order) -> bool:
    """Whether a remark says what a unit that leaves cannot do besides: ``(it can't get home anyway)``."""
    leaves = isinstance(order, Remove | Disband | Retreat)
    words = set(said)
    placed = {province_of(getattr(order, name, "") or "") for name in ("at", "to")}
    own = any(province_of(key) in placed for word in said if len(word) > 2
              for key in parser.reader.places.meaning(word, parser.power).keys)  # fmt: skip
    cannot = said[:1] != [] and said[0] in ("it", "he", "she", "they") and not {"cant", "cannot"}.isdisjoint(said[:3])
    return leaves and cannot and not own and words.isdisjoint(sayings.DOUBTS | {"?", "or", "-", "so", "but"})


def _without_counts(said: Sequence[str]) -> list[str]:
    """The words of a remark less those that only count (``my first build``) or are courtesies (``don't worry``)."""
    kept: list[str] = []
    at = 0
    while at < len(said):
        courtesy = next((words for words in _NO_MATTER if tuple(said[at : at + len(words)]) == words), ())
        before, after = said[at - 1] if at else "", said[at + 1] if at + 1 < len(said) else ""
        if said[at] in ("rule", "rules", "clause", "section") and after[:1].isdecimal():  # (rule 7)
            at += 2
            continue
        counts = said[at] in sayings.ORDINALS and (before in _WHOSE or after in sayings.COUNTED or len(said) == 1)
        if courtesy or not counts:
            kept += [] if courtesy else [said[at]]
        else:
            kept.append("one")
        at += len(courtesy) or 1
    return kept or ["one", "thing"] * bool(said)


def _is_another_turns(said: Sequence[str]) -> bool:
    """Whether a remark says what comes in a later turn: ``then Lvp in Fall``, ``build there later``."""
    later = any(tuple(said[i : i + len(words)]) == words for words in _OTHER_TURNS for i in range(len(said)))
    plans = said[:1] != [] and (said[0] in _LATER or said[-1] in _LATER)
    return later and plans and set(said).isdisjoint((sayings.AGAINST - sayings.DRAFTS) | sayings.QUESTIONS | {"this"})


def _is_owner(said: Sequence[str], parser: Parser, order: Order) -> bool:
    """Whether a remark tells truly whose unit is helped: ``England's fleet``, ``the Italian one; I hope he knows``."""
    words = [word for word in said if word not in ARTICLES]
    target = province_of(getattr(order, "target", ""))
    position = parser.position
    if not target or not words or position is None or not set(said).isdisjoint(_DOUBTFUL | {"-", "or"}):
        return False
    owner = next((unit.power for unit in position.units if unit.province == target), "")
    if not owner or power_of(words[0], parser.reader) != owner:
        return False
    what = words[1] if len(words) > 1 else "one"
    named = {province_of(key) for key in parser.reader.places.meaning(what, parser.power).keys}
    fits = what in ("one", "unit", ",", ";") or what in parser.reader.kinds or named == {target}
    return fits and not any(may_name(word, parser.reader) for word in words[2:])


def _names_no_place(words: Sequence[str], parser: Parser, order: Order) -> bool:
    """Whether a remark of units names no place and says of none that it does something else: ``(the mercenaries earn
    their keep)``; that one stays is a reason of a hold only."""
    reader = parser.reader
    if len(words) < SHORTEST_REMARK or words[0] in reader.verbs or words[0] in reader.openings:
        return False
    if not isinstance(order, Hold) and any(word in reader.stays for word in words):
        return False
    if isinstance(order, Hold) and any(word in reader.verbs and word not in reader.stays | _TO for word in words):
        return False
    places = reader.places
    return not any(
        len(word) >= SHORTEST_BEGINNING and (places.meaning(word, parser.power).keys or places.nearly(word))
        for word in words
        if word not in reader.kinds
    )


def _acts(words: Sequence[str], reader: Grammar) -> bool:
    """Whether words say what a unit does; a build or a support may be what an order is given for."""
    things = _TO | {"build", "builds"} | ({"support", "supports"} if words[0] == "cutting" else set())
    return any(word in reader.verbs and word not in things and len(word) > 1 for word in words)


def _says_nothing(word: str, parser: Parser, order: Order) -> bool:
    """Whether a single word names nothing, shortens nothing and looks like no verb: ``(defensive)``."""
    reader = parser.reader
    if len(word) < SHORTEST_ALONE or may_name(word, reader) or reader.places.shortened(word, parser.power).keys:
        return False
    return not _has_coasts(order, reader) and not reader.misspelled_verb(word) and not reader.misspelled_opening(word)


def _has_coasts(order: Order, reader: Grammar) -> bool:
    """Whether an order names a province with several coasts."""
    places = [province_of(getattr(order, name, "") or "") for name in ("to", "at", "target")]
    return any(len(reader.board.provinces[at].coasts) > 1 for at in places if at in reader.board.provinces)


def _tells_of_another(words: Sequence[str], parser: Parser, order: Order) -> bool:
    """Whether a remark speaks of another power, or of the unit of one: ``(Venice hits it)``, ``(the German army in Mun
    holds)``. Of what is supported, a power and a unit alone tell whose it is."""
    rest = list(words)
    while rest and (rest[0] in ARTICLES or (rest[0] in parser.reader.kinds and len(rest) > 2)):
        rest = rest[1:]
    if len(rest) < 2:
        return False
    power = power_of(rest[0], parser.reader)
    if power:
        helped = hasattr(order, "target") and rest[1] in parser.reader.kinds
        return power != parser.power and not helped
    at = {province_of(key) for key in parser.reader.places.meaning(rest[0], parser.power).keys}
    position = parser.position
    stands = {unit.province for unit in position.units if unit.power != parser.power} if position else set()
    return bool(at) and at <= stands and any(not may_name(word, parser.reader) for word in rest[1:])


def _holds_the(words: Sequence[str]) -> bool:
    """``(holding the line)``, ``(retreating from the front)``."""
    return words[0].endswith("ing") and "the" in words[1:3]


def _expects(words: Sequence[str]) -> bool:
    """``(I expect Mun - Bur)``."""
    return words[0] == "expecting" or (words[0] in ("i", "we") and words[1] in _KNOWS)
