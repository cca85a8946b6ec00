"""Lines of several sentences of which some are no orders and speak of something else: ``Burgundy promised me the
Cantons. A dau - can``. Those are refused alone, and the others count."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from itertools import pairwise

import msgspec

from legation.board import province_of
from legation.notation.courtesies import DATE_WORDS
from legation.notation.errors import OrderTextError
from legation.notation.grammar import Grammar
from legation.notation.layout import Line
from legation.notation.names import SHORTEST_BEGINNING
from legation.notation.parsing.orders import Parser
from legation.notation.prose import correcting, sayings, seasons
from legation.notation.prose.small_talk import asks_in_passing, joins, leads_to_orders, talks_in_passing
from legation.notation.sheets.asides import is_chat, names
from legation.notation.sheets.concerns import concerned
from legation.notation.sheets.harmless import changes_nothing
from legation.notation.sheets.order_text import places_of
from legation.notation.sheets.parts import PartReader
from legation.notation.sheets.passages import Part, refuse_whole
from legation.notation.sheets.reasons import A_REASON, cannot_besides
from legation.notation.sheets.shapes import ends_sentence
from legation.notation.small_words import AUXILIARIES, BESIDES
from legation.notation.tokens import Token

LEFT_OPEN = "another sentence leaves open what this unit does; write what it should do in any case"
MOST_SENTENCES = 30  # of a line
LEAST_TALK = 5  # words of a sentence about nothing of the board: I think so. would doubt an order
SHORT_ANSWER = 6  # words of an answer to a question that stands before it
_TURN_WORDS = frozenset("turn turns year season time spring summer fall autumn winter phase move moves game".split())
_MAY_BE = frozenset("could would should may might because first rather while or either whether perhaps maybe".split())
"""Conditions that in a sentence about others, or in a question, set none."""
_POINTS = (
    frozenset("this these those that them following below above so ones order orders former latter rest both".split())
    | (sayings.ORDERING - {"move", "moves", "possible"})
    | frozenset("idea ideas version sample letter wish intention".split())
)
"""Words that may point at the orders of the line."""
_TAKES_BACK = (
    (sayings.RETRACTS - sayings.SHORT_RETRACTS)
    | (sayings.DRAFTS - {"later", "next", "discuss", "discussion"})
    | (sayings.CORRECTS_LAST - {"sorry"})
    | sayings.CROSSES
    | sayings.QUOTES
    | {":", "-", "yet", "confirm", "confirms", "instead", "otherwise", "else"}
)
_LEADS_TO = frozenset("should will would might may could ought ll".split())
_IS = frozenset("be have read say not change".split())
"""Words by which a sentence says what an order should be, and not what it will lead to."""
_OF_SEVERAL = frozenset("these those above all everything everyone moves others rest same".split())
"""Words by which a condition may be of other units, too."""
_CHOOSES = frozenset(["-", "otherwise", "else", ":", "instead"])
_SAME_DOUBT = frozenset("otherwise else then if instead or but unless no not only same likewise ditto in".split())
"""Words with which a sentence may go on with the doubt of the one before."""
_DENIES_OR_DOUBTS = (
    sayings.NEGATIONS | sayings.CONDITIONS | frozenset("sure certain decided undecided guess suppose hesitate".split())
)
_SUBJECTS = frozenset("i we you he she they this there the my our your".split())
_UNITS = frozenset("it they them same all rest everyone everybody everything everywhere both others unit units".split())
"""Words that may stand for units of which something is said."""
_SAID_OF_ALL = AUXILIARIES | frozenset(
    "can may one put make makes making take takes come comes see get let lets run runs keep keeps not unused stand "
    "vote agree agrees lose loses play go goes going give gives owe help helps from".split()
)
_SMALL = frozenset(["can", "was", "may", "and", "her", "for", "are", "one"])
"""Words after which places of some boards are called in short."""
_GOES_ON = sayings.OPENS | sayings.CONTINUES | sayings.TURNS_BACK | {"then"}


_OF_THE_GAME = DATE_WORDS | frozenset(
    "when deadline due everybody everyone anybody anyone others results map rules rule spring summer autumn fall "
    "winter season next".split()
)
"""Words of questions about the game."""
_LEADS = frozenset("and also question questions : , oh ps btw".split())
_REQUESTS = frozenset("can could may might will would".split())
_GUESSES = frozenset(f"i {word} so" for word in ("think", "suppose", "guess", "hope", "do not think", "dont think"))
"""What a writer answers to a question of his own."""
_OF_AN_ORDER = frozenset(
    "legal possible allowed ok okay right fine valid good correct clear sense should shall".split()
)
"""Words of questions whether an order is one."""


class ApartReader(PartReader):
    """Reads lines; what isn't an order on them spoils only its own sentence where it speaks of something else."""

    def parts(self, line: Line) -> tuple[list[Part], str]:
        """The parts of a line, and why nothing on it counts (empty if something does)."""
        before = dict(self.ordered)
        parts, against = super().parts(line)
        if not against and (":" not in line.text or all(part.error is None for part in parts)):
            return parts, against
        ordered, self.ordered = self.ordered, before
        if apart := self._apart(line):
            return apart, against if apart[-1].error is not None and apart[-1].shaped else ""
        self.ordered = ordered
        return parts, against

    def _apart(self, line: Line) -> list[Part]:
        """The parts of a line, sentence by sentence; empty if one of them may speak of the others, or none gives
        orders."""
        parser = self.parser(line.text)
        sentences = _sentences(parser)
        if not 1 < len(sentences) <= MOST_SENTENCES or self.sentences_left < len(sentences):
            return []
        self.sentences_left -= len(sentences)
        ordered = dict(self.ordered)
        found: list[Part] = []
        doubtful: set[int] = set()  # the sentences that leave open what some units alone do
        asked = refused = doubted = conditional = False
        unanswered: set[str] = set()  # where the places are of which other questions speak
        first = 0
        for number, tokens in enumerate(sentences):
            begin, at, first = tokens[0].start, first, first + len(tokens)
            text = line.text[begin : tokens[-1].end]
            one = msgspec.structs.replace(line, start=line.start + begin, text=text)
            self.fault_before = bool(found) and found[-1].error is not None
            parts, against = self.spoken_parts(one)
            self.fault_before = doubted = False
            if not against and tokens[-1].text == ":":
                against = A_REASON  # I want Turkey out: ...
            if against:
                parts = [Part(one.start, one.start + len(text), [], refuse_whole(text, against), True, number)]
                doubted = self._doubts_one(parser, sentences, number)
                parts[0].shaped = doubted  # else it is talk, and nothing below goes on with it
                question = tokens[-1].text == "?"
                fine = (
                    doubted
                    or self._speaks_apart(tokens, found, asked=asked)
                    or self._in_passing(tokens, found, line)
                    or self._changes_nothing(tokens, found)
                    or (text[:3].casefold() == "if " and correcting.ASKS_ONLY.fullmatch(text) is not None)
                )
                doubtful |= {number} if doubted else set()
                if not fine and (units := self._concerned(parser, at, tokens, found, line)):
                    parts[0].about, fine = units, True
                    found = [self._left_open(part, units) for part in found]
                    unanswered |= units
                    doubtful.add(number)
                    conditional = tokens[0].text in sayings.OPENS
                unanswered |= self._places([token.text for token in tokens]) if question else set()
                refused = True
                asked = fine and (question or asked)
            else:
                fine = not (asked and tokens[0].text == "then") and not unanswered & _ordered_places(parts)
                fine = fine and not conditional  # If Italy attacks, A par - bur. A mar - spa.
                asked = tokens[-1].text == "?" and bool(parts) and parts[-1].error is not None
                refused = refused or asked
            if not fine:
                self.ordered = ordered
                return []
            found += [msgspec.structs.replace(part, sentence=number) for part in parts]
        sure = [part for part in found if part.sentence not in doubtful]
        if not refused or not any(part.orders for part in found) or self._contradicts(sure):
            self.ordered = ordered
            return []
        return found

    def _concerned(
        self, parser: Parser, begin: int, tokens: Sequence[Token], before: Sequence[Part], line: Line
    ) -> frozenset[str]:
        """The units of which alone a sentence speaks that is no order, or ``REST``; empty where it may speak of others,
        or go on below."""
        end = begin + len(tokens)
        if not self._is_ended(tokens, line):
            return frozenset()
        orders = [order for part in before for order in part.orders]
        orders += [p.order for p in self.passages if p.order is not None and p.power == self.section]
        return concerned(parser, begin, end, len(orders))

    def _is_ended(self, tokens: Sequence[Token], line: Line) -> bool:
        """Whether a sentence ends with a stop, or nothing follows it on its line or right below."""
        below = self.plain[line.end + 1 :].split("\n", 1)[0].strip()
        return _ends(tokens) or (tokens[-1].end >= len(line.text) and not below)

    def _in_passing(self, tokens: Sequence[Token], before: Sequence[Part], line: Line) -> bool:
        """Whether a sentence that names nothing of the board only chats, or asks, or says why orders follow."""
        words = [token.text for token in tokens]
        if words[-1] == ":":
            return leads_to_orders(words[:-1]) and not self._places(words) & _ordered_places(before)
        if any(word == "-" or self._names(word) for word in words) or not self._is_ended(tokens, line):
            return False
        acts = any(len(word) > 2 and word in self._doing for word in words)
        if words[-1] == "?":
            return asks_in_passing(words, acts)
        return talks_in_passing(words, acts, leading=not any(part.orders for part in before))

    def _changes_nothing(self, tokens: Sequence[Token], before: Sequence[Part]) -> bool:
        """Whether a statement leaves all orders before it on the sheet as they are, whatever it says."""
        orders = [order for part in before for order in part.orders]
        orders += [p.order for p in self.passages if p.order is not None and p.power == self.section]
        words = [token.text for token in tokens]
        parser = self.parser("")
        apart = _ends(tokens) and bool(orders) and not self._points(words)
        return apart and all(
            changes_nothing(words, parser, order) or cannot_besides(words, parser, order) for order in orders
        )

    def _names(self, word: str) -> bool:
        """Whether a word names a place or a kind of unit, and is no small word besides."""
        if len(word) < SHORTEST_BEGINNING or word in _SMALL:
            return False
        return word in self.reader.kinds or bool(self.reader.places.meaning(word, self.section).keys)

    @cached_property
    def _doing(self) -> frozenset[str]:
        """Words for what units do, in as far as people say them of nothing else."""
        return frozenset(self.reader.verbs.keys() | self.reader.openings.keys()) - _SAID_OF_ALL

    def _left_open(self, part: Part, units: Collection[str]) -> Part:
        """A part of a line; if it orders units of which a sentence leaves open what they do, it is refused."""
        ordered = {province_of(getattr(order, "at", "")) for order in part.orders}
        if ordered.isdisjoint(units):
            return part
        for unit in ordered:
            self.ordered.pop(unit, None)
        written = self.text[part.start : part.end]
        return msgspec.structs.replace(part, orders=[], error=refuse_whole(written, LEFT_OPEN))

    def _speaks_apart(self, tokens: Sequence[Token], before: Sequence[Part], *, asked: bool) -> bool:
        """Whether a sentence that is no order speaks neither of the orders before it on its line nor of those that
        follow; ``asked``: a question stands right before it."""
        words = [token.text for token in tokens]
        if (asked and " ".join(words) in _GUESSES) or (words[:2] == ["question", ":"] and words[-1] == "?"):
            return True
        if not _ends(tokens) or self._points(words) or _takes_back(words):
            return False
        if not asked and any(part.orders for part in before) and words[0] in sayings.BACK_OUT | sayings.NEGATIONS:
            return False  # build A par. No, build F bre
        if self._places(words) & _ordered_places(before):
            return False
        if self._excuses(words) or (not before and self._says_there_is_no(words)):
            return True
        if words[-1] == "?":
            return self._asks_apart(words)
        return self._tells_apart(words) or (asked and len(words) <= SHORT_ANSWER and not _sets_a_condition(words))

    def _points(self, words: Sequence[str]) -> bool:
        """Whether a sentence may point at orders: ``Germany asked me to do the following``, ``that is the plan``."""
        pointed = {
            word
            for before, (word, after) in zip(["", *words], pairwise([*words, ""]), strict=False)
            if word in _POINTS and after not in _TURN_WORDS and not joins(before, word, after)
        }
        if words[-1] == "?" and any(before in seasons.SEASONS for before, word in pairwise(words) if word == "orders"):
            pointed -= {"orders"}  # When are the spring orders due?
        if self._comments(words):
            pointed -= {words[0]}
        return bool(pointed)

    def _asks_apart(self, words: Sequence[str]) -> bool:
        """Whether a question names a place or a power that no order before it names, or asks of the game."""
        while len(words) > 3 and words[0] in _LEADS:
            words = words[1:]
        if words[0] in _REQUESTS and words[1] in ("you", "we", "i"):  # could we have two days more?
            return "not" not in words and not self._places(words) and self._asks_of_the_game(words[1:])
        asks_when = words[0] == "when" and words[1] in AUXILIARIES | {"do", "does"}
        if _sets_a_condition(words) and not asks_when:
            return False
        names_one = bool(self._places(words)) or any(self._is_power(word) for word in words)
        return names_one or self._asks_of_the_game(words)

    def _tells_apart(self, words: Sequence[str]) -> bool:
        """Whether a statement names a place or a power, says what orders will lead to, or is mere talk."""
        if _sets_a_condition(words) or not {"or", "either", "?"}.isdisjoint(words):
            return False
        names_one = bool(self._places(words)) or any(self._is_power(word) for word in words)
        return names_one or self._comments(words) or self._talks(words)

    def _asks_of_the_game(self, words: Sequence[str]) -> bool:
        """Whether a question names nothing that an order says, and asks for dates, rules or what others do: ``Is it
        still Friday for the fall orders?``"""
        said = [word for word in words if word != "to"]
        plain = not words_of_units(said, self.reader) and sayings.DOUBTS.isdisjoint(words)
        return plain and not _OF_THE_GAME.isdisjoint(words) and _OF_AN_ORDER.isdisjoint(words)

    def _says_there_is_no(self, words: Sequence[str]) -> bool:
        """Whether a sentence says that there is none of something that is no unit: ``No news from anybody.``"""
        names_one = bool(self._places(words)) or words_of_units(words, self.reader)
        return words[0] == "no" and len(words) > 2 and not names_one

    def _excuses(self, words: Sequence[str]) -> bool:
        """Whether a sentence only tells where the writer is: ``I'm on holiday until Sunday``."""
        if "until" not in words[:-1] or words[words.index("until") + 1] not in DATE_WORDS:
            return False
        begins = words[:1] == ["im"] or words[:2] in (["i", "am"], ["sorry", "im"])
        when = [word for word in words if word != "until"]
        return begins and sayings.DOUBTS.isdisjoint(words) and is_chat(["here", *when[1:]], self.reader)

    def _comments(self, words: Sequence[str]) -> bool:
        """Whether a sentence says what orders will lead to, and names nothing: ``That should stir things up!``"""
        leads = words[0] in ("that", "this") and len(words) > 2 and words[1] in _LEADS_TO and words[2] not in _IS
        return leads and not self._places(words) and self.reader.telling_words.isdisjoint(words)

    def _doubts_one(self, parser: Parser, sentences: Sequence[Sequence[Token]], number: int) -> bool:
        """Whether a sentence gives an order of an own unit a condition or a choice, and no other sentence orders that
        unit or goes on with the doubt: ``A swe - nwy unless England leaves. F bla H``."""
        tokens = sentences[number]
        following = [token.text for token in sentences[number + 1][:8]] if number + 1 < len(sentences) else [""]
        after = following[0]
        words = {token.text for token in tokens}
        firm = after == "the" and following[1:2] in (["rest"], ["others"]) and ":" in following
        if firm and words & sayings.CONDITIONS and not words & _TAKES_BACK - _CHOOSES:
            return True  # if ... . The rest in any case: ...
        if words & _OF_SEVERAL or words & _TAKES_BACK - {"-", "otherwise", "else"} or after in _SAME_DOUBT:
            return False
        if not words & sayings.CONDITIONS:
            return False
        unit = self._unit_of(parser, tokens)
        return bool(unit) and all(
            unit != self._unit_of(parser, other) for i, other in enumerate(sentences) if i != number
        )

    def _unit_of(self, parser: Parser, tokens: Sequence[Token]) -> str:
        """The province of the own unit with whose order a sentence begins; empty if it begins with something else."""
        one = self.parser(parser.text[tokens[0].start : tokens[-1].end])
        one.skip(BESIDES)
        one.at += one.opening_comes() and not one.names_unit()
        try:
            at = province_of(one.unit(own=True).at) if one.names_unit() or one.own_unit_comes() else ""
        except OrderTextError:
            return ""
        return at if one.present("", self.section)(at) else ""

    def _talks(self, words: Sequence[str]) -> bool:
        """Whether a sentence names nothing of the board and denies and doubts nothing: ``I expect it will be damp.``"""
        if len(words) < LEAST_TALK or not _DENIES_OR_DOUBTS.isdisjoint(words):
            return False
        units = {
            word for before, word in pairwise(["", *words]) if not (word == "all" and before in ("we", "us", "you"))
        }
        if not _UNITS.isdisjoint(units) and not self.reader.telling_words.isdisjoint(words):
            return False  # I will convoy it, too
        return not any(len(word) > 1 and names(word, self.reader) for word in words)

    def _contradicts(self, parts: Sequence[Part]) -> bool:
        """Whether a sentence that forbids something is followed by an order that names the same place (``Don't move
        Paris. A par - bur``), or one that is not read names a unit beside an order for all others."""
        forbidden: set[str] = set()
        rest = any(part.general for part in parts)
        mine = {unit.province for unit in self.position.units_of(self.section)} if self.position else set()
        for part in parts:
            if part.error is not None:
                words = [token.text for token in self.parser(self.plain[part.start : part.end]).tokens]
                if rest and self._places(words) & mine:
                    return True
                if words and words[-1] != "?" and not sayings.NEGATIONS.isdisjoint(words):
                    forbidden |= self._places(words)
            elif forbidden & _ordered_places([part]):
                return True
        return False

    def _places(self, words: Collection[str]) -> set[str]:
        """The provinces that single words name."""
        known = (self.reader.places.meaning(word, self.section).keys for word in words if len(word) >= 3)
        return {province_of(key) for keys in known for key in keys}

    def _is_power(self, word: str) -> bool:
        return len(word) >= SHORTEST_BEGINNING and (
            self.reader.powers.exact(word) or self.reader.powers.exact(word.removesuffix("s"))
        ) not in (None, self.section)


