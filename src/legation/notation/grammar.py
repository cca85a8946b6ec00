"""The kinds of order that a variant plays, by the words that say them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from legation.board import Board
from legation.notation.forms.form import Opening, OrderKind, Verb
from legation.notation.names import Named
from legation.notation.parsing.orders import Parser
from legation.notation.parsing.units import Subject
from legation.notation.vocabulary import KindName, Vocabulary
from legation.orders import Order
from legation.position import Phase


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

    @cached_property
    def telling_words(self) -> frozenset[str]:
        """Words that make a line more than a greeting: of what units do, and names of places."""
        names = {word for name in self.places.spellings for word in name.split() if len(word) > 2}
        powers = {word for name in self.powers.spellings for word in name.split()}
        common = {"-", "to", "s", "d", "all", "everyone", "everybody", "others", "on", "for", "go", "place"}
        return frozenset((names - powers) | (self.verbs.keys() | self.openings.keys()) - common)
