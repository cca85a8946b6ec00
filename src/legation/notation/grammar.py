"""The kinds of order that a variant plays, by the words that say them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from legation.board import Board
from legation.notation.names import Named
from legation.notation.order_kinds import Opening, OrderKind, Parser, Verb
from legation.notation.small_words import NUMBERS
from legation.notation.subjects import Subject
from legation.notation.vocabulary import KindName, Vocabulary
from legation.orders import Order
from legation.position import Phase

PAST = frozenset("moved held stood stayed supported attacked retreated stops ferry ferries aboard".split())
"""Words that are like what a unit does and are something else."""
UNLIKE = frozenset("come comes goes head heads help helps backs land lands flee flees cross core cores".split())
"""What a unit does in words that are like too many others."""
MOST_KEPT = 5_000  # misspelled words of which it is kept what they mean


class Grammar(Vocabulary):
    """The names of one variant, and what can be said with them.

    ``forms`` are the kinds of order that are played, ``unplayed`` others that are read all the same where no word of
    theirs is taken, so that people are told that they are not played; ``lending`` tells that units can be placed under
    other powers' orders.
    """

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
        self._misspelled: dict[str, str] = {}
        self.played = frozenset(form.record for form in forms)
        forms = (*(form for form in unplayed if form not in forms), *forms)  # what is played has the last word
        self.forms = forms
        self.lending = lending
        self.verbs: dict[str, Verb] = {w: verb for form in forms for verb in form.verbs for w in verb.words}
        super().__init__(board, powers, kinds, self.verbs)
        self.openings: dict[str, Opening] = {w: o for form in forms for o in form.openings for w in o.words}
        self.bare: dict[Phase, Callable[[Parser, Subject], Order]] = {
            phase: read for form in forms for phase, read in form.bare.items()
        }
        self.unsaid = next((form.unsaid for form in forms if form.unsaid is not None), None)
        self.stays = frozenset(word for word, verb in self.verbs.items() if verb.stays)
        self.verbs_shown = {
            phase: " or ".join(filter(None, (", ".join(shown[:-1]), *shown[-1:])))
            for phase in dict.fromkeys(form.shown_in for form in forms)
            for shown in [[form.shown for form in forms if form.shown and form.shown_in is phase]]
        }

    def misspelled_verb(self, word: str) -> str:
        """What a unit is told to do by a word of which a letter is missing, too many or has changed places with the
        next, if that is one thing; a letter may be another one in long words only (``suppirts``; ``hits`` is not
        ``sits``)."""
        if len(word) < 4 or word in self.verbs or word in PAST:
            return ""
        if (meant := self._misspelled.get(word)) is None:
            if len(self._misspelled) >= MOST_KEPT:
                self._misspelled.clear()
            meant = self._misspelled[word] = self._nearest_verb(word)
        return meant

    def _nearest_verb(self, word: str) -> str:
        from rapidfuzz.distance import OSA  # only when something was misspelled

        found, meant = "", set()
        for known, verb in self.verbs.items():
            if len(known) < 4 or OSA.distance(known, word, score_cutoff=1) > 1 or known in UNLIKE:
                continue
            if len(word) != len(known) or len(known) > 5 or sorted(word) == sorted(known):
                meant.add(verb.read)
                found = min(found or known, known)  # always the same of several
        return found if len(meant) == 1 else ""

    def misspelled_opening(self, word: str) -> str:
        """Return the order's first word that is one letter from `word`; empty if several kinds are as near."""
        from rapidfuzz.distance import OSA  # only when something was misspelled

        close = [
            known
            for known in self.openings
            if len(known) >= len(word) - 1 >= 4 and OSA.distance(known, word, score_cutoff=1) <= 1
        ]
        return min(close) if len({self.openings[known].read for known in close}) == 1 else ""

    @cached_property
    def telling_words(self) -> frozenset[str]:
        """Words that make a line more than a greeting: of what units do, and names of places."""
        names = {word for name in self.places.spellings for word in name.split() if len(word) > 2}
        powers = {word for name in self.powers.spellings for word in name.split()}
        common = {"-", "to", "s", "d", "all", "everyone", "everybody", "others", "on", "for", "go", "place"}
        common |= {*NUMBERS, *"1 2 3 4 5 6 from ordered changes turns drop get save skip other".split()}
        common |= set("follow follows following select selects choose chooses pick picks".split())
        common |= set(
            "shall attacked entered taken fast no open opens has gets receives pass let hand hands offer offers".split()
        )
        return frozenset((names - powers) | (self.verbs.keys() | self.openings.keys()) - common)
