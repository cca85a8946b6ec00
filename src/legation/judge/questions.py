"""The questions that the judge asks of rules: a rule answers one by defining the method of that name.

Questions of different forms are put together differently; :class:`~legation.judge.ruleset.Ruleset` does it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

import msgspec

from legation.board import Board
from legation.frozen import Immutable
from legation.judge.aftermath import Aftermath
from legation.judge.dense_form import DenseForm
from legation.judge.endings import Ending
from legation.judge.options import Option
from legation.judge.powers import Power
from legation.judge.refusal import Judged, Refusal
from legation.judge.resolution import Resolution
from legation.judge.rule_form import accept_old_names, check_form
from legation.judge.sight import in_sight
from legation.judge.unit_kinds import UnitKind
from legation.judge.verdicts import Verdict
from legation.notation import OrderKind, check_kind, register
from legation.orders import Order, Sheet, UnitOrder
from legation.position import Phase, Position, Turn, Unit


class Rules(Protocol):
    """What the usual answers need to know of a variant."""

    @property
    def board(self) -> Board:
        """The board that is played on."""

    @property
    def powers(self) -> Mapping[str, Power]:
        """The powers by name, in the variant's sequence."""


class Judging(Protocol):
    """What the usual answers need to know of a position in which orders are judged."""

    @property
    def rules(self) -> Any:
        """The ruleset."""

    @property
    def position(self) -> Position:
        """The position in which orders are judged."""

    def unit(self, power: str, order: UnitOrder) -> Unit | Refusal:
        """Return the unit that an order of a power's is for, or why there is none."""


RulesetT = TypeVar("RulesetT", bound=Rules)
SituationT = TypeVar("SituationT", bound=Judging)
MatchingT = TypeVar("MatchingT")


class RulesError(ValueError):
    """Rule modules that do not fit together."""