def _takes_back(words: Sequence[str]) -> bool:
    """Whether a sentence has a word that takes orders back or puts them off; of an earlier turn something may be wrong,
    and a question may hold an order."""
    said = set(words) - _TURN_WORDS
    against = _TAKES_BACK - ({"-"} if words[-1] == "?" else set())
    if sayings.LAST_TURN.search(" ".join(words)):
        against -= {"wrong", "mistake"}
    return not against.isdisjoint(said)


def _sets_a_condition(words: Sequence[str]) -> bool:
    """Whether a sentence goes on with the one before or sets a condition."""
    said = set(words) - _TURN_WORDS
    return words[0] in _GOES_ON or not said.isdisjoint(sayings.CONDITIONS - _MAY_BE)


def words_of_units(words: Sequence[str], reader: Grammar) -> bool:
    """Whether words speak of units, or of what these do."""
    return any(len(word) > 1 and (word in reader.verbs or word in reader.kinds) for word in words)


def _sentences(parser: Parser) -> list[list[Token]]:
    """The tokens of a line by sentences; what stands in brackets ends none."""
    found: list[list[Token]] = []
    tokens = parser.tokens
    begin = at = depth = 0
    while at < len(tokens) and len(found) <= MOST_SENTENCES:
        word = tokens[at].text
        depth = max(depth + (word == "(") - (word == ")"), 0)
        at += 1
        while word == "?" and at < len(tokens) and tokens[at].text in ("?", "!"):
            at += 1
        if at == len(tokens) or (not depth and (word == "?" or ends_sentence(parser, at))):
            choice = _choice_begins(tokens, begin, at)
            found += [part for part in (tokens[begin:choice], tokens[choice:at]) if part]
            begin = at
        elif word == ":" and not depth and leads_to_orders([token.text for token in tokens[begin : at - 1]]):
            found.append(tokens[begin:at])
            begin = at
    return found


def _choice_begins(tokens: Sequence[Token], begin: int, end: int) -> int:
    """Where what is left open begins behind a comma in a sentence: ``Build A par, and either F bre or A mar``; where
    the sentence begins if nothing is."""
    words = [token.text for token in tokens[begin:end]]
    if "either" not in words:
        return begin
    commas = [i for i in range(words.index("either")) if words[i] in (",", ";")]
    return begin + commas[-1] + 1 if commas else begin


def _ordered_places(parts: Sequence[Part]) -> set[str]:
    """The provinces that the orders of parts name."""
    return {province_of(place) for part in parts for order in part.orders for place in places_of(order)}


def _ends(tokens: Sequence[Token]) -> bool:
    """Whether a sentence ends with a stop or a mark of question."""
    return tokens[-1].stop or tokens[-1].text == "?"
