"""The class that every rule extends: the questions that the judge asks of it.

:class:`~legation.judge.ruleset.Ruleset` combines the answers of several rules."""

import inspect
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self

import msgspec

from legation.frozen import Immutable
from legation.judge.aftermath import Aftermath
from legation.judge.dense_form import DenseForm
from legation.judge.options import Option
from legation.judge.plain_orders import Judged, Refusal
from legation.judge.resolution import Ending, Resolution
from legation.judge.rule_form import check_form
from legation.judge.slices import in_sight, misfits
from legation.judge.unit_kinds import UnitKind
from legation.judge.verdicts import Rewritten
from legation.notation import OrderKind, check_kind, register
from legation.orders import Order, Sheet, UnitOrder
from legation.position import Phase, Position, Turn, Unit


class RulesError(ValueError):
    """Rule modules that do not fit together."""


class Rule(Immutable):
    """A mechanism that variants can choose: it answers questions of the judge by defining the methods of their names.
    How the answers of several rules are combined depends on the question. ``docs/writing-rules.md`` shows how a rule is
    written.

    ``rules`` is the :class:`~legation.judge.ruleset.Ruleset`, ``situation`` a
    :class:`~legation.judge.legality.Situation`, ``matching`` a :class:`~legation.judge.matching.Matching`.

    One answer (two rules that answer are an error, unless one ``replaces`` the other): :meth:`first_turn` and
    :meth:`next_turn`, :meth:`homes`; and :meth:`build_sites` and :meth:`removals`, which the judge answers if no rule
    does.

    Added up: :meth:`faults`, :meth:`position_faults`, :meth:`slice_faults`, :meth:`kinds`, :meth:`extra_sites`,
    :meth:`supply`, :meth:`strength`, :meth:`half_strength`, :meth:`reach`, :meth:`support_reach`, :meth:`convoying`,
    :meth:`nobody_plays`, :meth:`legal_orders`, :meth:`legal_cooperation`, :meth:`news`, :meth:`status_notes`,
    :meth:`describe` (in the order of the variant's file), :meth:`basics`, :meth:`dense`.

    The first answer counts: :meth:`kind_to_build`.

    One is enough: :meth:`frees_units`, :meth:`keeps_turn`, :meth:`hides_unit`, :meth:`hides_owner`,
    :meth:`shows_owner`.

    Any rule can refuse, with the reason: :meth:`refuses_departure`, :meth:`refuses_dislodgement`,
    :meth:`refuses_removal`, :meth:`refuses_entry`, :meth:`refuses_support`, :meth:`refuses_build`,
    :meth:`refuses_center`, :meth:`refuses_draw`, :meth:`refuses_orders`, :meth:`refuses_turn`.

    Each rule for its own orders, phases and slice (``orders``, ``phases``): :meth:`order_kinds`, :meth:`check` or
    :meth:`interpret`, :meth:`match`, :meth:`supports_arrival`, :meth:`on_condition`, :meth:`redact_slice`.

    A power sees what is in all answers: :meth:`visible_provinces`.

    Steps, one after the other: :meth:`opening`, :meth:`rewrite`, :meth:`after`, :meth:`settle`, :meth:`ending` (the
    first ending counts). They run in alphabetical order of the rules' keys, except that a rule runs after those that
    its ``runs_after`` names; the order of tables in the variant's file has no effect.

    Public methods are answers; the names of a rule's other methods begin with an underscore. A public method that isn't
    a question, or that has other parameters than its question, is an error when the class is defined."""

    key: ClassVar[str] = ""
    replaces: ClassVar[frozenset[str]] = frozenset()
    options: tuple[Option, ...] = ()
    """The options that it adds; a rule can make them from its settings."""
    orders: ClassVar[tuple[OrderKind, ...]] = ()
    """The kinds of order that it adds."""
    phases: ClassVar[tuple[Phase, ...]] = ()
    """The phases that it adds; calendars can name them. Every legal order in such a phase succeeds, and :meth:`after`
    decides its effect. A phase in which nobody has anything to order is skipped."""
    restricted_kinds: frozenset[str] | None = None
    """The codes of the kinds of unit to which :meth:`refuses_entry` and :meth:`refuses_support` can refuse anything
    (None: any kind). The list of legal orders asks only about these."""
    runs_after: ClassVar[Sequence[str]] = ()
    """The keys of the rules whose steps run before its own."""
    version: ClassVar[int] = 1
    """Raise it when the rule decides anything differently than before; running games are told."""
    added_settings: ClassVar[frozenset[str]] = frozenset()
    """Settings added after the rule's first version; games that started without one go on if it has its default."""
    dense_form: ClassVar[DenseForm | None] = None
    """What :meth:`dense` returns where it is always the same."""
    slice_form: Any = None
    """What its slice in a document must be (:func:`legation.judge.slices.misfits`); else ``slice_told`` says what it
    is, with the first place that isn't so. What more can be wrong is for :meth:`slice_faults` to tell."""
    slice_told: str = ""
    settings: Mapping[str, Any]
    """The settings with which the rule was made, defaults included."""

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        if faults := [*check_form(cls, Rule), *(fault for kind in cls.orders for fault in check_kind(kind))]:
            raise RulesError(f"{cls.__module__}.{cls.__name__}: {'; '.join(faults)}")
        register(*cls.orders)

    def __new__(cls, *args: object, **kwargs: object) -> Self:
        """Store the arguments as ``settings``, defaults included."""
        module = super().__new__(cls)
        module.settings = {}
        if cls.__init__ is not object.__init__:
            given = inspect.signature(cls.__init__).bind_partial(module, *args, **kwargs)
            given.apply_defaults()
            module.settings = dict(list(given.arguments.items())[1:])
        return module

    @property
    def pinned_settings(self) -> Mapping[str, Any]:
        """The settings to which a running game is pinned: all except added ones that have their default."""
        if not self.added_settings:
            return self.settings
        usual = inspect.signature(type(self).__init__).parameters
        return {
            name: value
            for name, value in self.settings.items()
            if name not in self.added_settings or value != usual[name].default
        }

    def _kept(self, held: Position | Aftermath) -> Any:
        """Return the rule's slice; an empty table where it keeps nothing."""
        return held.slices.get(self.key, {})

    def _with_kept(self, position: Position, kept: Any) -> Position:
        """Return the position with ``kept`` as the rule's slice; without a slice if it is None."""
        slices = {**position.slices, self.key: kept}
        if kept is None:
            del slices[self.key]
        return msgspec.structs.replace(position, slices=slices)

    def _keep(self, aftermath: Aftermath, kept: Any) -> None:
        """Put this in the place of the rule's slice, or nothing if it's empty."""
        aftermath.slices.pop(self.key, None)
        if kept:
            aftermath.slices[self.key] = kept

    def faults(self, rules: Any) -> Sequence[str]:
        """Return what is wrong with the settings on this board and for these powers, an error each."""
        return ()

    def first_turn(self, rules: Any) -> Turn:
        """Return the turn that opens the game."""
        raise NotImplementedError

    def next_turn(self, rules: Any, turn: Turn) -> Turn:
        """Return the next turn of the calendar, whether or not anyone has anything to order in it."""
        raise NotImplementedError

    def homes(self, rules: Any, position: Position, power: str) -> tuple[str, ...]:
        """Return the home centers of a power: province ids."""
        raise NotImplementedError

    def build_sites(self, rules: Any, position: Position, power: str) -> tuple[str, ...]:
        """Return the provinces in which a power can build if they're vacant: owned ones, if it must own them.

        If no rule answers, these are the homes that it owns."""
        raise NotImplementedError

    def kinds(self, rules: Any) -> tuple[UnitKind, ...]:
        """Return kinds of unit besides armies and fleets."""
        return ()

    def convoying(self, rules: Any) -> Iterable[str]:
        """Return coastal provinces, without separate coasts, from which fleets can convoy."""
        return ()

    def nobody_plays(self, rules: Any) -> Iterable[str]:
        """Return the powers without a player: they have no vote on draws and cannot win."""
        return ()

    def extra_sites(self, rules: Any, position: Position, power: str) -> tuple[str, ...]:
        """Return further provinces in which a power can build."""
        return ()

    def support_reach(self, rules: Any, position: Position, unit: Unit) -> Iterable[str]:
        """Return provinces into which a unit can support, besides those that it can move to."""
        return ()

    def half_strength(self, rules: Any, position: Position, unit: Unit, order: Order) -> int:
        """Return what is added to a unit's strength in every role, in halves; it can be negative."""
        return 0

    def frees_units(self, rules: Any, position: Position, power: str) -> bool:
        """Return whether a power can remove units that it doesn't have to remove, and build others instead."""
        return False

    def keeps_turn(self, rules: Any, position: Position) -> bool:
        """Return whether the position's turn is played even if nobody has anything to order in it."""
        return False

    def supply(self, rules: Any, position: Position, power: str, sheets: Sequence[Sheet]) -> int:
        """Return what is added to the number of a power's centers to give its unit limit; it can be negative."""
        return 0

    def strength(self, rules: Any, position: Position, unit: Unit, order: Order) -> int:
        """Return what is added to a unit's strength in every role of a movement turn; it can be negative. ``order`` is
        the one that takes effect."""
        return 0

    def reach(self, rules: Any, position: Position, unit: Unit) -> Iterable[str]:
        """Return locations that a unit can move to, retreat to and support into, besides its neighbors on the board."""
        return ()

    def kind_to_build(self, rules: Any, position: Position, power: str, province: str) -> str | None:
        """Return the code of the kind that a power builds if its order names none; None if it has to name one."""
        return None

    def removals(
        self,
        rules: Any,
        position: Position,
        power: str,
        units: Sequence[Unit],
        draw: Callable[[str, Sequence[str]], Sequence[str]],
    ) -> Sequence[tuple[Unit, str]]:
        """Return a power's units in the order in which they're removed if it orders too few removals, each with the
        end of the sentence "it was removed ...", such as "by lot".

        ``units`` are those still on the board; ``draw(purpose, items)`` returns the items in an order drawn by lot."""
        raise NotImplementedError

    def legal_orders(self, rules: Any, position: Position, power: str) -> Sequence[Order]:
        """Return a power's legal orders of the kinds that this rule adds, in the position's phase."""
        return ()

    def legal_cooperation(self, situation: Any, listed: Mapping[str, list[Order]]) -> Mapping[str, Iterable[str]]:
        """Add legal orders of units that act together to ``listed``, which has a list for each power asked about.

        Return by location of each such unit the places that it can reach this way, so that it can be supported there.
        """
        return {}

    def refuses_departure(self, rules: Any, position: Position, unit: Unit) -> str | None:
        """Return why a unit can't leave its province, None if it can; dislodged units are not asked about."""
        return None

    def refuses_dislodgement(self, rules: Any, position: Position, unit: Unit) -> str | None:
        """Return why no attack of whatever strength dislodges a unit from its province; None if one can."""
        return None

    def refuses_removal(self, rules: Any, position: Position, unit: Unit) -> str | None:
        """Return why a unit is never removed in adjustments, even if its power has too many; None if it can be."""
        return None

    def refuses_entry(self, rules: Any, position: Position, unit: Unit, province: str) -> str | None:
        """Return why a unit can't enter a province within its reach; None if it can."""
        return None

    def refuses_support(self, rules: Any, position: Position, unit: Unit, target: Unit, province: str) -> str | None:
        """Return why a unit can't support ``target`` in or into a province; None if it can."""
        return None

    def refuses_build(self, rules: Any, position: Position, power: str, kind: UnitKind, province: str) -> str | None:
        """Return why a power can't build this kind of unit in one of its build sites; None if it can."""
        return None

    def refuses_center(self, rules: Any, position: Position, unit: Unit, center: str) -> str | None:
        """Return why a unit doesn't take the center on which it stands when centers change hands; None if it does."""
        return None

    def refuses_draw(self, rules: Any, position: Position) -> str | None:
        """Return why no draw is possible in this position; None if one is."""
        return None

    def refuses_orders(self, rules: Any, position: Position, power: str) -> str | None:
        """Return why none of a power's orders is carried out: its units hold and don't retreat. None if they are."""
        return None

    def order_kinds(self, rules: Any, phase: Phase) -> tuple[type[Order], ...]:
        """Return the kinds of order that this rule adds in a phase."""
        return tuple(kind.record for kind in self.orders if phase in kind.phases)

    def interpret(self, situation: Any, power: str, order: Order) -> Judged:
        """Return an order of a kind that this rule adds as it takes effect, or why it's illegal.

        By default the unit must be the power's own, and :meth:`check` is asked."""
        if isinstance(order, UnitOrder):
            unit = situation.unit(power, order)
            if isinstance(unit, Refusal):
                return unit
            order = msgspec.structs.replace(order, kind=unit.kind, at=unit.at)
        reason = self.check(situation.rules, situation.position, power, order)
        return Refusal(reason) if reason else order

    def match(self, rules: Any, matching: Any) -> None:
        """Compare the orders of this rule's kinds with all others of a movement turn, and change their effects.

        By then each :class:`~legation.orders.Moving` order is a move, and units with any other order hold."""

    def supports_arrival(self, rules: Any, situation: Any, unit: Unit, province: str) -> bool:
        """Return whether an order of this rule's kinds can bring a unit to a province that it can't reach by itself.

        Support for it there, and convoys to it, are then legal. Whether it was so ordered is decided when orders are
        matched."""
        return False

    def on_condition(self, rules: Any, position: Position, power: str, order: Order, owner: str) -> str | None:
        """Return on what condition an order for a unit of ``owner`` counts (``if Argyll ...``); None if never."""
        return None

    def check(self, rules: Any, position: Position, power: str, order: Order) -> str | None:
        """Return why an order of a kind that this rule adds is illegal; None if it is legal."""
        return None

    def opening(self, rules: Any, position: Position) -> Position:
        """Return the opening position as this rule changes it."""
        return position

    def rewrite(self, rules: Any, position: Position, sheets: tuple[Sheet, ...]) -> Rewritten:
        """Return the sheets to be judged, changed, and the verdicts on orders that were removed."""
        return sheets, ()

    def after(self, rules: Any, aftermath: Aftermath) -> None:
        """Change the result of a phase in place."""

    def settle(self, rules: Any, position: Position) -> Position:
        """Return the position just after centers have changed hands, changed."""
        return position

    def ending(
        self, rules: Any, before: Position, after: Position, votes: frozenset[str], settled: bool
    ) -> Ending | None:
        """Return how the game has ended; None if it goes on.

        ``votes`` are the powers that voted for a draw; ``settled`` is true if centers have just changed hands."""
        return None

    def slice_faults(self, rules: Any, kept: Any) -> Sequence[str]:
        """Return what is wrong with this rule's slice in a document, an error each."""
        places = () if self.slice_form is None else misfits(rules, kept, self.slice_form)
        return [f"{place}: {self.slice_told}" if place else self.slice_told for place in itertools.islice(places, 1)]

    def position_faults(self, rules: Any, position: Position) -> Sequence[str]:
        """Return what is impossible in a document's position, each error with its place (``units: ...``,
        ``state.anarchy: ...``).

        Called once every part of the document has been read and the slices are well formed."""
        return ()

    def refuses_turn(self, rules: Any, turn: Turn) -> str | None:
        """Return why no running game reaches a turn; None if one can. Documents of ended games can have it."""
        return None

    def visible_provinces(self, rules: Any, position: Position, power: str) -> frozenset[str]:
        """Return the provinces that a power sees; it always sees its own units and centers."""
        raise NotImplementedError

    def hides_unit(self, rules: Any, position: Position, power: str, unit: Unit) -> bool:
        """Return whether another's unit is hidden from a power that sees the province."""
        return False

    def hides_owner(self, rules: Any, power: str, center: str) -> bool:
        """Return whether another's ownership of a center is hidden from a power that sees the province."""
        return False

    def shows_owner(self, rules: Any, power: str, center: str) -> bool:
        """Return whether a power sees who owns a center in a province that it doesn't see."""
        return False

    def redact_slice(self, rules: Any, kept: Any, power: str, sees: frozenset[str]) -> Any:
        """Return what a power that sees the provinces ``sees`` is shown of this rule's slice."""
        return in_sight(rules.board, rules.powers, kept, power, sees)

    def status_notes(self, rules: Any, position: Position, power: str) -> Sequence[str]:
        """Return what is unusual about a power in a position by this rule, and what follows, a sentence each."""
        return ()

    def news(self, rules: Any, resolution: Resolution) -> Sequence[str]:
        """Return what this rule tells everyone in the report of a turn, a sentence each."""
        return ()

    def dense(self, rules: Any) -> DenseForm | None:
        """Return the rule's form in the lab's dense games; None if it has none, and the judge plays them."""
        return self.dense_form

    def describe(self, rules: Any) -> tuple[str, ...]:
        """Return sentences for players that say what the rule does with its settings."""
        return ()

    def basics(self, rules: Any) -> Mapping[str, str]:
        """Return replacements of the general sentences for newcomers that this rule makes false, by subject; an empty
        text if :meth:`describe` says it all. The subjects are those of ``legation.variants.rulebook.SENTENCES``."""
        return {}


class EndingByCenters(Rule):
    """A rule that ends the game, if at all, when centers have just changed hands."""

    def ending(
        self, rules: Any, before: Position, after: Position, votes: frozenset[str], settled: bool
    ) -> Ending | None:
        """Return how the game has ended; None if it goes on, as it does where no center could change hands."""
        return self._ending(rules, before, after) if settled else None

    def _ending(self, rules: Any, before: Position, after: Position) -> Ending | None:
        raise NotImplementedError