class Questions(Immutable, Generic[RulesetT, SituationT, MatchingT]):
    """Every question that a rule may answer, each with its usual answer. The form of a question says how the answers of
    several rules are put together.

    It stands below what it is asked with, and so takes the types of that as parameters: :class:`legation.judge.Rule`
    is this class with the ruleset, the situation and the matching of this package.

    One answer (two modules that answer are an error, unless one ``replaces`` the other): :meth:`first_turn` and
    :meth:`next_turn`, :meth:`homes`, :meth:`build_sites`; and :meth:`removals`, which the judge answers if no module
    does.

    Added up: :meth:`faults`, :meth:`position_faults`, :meth:`kinds`, :meth:`extra_sites`, :meth:`supply`,
    :meth:`strength`, :meth:`half_strength`, :meth:`reach`, :meth:`support_reach`, :meth:`convoying`,
    :meth:`nobody_plays`, :meth:`legal_orders`, :meth:`legal_cooperation`, :meth:`news`, :meth:`status_notes`.

    The first answer counts: :meth:`kind_to_build`.

    One is enough: :meth:`frees_units`, :meth:`keeps_turn`, :meth:`hides_unit`, :meth:`hides_owner`,
    :meth:`shows_owner`.

    Refusals (any module may refuse, with the reason): :meth:`refuses_departure`, :meth:`refuses_removal`,
    :meth:`refuses_entry`, :meth:`refuses_support`,
    :meth:`refuses_build`, :meth:`refuses_center`, :meth:`refuses_draw`, :meth:`refuses_orders`,
    :meth:`refuses_turn`.

    Of the orders and phases that a module brings (``orders``, ``phases``): :meth:`order_kinds`, :meth:`check` or
    :meth:`interpret`, :meth:`match`, :meth:`supports_arrival`, :meth:`on_condition`.

    Sight (what all that answer agree on): :meth:`visible_provinces`.

    Steps: :meth:`opening`, :meth:`rewrite`, :meth:`after`, :meth:`settle`, :meth:`ending` (the first ending counts).
    They run one after the other: a module after those that its ``runs_after`` names, else by the alphabet of their
    keys, wherever their tables stand in the variant's file.

    Public methods are answers; whatever else a module needs begins with an underscore. A name that isn't a question, or
    an answer that does not take what its question gives, is an error when the class is made.
    """

    key: ClassVar[str] = ""
    replaces: ClassVar[frozenset[str]] = frozenset()
    options: tuple[Option, ...] = ()
    """The disputed points that it brings; a rule may make them of its settings."""
    orders: ClassVar[tuple[OrderKind, ...]] = ()
    """The kinds of order that it brings."""
    phases: ClassVar[tuple[Phase, ...]] = ()
    """The phases that it brings: calendars may name them. Every legal order given in one succeeds, and what comes of it
    is decided by :meth:`after`; one in which nobody has anything to order is passed over."""
    restricted_kinds: frozenset[str] | None = None
    """The kinds of unit of which :meth:`refuses_entry` and :meth:`refuses_support` ever refuse anything, by their codes
    (None: perhaps any). The list of legal orders asks about no others."""
    runs_after: ClassVar[Sequence[str]] = ()
    """The keys of modules whose steps come before its own, where both are played."""
    version: ClassVar[int] = 1
    """Raised when the module decides anything otherwise than before, so that running games are told."""
    added_settings: ClassVar[frozenset[str]] = frozenset()
    """Settings that the module did not have at first: running games are told of one only where it is not left out."""
    settings: Mapping[str, Any]
    """What the module was made with, those left out included."""

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        accept_old_names(cls)
        if faults := [*check_form(cls, Questions), *(fault for kind in cls.orders for fault in check_kind(kind))]:
            raise RulesError(f"{cls.__module__}.{cls.__name__}: {'; '.join(faults)}")
        register(*cls.orders)

    def __new__(cls, *args: object, **kwargs: object) -> Self:
        """Keep what the module is made with as its ``settings``, defaults included."""
        module = super().__new__(cls)
        module.settings = {}
        if cls.__init__ is not object.__init__:
            given = inspect.signature(cls.__init__).bind_partial(module, *args, **kwargs)
            given.apply_defaults()
            module.settings = dict(list(given.arguments.items())[1:])
        return module

    @property
    def pinned_settings(self) -> Mapping[str, Any]:
        """The settings to which a running game is pinned: all but added ones that were left out."""
        if not self.added_settings:
            return self.settings
        usual = inspect.signature(type(self).__init__).parameters
        return {
            name: value
            for name, value in self.settings.items()
            if name not in self.added_settings or value != usual[name].default
        }

    def faults(self, rules: RulesetT) -> Sequence[str]:
        """What is wrong with this module's settings on this board and for these powers."""
        return ()

    def first_turn(self, rules: RulesetT) -> Turn:
        """The turn that opens the game."""
        raise NotImplementedError

    def next_turn(self, rules: RulesetT, turn: Turn) -> Turn:
        """The turn after ``turn`` in the calendar, whether or not anybody has anything to order in it."""
        raise NotImplementedError

    def homes(self, rules: RulesetT, position: Position, power: str) -> tuple[str, ...]:
        """The home centers of a power."""
        raise NotImplementedError

    def build_sites(self, rules: RulesetT, position: Position, power: str) -> tuple[str, ...]:
        """The provinces in which a power may build, if they are vacant (owned or not is part of the answer)."""
        raise NotImplementedError

    def kinds(self, rules: RulesetT) -> tuple[UnitKind, ...]:
        """Further kinds of unit."""
        return ()

    def convoying(self, rules: RulesetT) -> Iterable[str]:
        """Further provinces in which fleets may convoy: coasts in one piece."""
        return ()

    def nobody_plays(self, rules: RulesetT) -> Iterable[str]:
        """Powers that nobody plays: they have no voice in draws and cannot win."""
        return ()

    def extra_sites(self, rules: RulesetT, position: Position, power: str) -> tuple[str, ...]:
        """Further provinces in which a power may build."""
        return ()

    def support_reach(self, rules: RulesetT, position: Position, unit: Unit) -> Iterable[str]:
        """Further provinces into which a unit may support, beside those that it can move to."""
        return ()

    def half_strength(self, rules: RulesetT, position: Position, unit: Unit, order: Order) -> int:
        """How many halves of a strength are added to a unit's strength in every role; may be negative."""
        return 0

    def frees_units(self, rules: RulesetT, position: Position, power: str) -> bool:
        """Whether a power may remove units in adjustments that need not go, and build others for them."""
        return False

    def keeps_turn(self, rules: RulesetT, position: Position) -> bool:
        """Whether the position's turn is played though nobody may have anything to order in it."""
        return False

    def supply(self, rules: RulesetT, position: Position, power: str, sheets: Sequence[Sheet]) -> int:
        """What is added to a power's centers to make its unit limit."""
        return 0

    def strength(self, rules: RulesetT, position: Position, unit: Unit, order: Order) -> int:
        """What is added to a unit's strength in every role in a movement turn, by its order as it takes effect; may be
        negative."""
        return 0

    def reach(self, rules: RulesetT, position: Position, unit: Unit) -> Iterable[str]:
        """Further locations that a unit may move to, retreat to and support into, beside those near it on the board."""
        return ()

    def kind_to_build(self, rules: RulesetT, position: Position, power: str, province: str) -> str | None:
        """The kind of unit that a power builds in a province where its order names none; None where it must."""
        return None

    def removals(
        self,
        rules: RulesetT,
        position: Position,
        power: str,
        units: Sequence[Unit],
        draw: Callable[[str, Sequence[str]], Sequence[str]],
    ) -> Sequence[tuple[Unit, str]]:
        """A power's units in the order in which they are removed for it when it orders too few, each with the reason.

        ``units`` are those still on the board; ``draw`` draws lots: what for, and the items.
        """
        raise NotImplementedError

    def legal_orders(self, rules: RulesetT, position: Position, power: str) -> Sequence[Order]:
        """The legal orders of the kinds that this module adds, in this phase."""
        return ()

    def legal_cooperation(
        self, situation: SituationT, listed: Mapping[str, list[Order]]
    ) -> Mapping[str, Iterable[str]]:
        """Add legal orders of units that act together to the lists of the powers that are asked for.

        Returned is where each unit (by its location) may come to so, that it can be supported there.
        """
        return {}

    def refuses_departure(self, rules: RulesetT, position: Position, unit: Unit) -> str | None:
        """Why a unit may not leave the province in which it stands; dislodged, it is not asked about."""
        return None

    def refuses_removal(self, rules: RulesetT, position: Position, unit: Unit) -> str | None:
        """Why a unit is never removed in adjustments, even where its power has too many."""
        return None

    def refuses_entry(self, rules: RulesetT, position: Position, unit: Unit, province: str) -> str | None:
        """Why a unit may not enter a province that it could reach."""
        return None

    def refuses_support(
        self, rules: RulesetT, position: Position, unit: Unit, target: Unit, province: str
    ) -> str | None:
        """Why a unit may not support ``target``'s action in (or into) a province."""
        return None

    def refuses_build(
        self, rules: RulesetT, position: Position, power: str, kind: UnitKind, province: str
    ) -> str | None:
        """Why a power may not build this kind of unit in a province that is a build site."""
        return None

    def refuses_center(self, rules: RulesetT, position: Position, unit: Unit, center: str) -> str | None:
        """Why a unit does not take the center on which it stands when centers change hands."""
        return None

    def refuses_draw(self, rules: RulesetT, position: Position) -> str | None:
        """Why a draw may not be agreed in this position."""
        return None

    def refuses_orders(self, rules: RulesetT, position: Position, power: str) -> str | None:
        """Why no order of a power is carried out in this position, so that its units hold and never retreat."""
        return None

    def order_kinds(self, rules: RulesetT, phase: Phase) -> tuple[type[Order], ...]:
        """The kinds of order that this module adds in a phase."""
        return tuple(kind.record for kind in self.orders if phase in kind.phases)

    def interpret(self, situation: SituationT, power: str, order: Order) -> Judged:
        """An order of a kind that this module adds as it takes effect, or why it is illegal.

        If this is left out, the unit must be the power's own, and :meth:`check` is asked.
        """
        if isinstance(order, UnitOrder):
            unit = situation.unit(power, order)
            if isinstance(unit, Refusal):
                return unit
            order = msgspec.structs.replace(order, kind=unit.kind, at=unit.at)
        reason = self.check(situation.rules, situation.position, power, order)
        return Refusal(reason) if reason else order

    def match(self, rules: RulesetT, matching: MatchingT) -> None:
        """Hold orders of a kind that this module adds against the others of a movement turn.

        Each :class:`~legation.orders.Moving` order is a move already, and every other order holds.
        """

    def supports_arrival(self, rules: RulesetT, situation: SituationT, unit: Unit, province: str) -> bool:
        """Whether an order of this module's kinds may bring a unit to a province it cannot go to by itself.

        Support for it there, and convoys to there, are then legal; whether it was ordered is seen when orders are
        matched.
        """
        return False

    def on_condition(self, rules: RulesetT, position: Position, power: str, order: Order, owner: str) -> str | None:
        """On what condition an order of a power for a unit of ``owner`` counts (``if Argyll ...``), if it ever does."""
        return None

    def check(self, rules: RulesetT, position: Position, power: str, order: Order) -> str | None:
        """Why an order of a kind that this module adds is illegal."""
        return None

    def opening(self, rules: RulesetT, position: Position) -> Position:
        """Change the position that the game opens with."""
        return position

    def rewrite(
        self, rules: RulesetT, position: Position, sheets: tuple[Sheet, ...]
    ) -> tuple[tuple[Sheet, ...], tuple[Verdict, ...]]:
        """Change the sheets before they are judged; orders that are taken off get a verdict here."""
        return sheets, ()

    def after(self, rules: RulesetT, aftermath: Aftermath) -> None:
        """Change what a phase led to."""

    def settle(self, rules: RulesetT, position: Position) -> Position:
        """Change the position just after centers have changed hands."""
        return position

    def ending(
        self, rules: RulesetT, before: Position, after: Position, votes: frozenset[str], settled: bool
    ) -> Ending | None:
        """Whether the game has ended.

        ``votes`` are the powers that agreed to a draw; ``settled`` tells that centers have just changed hands.
        """
        return None

    def slice_faults(self, rules: RulesetT, kept: Any) -> Sequence[str]:
        """What is wrong with what a document gives as this module's slice of the position; it is taken as it is if
        nothing is."""
        return ()

    def position_faults(self, rules: RulesetT, position: Position) -> Sequence[str]:
        """What can never be in a position that a document gives: each fault with its place (``units: ...``,
        ``state.anarchy: ...``).

        Asked when every part of the document could be read and the slices have their form.
        """
        return ()

    def refuses_turn(self, rules: RulesetT, turn: Turn) -> str | None:
        """Why no game that goes on comes to a turn; a document that says how the game ended may be of one."""
        return None

    def visible_provinces(self, rules: RulesetT, position: Position, power: str) -> frozenset[str]:
        """The provinces of which a power sees what is there; what it owns itself it sees anyway."""
        raise NotImplementedError

    def hides_unit(self, rules: RulesetT, position: Position, power: str, unit: Unit) -> bool:
        """Whether a power does not see another's unit although it sees the province."""
        return False

    def hides_owner(self, rules: RulesetT, power: str, center: str) -> bool:
        """Whether a power does not see who else owns a center although it sees the province."""
        return False

    def shows_owner(self, rules: RulesetT, power: str, center: str) -> bool:
        """Whether a power sees who owns a center although it does not see the province."""
        return False

    def redact_slice(self, rules: RulesetT, kept: Any, power: str, sees: frozenset[str]) -> Any:
        """What a power is shown of this module's slice, where it sees only some provinces."""
        return in_sight(rules.board, rules.powers, kept, power, sees)

    def status_notes(self, rules: RulesetT, position: Position, power: str) -> Sequence[str]:
        """How a power stands by this rule in a position, where that is out of the ordinary: what it means for it, a
        sentence each."""
        return ()

    def news(self, rules: RulesetT, resolution: Resolution) -> Sequence[str]:
        """What this module tells everybody in the report of a turn, a sentence each."""
        return ()

    def dense(self, rules: RulesetT) -> DenseForm | None:
        """What the rule comes to in the lab's dense games; None where it has no such form and the judge plays."""
        return None

    def describe(self, rules: RulesetT) -> tuple[str, ...]:
        """This module's rules with its settings, for players, a sentence each."""
        return ()

    def basics(self, rules: RulesetT) -> Mapping[str, str]:
        """General sentences for newcomers that this rule makes false, by subject, each with what holds instead; empty
        where :meth:`describe` says it. The subjects are those of ``legation.variants.rulebook.SENTENCES``."""
        return {}
