"""The names of one variant's places, powers and kinds of units, and the kinds of order that it plays."""

from collections.abc import Mapping, Sequence
from functools import cache, cached_property, lru_cache
from typing import Protocol

import msgspec

from legation.board import Board, Travel
from legation.notation.grammar import Grammar, GrammarError, Index, Node, productions
from legation.notation.lexicon import NONE, Classes, Lexicon, lexicon
from legation.notation.names import MOST_KEPT, Named, fold, peoples, place_names, power_names
from legation.notation.order_kinds import OrderKind, Production
from legation.orders import Build
from legation.position import Phase

UNPLAYED = 2.0  # how far-fetched an order is that a game doesn't have


class KindName(Protocol):
    """The facts about a kind of unit that notation needs."""

    @property
    def name(self) -> str:
        """The kind's name, in small letters."""

    @property
    def also(self) -> tuple[str, ...]:
        """What else players call it."""

    @property
    def travel(self) -> Travel:
        """Which borders it crosses: an army's or a fleet's."""


class Vocabulary:
    """What can be said in one variant.

    ``kinds`` maps the codes of units to records with ``name`` and ``travel``. ``forms`` are the kinds of order that are
    played, ``unplayed`` others that are read all the same where no word of theirs is taken, so that people are told
    that they are not played; ``lending`` tells that units can be placed under other powers' orders."""

    def __init__(
        self,
        board: Board,
        powers: Sequence[Named],
        kinds: Mapping[str, KindName],
        forms: Sequence[OrderKind],
        unplayed: Sequence[OrderKind],
        *,
        lending: bool,
    ) -> None:
        self.board = board
        self.lending = lending
        self.played = frozenset(form.record for form in forms)
        self.forms = (*forms, *(form for form in unplayed if form not in forms))
        self.lexicon: Lexicon = lexicon(*(row for form in self.forms for row in form.words))
        self.places = place_names(board)
        self.powers = power_names(powers)
        self.adjectives = frozenset(fold(power.adjective) for power in powers)
        self.peoples = peoples(board, self.powers, self.places)
        self.costs = {code: int(getattr(kind, "cost", 1)) for code, kind in kinds.items()}
        self.travel: dict[str, Travel] = {code: kind.travel for code, kind in kinds.items()}
        self.kinds = self._spellings(kinds)  # what a kind of unit may be called
        self.codes = frozenset(code.casefold() for code in kinds)
        self.kind_names = frozenset(fold(kind.name).rpartition(" ")[2] for kind in kinds.values())
        self.word_codes = frozenset(code for code in board.provinces if self.lexicon.classes(code).keys() & _IN_LISTS)
        self.grammar = Grammar(self._productions())
        self.near_verb = lru_cache(MOST_KEPT)(self._near_verb)
        self.plain_name = lru_cache(MOST_KEPT)(self._plain_name)
        self._long_verbs = [v for v in self.lexicon.words(*MISSPELLED_VERBS) if len(v) > 3 and v.isalpha()]
        self._indexes: dict[tuple[str, Phase], Index] = {}
        self.shown = {
            phase: " or ".join(filter(None, (", ".join(shown[:-1]), *shown[-1:])))
            for phase in dict.fromkeys(form.shown_in for form in forms)
            for shown in [[form.shown for form in forms if form.shown and form.shown_in is phase]]
        }
        self.shown.setdefault(Phase.PLACEMENT, next((form.shown for form in forms if form.record is Build), ""))

    def _spellings(self, kinds: Mapping[str, KindName]) -> dict[str, str]:
        """The codes of kinds of units by what they may be called."""
        plurals = {singular: plural for plural, singular in self.lexicon.values("PLURALOF").items()}
        spelled = {said: code for said, code in self.lexicon.values("KIND").items() if code in kinds}
        for code, kind in kinds.items():
            name = fold(kind.name)
            first, _, last = name.rpartition(" ")
            for said in (code.casefold(), name, f"{first} {plurals.get(last, last)}".strip()):
                spelled[said] = code
        for code, kind in kinds.items():
            several = [f"{said}s" for said in (code.casefold(), fold(kind.name), *kind.also)]
            for said in (*kind.also, *(one for one in several if not self.lexicon.classes(one))):  # is, us, das
                spelled.setdefault(said, code)
        return spelled

    def _plain_name(self, name: str) -> str:
        """The place that a folded name means wherever it stands; nothing if it, or a part of it, may mean anything
        else."""
        meaning, words = self.places.meaning(name), name.split()
        if not meaning.keys or not meaning.sure or meaning.clash or self.places.exact(name) != meaning.keys[0]:
            return ""
        if name in self.peoples or name in self.kinds or self.powers.exact(name):
            return ""
        if self.lexicon.classes(name).keys() - OF_NAMES:
            return ""
        parts = [words[i:k] for i in range(len(words)) for k in range(i + 1, len(words) + 1)]
        plain = all(self.places.meaning(" ".join(part)).keys in ((), meaning.keys[:1]) for part in parts)
        return meaning.keys[0] if plain else ""

    @cached_property
    def words_of_places(self) -> frozenset[str]:
        """The words of all names of places."""
        return frozenset(word for name in self.places.spellings for word in name.split())

    def _productions(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for form in self.forms:
            for name, parts in productions(form.grammar).items():
                if found.setdefault(name, parts) != parts:
                    raise GrammarError(f"{name}: two kinds of order have different parts of this name")
        stays = [p.name for form in self.forms for p in form.productions if p.stays and p.name != "hold"]
        found["stay"] = " | ".join([found["stay"], *stays])  # what is said of a unit that is helped where it stands
        return found

    def _near_verb(self, word: str) -> Classes:
        """The classes of the one word of orders that is spelled almost like a word; none if there is none."""
        from rapidfuzz.distance import OSA  # only for words that mean nothing

        near = [
            v
            for v in self._long_verbs
            if v[0] == word[0]
            and abs(len(v) - len(word)) < 2
            and OSA.distance(v, word, score_cutoff=1) <= 1
            and (len(v) > 4 or sorted(v) == sorted(word))
        ]
        classes = [{n: said for n, said in self.lexicon.classes(v).items() if n in self.verbs} for v in near]
        shared = set.intersection(*(set(c) for c in classes)) if classes else set()
        return {name: said for name, said in classes[0].items() if name in shared} if shared else NONE

    @cached_property
    def verbs(self) -> frozenset[str]:
        """The classes of words that say what a unit does here."""
        played = (form for form in self.forms if form.record in self.played)
        return frozenset([*VERBS, *(name for form in played for name in self._own_verbs(form))])

    def _own_verbs(self, form: OrderKind) -> set[str]:
        """The classes of words of its own with which a kind of order begins."""
        own = {name.partition("=")[0] for name, _ in form.words}
        opening = [p.name for p in form.productions if p.place in ("says", "opens")]
        return {name for p in opening for name in self.grammar.node(p).first & own}

    def _weighed(self, form: OrderKind, production: Production, phase: Phase) -> Production:
        """A production as it counts in this game: what isn't played is read only where nothing else is."""
        if form.record in self.played and (not production.phases or phase in production.phases):
            return production
        return msgspec.structs.replace(production, far=production.far + UNPLAYED)

    def index(self, place: str, phase: Phase) -> Index:
        """Return the productions that may stand at a place (``says``: behind a unit; ``opens``; ``beside``) in a
        phase, by what they begin with."""
        known = self._indexes.get((place, phase))
        if known is None:
            listed: list[tuple[Production, Node]] = [
                (self._weighed(form, production, phase), self.grammar.node(production.name))
                for form in self.forms
                for production in form.productions
                if production.place == place
                and (not production.phases or phase in production.phases or production.name in _TOLD)
            ]
            known = self._indexes[place, phase] = Index(listed)
        return known


_IN_LISTS = frozenset(["JOINT", "AND", "ALL", "REST", "HOLD", "NEGATION", "LEAD", "AUX", "ARTICLE", "THE"])
"""Classes of words that may stand anywhere in a list; a place with such a code is meant where it fits."""
OF_NAMES = frozenset(["SINGULAR"])
"""Classes that say how a name is written, and no more."""
MISSPELLED_VERBS = ("HOLD", "MOVE", "SUPPORT", "CONVOY", "RETREAT", "LEAVE", "BUILD", "REMOVE", "WAIVE")
VERBS = (*MISSPELLED_VERBS, "SUPPORTED", "CONVOYING")
"""The classes of words that say what a unit does."""
_TOLD = ("support_hold", "support_move", "convoy", "retreat", "move")
"""Productions that are read in every phase, though far-fetched: the judge says that they cannot be given in it."""
_INTRODUCING = (*MISSPELLED_VERBS, "DRAW")
"""The classes of words with which the orders begin that every game has."""


@cache  # a variant is made several times while it is read, and each time asks for the words of all kinds
def introducing_words(kind: OrderKind) -> frozenset[tuple[str, str, Phase]]:
    """Return the words that introduce a kind of order, each with where (behind a unit, or first) and in which phases
    they do."""
    own = {name.partition("=")[0] for name, _ in kind.words}
    words = lexicon(*kind.words)
    grammar = Grammar(productions(kind.grammar))
    found: set[tuple[str, str, Phase]] = set()
    for production in kind.productions:
        if production.place in ("says", "opens"):
            first = grammar.node(production.name).first & (own or set(_INTRODUCING))
            phases = production.phases or kind.phases or (Phase.MOVEMENT, Phase.RETREATS, Phase.ADJUSTMENTS)
            found |= {(word, production.place, phase) for word in words.words(*first) for phase in phases}
    return frozenset(found)
