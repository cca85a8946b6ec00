"""The questions that the judge asks, and the rules that answer them.

A variant is a board, powers and a list of rule modules. The judge, the list of legal orders, the build count, the
report and the pages all ask the same :class:`Ruleset`, so they cannot disagree. A :class:`Module` answers a question by
defining the method of that name; questions of different forms are put together differently (see :class:`Module`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

import msgspec

from legation.board import Board, Travel, province_of
from legation.frozen import Frozen, Unchanging
from legation.judge.digest import digest
from legation.judge.legality.refusal import Judged, Refusal
from legation.judge.options import STANDARD_OPTIONS, Option, Reading, read_options
from legation.judge.questions import check_form, in_turn
from legation.judge.sight import in_sight, seen_position
from legation.judge.tables import Tables
from legation.notation import OrderKind, Reader, Writer, register
from legation.notation.forms import KINDS
from legation.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Remove,
    Retreat,
    Sheet,
    SupportHold,
    SupportMove,
    UnitOrder,
    VoteDraw,
    Waive,
)
from legation.position import Phase, Position, Turn, Unit

if TYPE_CHECKING:
    from legation.judge.aftermath import Aftermath
    from legation.judge.legality import Situation
    from legation.judge.matching import Matching
    from legation.judge.resolution import Resolution
    from legation.judge.verdicts import Verdict


class UnitKind(msgspec.Struct, frozen=True):
    """A kind of unit: how it travels, its strength in every role, what it costs in centers, and its part in convoys."""

    code: str
    name: str
    travel: Travel
    strength: int = 1
    cost: int = 1
    convoys: bool = False
    convoyed: bool = False
    symbol: str = ""
    """How it is drawn: SVG within 10 units of the origin; empty for a drawing that the atlas chooses."""

    @property
    def one(self) -> str:
        """``an army``, ``a fleet``."""
        return f"{'an' if self.name[:1] in 'aeiou' else 'a'} {self.name}"


ARMY_KIND = UnitKind("A", "army", "army", convoyed=True)
FLEET_KIND = UnitKind("F", "fleet", "fleet", convoys=True)


class Power(msgspec.Struct, frozen=True):
    """A power: its name, adjective, further names, its home centers and its homeland (all provinces inside its home
    borders) where the variant has such."""

    name: str
    adjective: str = ""
    aliases: tuple[str, ...] = ()
    homes: tuple[str, ...] = ()
    homeland: tuple[str, ...] = ()
    color: str = ""


class Ending(msgspec.Struct, frozen=True):
    """How a game ended: ``solo``, ``draw`` or ``ranking`` (best first), for whom, and by which rule."""

    kind: str
    powers: tuple[str, ...]
    reason: str


class RulesError(ValueError):
    """Rule modules that do not fit together."""


class Module(Unchanging):
    """One mechanism that variants pick. A module answers a question by overriding its method; the form of the question
    says how the answers are put together. ``docs/writing-rules.md`` shows how a rule is written.

    One answer (two modules that answer are an error, unless one ``replaces`` the other): :meth:`first_turn` and
    :meth:`next_turn`, :meth:`homes`, :meth:`build_sites`; and :meth:`removals`, which the judge answers if no module
    does.

    Added up: :meth:`faults`, :meth:`position_faults`, :meth:`kinds`, :meth:`extra_sites`, :meth:`supply`,
    :meth:`strength`, :meth:`reach`, :meth:`possible`, :meth:`possible_in`, :meth:`news`, :meth:`plight`.

    Refusals (any module may refuse, with the reason): :meth:`refuses_entry`, :meth:`refuses_support`,
    :meth:`refuses_build`, :meth:`refuses_center`, :meth:`refuses_draw`, :meth:`refuses_orders`.

    Of the orders and phases that a module brings (``orders``, ``phases``): :meth:`order_kinds`, :meth:`check` or
    :meth:`interpret`, :meth:`match`, :meth:`may_carry`, :meth:`on_condition`.

    Sight (what all that answer agree on): :meth:`visible`.

    Steps: :meth:`opening`, :meth:`rewrite`, :meth:`after`, :meth:`settle`, :meth:`ending` (the first ending counts).
    They run one after the other: a module after those that its ``runs_after`` names, else by the alphabet of their
    keys, wherever their tables stand in the variant's file.

    Public methods are answers; whatever else a module needs begins with an underscore. A name that is no question, or
    an answer that does not take what its question gives, is an error when the class is made.
    """

    key: ClassVar[str] = ""
    replaces: ClassVar[frozenset[str]] = frozenset()
    options: ClassVar[tuple[Option, ...]] = ()
    orders: ClassVar[tuple[OrderKind, ...]] = ()
    """The kinds of order that it brings."""
    phases: ClassVar[tuple[Phase, ...]] = ()
    """The phases that it brings: calendars may name them. Every legal order given in one succeeds, and what comes of it
    is decided by :meth:`after`; one in which nobody has anything to order is passed over."""
    runs_after: ClassVar[Sequence[str]] = ()
    """The keys of modules whose steps come before its own, where both are played."""
    version: ClassVar[int] = 1
    """Raised when the module decides anything otherwise than before, so that running games are told."""
    settings: Mapping[str, Any]
    """What the module was made with, those left out included."""

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        if faults := check_form(cls, Module):
            raise RulesError(f"{cls.__module__}.{cls.__name__}: {'; '.join(faults)}")
        register(*cls.orders)

    def __new__(cls, *args: object, **kwargs: object) -> Self:
        module = super().__new__(cls)
        module.settings = {}
        if cls.__init__ is not object.__init__:
            given = inspect.signature(cls.__init__).bind_partial(module, *args, **kwargs)
            given.apply_defaults()
            module.settings = dict(list(given.arguments.items())[1:])
        return module

    def faults(self, rules: Ruleset) -> Sequence[str]:
        """What is wrong with this module's settings on this board and for these powers."""
        return ()

    def first_turn(self, rules: Ruleset) -> Turn:
        """The turn that opens the game."""
        raise NotImplementedError

    def next_turn(self, rules: Ruleset, turn: Turn) -> Turn:
        """The turn after ``turn`` in the calendar, whether or not anybody has anything to order in it."""
        raise NotImplementedError

    def homes(self, rules: Ruleset, position: Position, power: str) -> tuple[str, ...]:
        """The home centers of a power."""
        raise NotImplementedError

    def build_sites(self, rules: Ruleset, position: Position, power: str) -> tuple[str, ...]:
        """The provinces in which a power may build, if they are vacant (owned or not is part of the answer)."""
        raise NotImplementedError

    def kinds(self, rules: Ruleset) -> tuple[UnitKind, ...]:
        """Further kinds of unit."""
        return ()

    def extra_sites(self, rules: Ruleset, position: Position, power: str) -> tuple[str, ...]:
        """Further provinces in which a power may build."""
        return ()

    def supply(self, rules: Ruleset, position: Position, power: str, sheets: Sequence[Sheet]) -> int:
        """What is added to a power's centers to make its unit limit."""
        return 0

    def strength(self, rules: Ruleset, position: Position, unit: Unit, order: Order) -> int:
        """What is added to a unit's strength in every role in a movement turn, by its order as it takes effect; may be
        negative."""
        return 0

    def reach(self, rules: Ruleset, position: Position, unit: Unit) -> Iterable[str]:
        """Further locations that a unit may move to, retreat to and support into, beside those near it on the board."""
        return ()

    def removals(
        self,
        rules: Ruleset,
        position: Position,
        power: str,
        units: Sequence[Unit],
        draw: Callable[[str, Sequence[str]], Sequence[str]],
    ) -> Sequence[tuple[Unit, str]]:
        """A power's units in the order in which they are removed for it when it orders too few, each with the reason.

        ``units`` are those still on the board; ``draw`` draws lots: what for, and the items.
        """
        raise NotImplementedError

    def possible(self, rules: Ruleset, position: Position, power: str) -> Sequence[Order]:
        """The legal orders of the kinds that this module adds, in this phase."""
        return ()

    def possible_in(self, situation: Situation, listed: Mapping[str, list[Order]]) -> Mapping[str, Iterable[str]]:
        """Add legal orders of units that act together to the lists of the powers that are asked for.

        Returned is where each unit (by its location) may come to so, that it can be supported there.
        """
        return {}

    def refuses_entry(self, rules: Ruleset, position: Position, unit: Unit, province: str) -> str | None:
        """Why a unit may not enter a province that it could reach."""
        return None

    def refuses_support(
        self, rules: Ruleset, position: Position, unit: Unit, target: Unit, province: str
    ) -> str | None:
        """Why a unit may not support ``target``'s action in (or into) a province."""
        return None

    def refuses_build(
        self, rules: Ruleset, position: Position, power: str, kind: UnitKind, province: str
    ) -> str | None:
        """Why a power may not build this kind of unit in a province that is a build site."""
        return None

    def refuses_center(self, rules: Ruleset, position: Position, unit: Unit, center: str) -> str | None:
        """Why a unit does not take the center on which it stands when centers change hands."""
        return None

    def refuses_draw(self, rules: Ruleset, position: Position) -> str | None:
        """Why a draw may not be agreed in this position."""
        return None

    def refuses_orders(self, rules: Ruleset, position: Position, power: str) -> str | None:
        """Why no order of a power is carried out in this position, so that its units hold and never retreat."""
        return None

    def order_kinds(self, rules: Ruleset, phase: Phase) -> tuple[type[Order], ...]:
        """The kinds of order that this module adds in a phase."""
        return tuple(kind.record for kind in self.orders if phase in kind.phases)

    def interpret(self, situation: Situation, power: str, order: Order) -> Judged:
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

    def match(self, rules: Ruleset, matching: Matching) -> None:
        """Hold orders of a kind that this module adds against the others of a movement turn.

        Each :class:`~legation.orders.Moving` order is a move already, and every other order holds.
        """

    def may_carry(self, rules: Ruleset, situation: Situation, unit: Unit, province: str) -> bool:
        """Whether an order of this module's kinds may bring a unit to a province it cannot go to by itself.

        Support for it there, and convoys to there, are then legal; whether it was ordered is seen when orders are
        matched.
        """
        return False

    def on_condition(self, rules: Ruleset, position: Position, power: str, order: Order, owner: str) -> str | None:
        """On what condition an order of a power for a unit of ``owner`` counts (``if Argyll ...``), if it ever does."""
        return None

    def check(self, rules: Ruleset, position: Position, power: str, order: Order) -> str | None:
        """Why an order of a kind that this module adds is illegal."""
        return None

    def opening(self, rules: Ruleset, position: Position) -> Position:
        """Change the position that the game opens with."""
        return position

    def rewrite(
        self, rules: Ruleset, position: Position, sheets: tuple[Sheet, ...]
    ) -> tuple[tuple[Sheet, ...], tuple[Verdict, ...]]:
        """Change the sheets before they are judged; orders that are taken off get a verdict here."""
        return sheets, ()

    def after(self, rules: Ruleset, aftermath: Aftermath) -> None:
        """Change what a phase led to."""

    def settle(self, rules: Ruleset, position: Position) -> Position:
        """Change the position just after centers have changed hands."""
        return position

    def ending(
        self, rules: Ruleset, before: Position, after: Position, votes: frozenset[str], settled: bool
    ) -> Ending | None:
        """Whether the game has ended.

        ``votes`` are the powers that agreed to a draw; ``settled`` tells that centers have just changed hands.
        """
        return None

    def slice_faults(self, rules: Ruleset, kept: Any) -> Sequence[str]:
        """What is wrong with what a document gives as this module's slice of the position; it is taken as it is if
        nothing is."""
        return ()

    def position_faults(self, rules: Ruleset, position: Position) -> Sequence[str]:
        """What can never be in a position that a document gives: each fault with its place (``units: ...``,
        ``state.anarchy: ...``).

        Asked when every part of the document could be read and the slices have their form.
        """
        return ()

    def visible(self, rules: Ruleset, position: Position, power: str) -> frozenset[str]:
        """The provinces of which a power sees what is there; what it owns itself it sees anyway."""
        raise NotImplementedError

    def shown(self, rules: Ruleset, kept: Any, power: str, sees: frozenset[str]) -> Any:
        """What a power is shown of this module's slice, where it sees only some provinces."""
        return in_sight(rules, kept, power, sees)

    def plight(self, rules: Ruleset, position: Position, power: str) -> Sequence[str]:
        """How a power stands by this rule in a position, where that is out of the ordinary: what it means for it, a
        sentence each."""
        return ()

    def news(self, rules: Ruleset, resolution: Resolution) -> Sequence[str]:
        """What this module tells everybody in the report of a turn, a sentence each."""
        return ()

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        """This module's rules with its settings, for players, a sentence each."""
        return ()


def check_units(rules: Ruleset, units: Iterable[Unit], module: Module) -> None:
    """Refuse what no rule may make of a position.

    :raises RulesError: when a module has put two units into a province, or one where it cannot be.
    """
    taken: dict[str, Unit] = {}
    for unit in units:
        kind = rules.kinds.get(unit.kind)
        place = province_of(unit.at)
        if kind is None or unit.power not in rules.powers:
            raise RulesError(f"{module.key}: makes {unit} of {unit.power}, which this game does not have")
        if place not in rules.board.provinces or not rules.board.stands(kind.travel, unit.at):
            raise RulesError(f"{module.key}: puts {unit} of {unit.power} where it cannot stand")
        if place in taken:
            raise RulesError(
                f"{module.key}: puts {unit} of {unit.power} where {taken[place]} of {taken[place].power} stands"
            )
        taken[place] = unit


ONE_ANSWER = ("first_turn", "next_turn", "homes", "build_sites")
AT_MOST_ONE = ("removals",)

STEPS = (
    "rewrite",
    "match",
    "after",
    "settle",
    "ending",
    "possible",
    "possible_in",
    "reach",
    "strength",
    "may_carry",
    "on_condition",
    "refuses_center",
    "refuses_entry",
    "refuses_support",
    "refuses_orders",
    "visible",
)

CORE_ORDERS: Mapping[Phase, tuple[type[Order], ...]] = {
    Phase.MOVEMENT: (Hold, Move, SupportHold, SupportMove, Convoy, VoteDraw),
    Phase.RETREATS: (Retreat, Disband, VoteDraw),
    Phase.ADJUSTMENTS: (Build, Remove, Waive, VoteDraw),
    Phase.PLACEMENT: (Build,),
}


class Ruleset(Unchanging):
    """A variant with its options chosen: the board, the powers, and the answer to every question."""

    def __init__(
        self,
        name: str,
        title: str,
        board: Board,
        powers: Sequence[Power],
        modules: Sequence[Module],
        *,
        start: Iterable[Unit] = (),
        owners: Mapping[str, str] | None = None,
        options: Mapping[str, object] | None = None,
        defaults: Mapping[str, object] | None = None,
        unplayed: Sequence[OrderKind] = (),
    ) -> None:
        self.name = name
        self.title = title
        self.board = board
        self.powers: Mapping[str, Power] = Frozen({p.name: p for p in powers})
        self.modules: tuple[Module, ...] = tuple(modules)
        for module in self.modules:
            module.complete()
        try:
            self._in_turn = in_turn(self.modules)
        except ValueError as error:
            raise RulesError(str(error)) from None
        self._unplayed = tuple(unplayed)
        self.start = tuple(start)
        self.start_owners: Mapping[str, str] = Frozen(owners or {})
        self.declared_options: tuple[Option, ...] = STANDARD_OPTIONS + tuple(
            option for module in self.modules for option in module.options
        )
        base = read_options(self.declared_options, defaults or {})
        chosen = read_options(self.declared_options, options or {})
        self.defaults: Mapping[str, Reading] = Frozen(base)
        self.chosen: Mapping[str, Reading] = Frozen({k: chosen[k] for k in (options or {})})
        self.options: Mapping[str, Reading] = Frozen({**base, **self.chosen})
        self._answers = {question: self._one(question) for question in ONE_ANSWER}
        for question in AT_MOST_ONE:
            if self._asked(question):
                self._answers[question] = self._one(question)
        self._distinct_words()
        self.kinds: Mapping[str, UnitKind] = {
            k.code: k for k in (ARMY_KIND, FLEET_KIND, *(k for m in self._asked("kinds") for k in m.kinds(self)))
        }
        self.tables = Tables(board)
        faults = [f"{m.key}: {fault}" for m in self._asked("faults") for fault in m.faults(self)]
        if faults:
            raise RulesError("; ".join(faults))
        self.complete()

    def __repr__(self) -> str:
        return f"Ruleset({self.name!r})"

    @cached_property
    def digest(self) -> str:
        """What a running game is pinned by: it changes when the board, the powers, the rules or the options do."""
        return digest(self)

    def _asked(self, question: str) -> tuple[Module, ...]:
        """The modules that answer a question, in order."""
        return tuple(m for m in self._in_turn if getattr(type(m), question) is not getattr(Module, question))

    def _one(self, question: str) -> Module:
        answering = self._asked(question)
        replaced = {key for m in answering for key in m.replaces}
        left = [m for m in answering if m.key not in replaced]
        if len(left) > 1:
            keys = " and ".join(repr(m.key) for m in left)
            raise RulesError(f"{keys} both answer {question.replace('_', ' ')!r}; pick one of them")
        if not left:
            raise RulesError(f"no rule answers {question.replace('_', ' ')!r}; add a module that does")
        return left[0]

    def _distinct_words(self) -> None:
        """No word introduces two kinds of order in one game."""
        taken = {word: kind for kind in KINDS for word in kind.words}
        for module in self._in_turn:
            for kind in module.orders:
                for word in sorted(kind.words):
                    other = taken.setdefault(word, kind)
                    if other is not kind:
                        raise RulesError(f"{module.key}: the word {word!r} introduces {other.noun} already")

    @cached_property
    def reader(self) -> Reader:
        """Reads orders, units and places as this variant's players write them."""
        played = (*KINDS, *(kind for module in self._in_turn for kind in module.orders))
        lending = bool(self.steps["on_condition"])
        return Reader(self.board, tuple(self.powers.values()), self.kinds, played, self._unplayed, lending=lending)

    @cached_property
    def writer(self) -> Writer:
        """Writes orders in full sentences and in other styles."""
        return Writer(self.board, self.kinds)

    @cached_property
    def standing(self) -> Mapping[str, tuple[str, str]]:
        """Every unit that could stand somewhere, as documents write it (``F stp/nc``): its kind and its location."""
        return Frozen(
            {
                f"{kind.code} {at}": (kind.code, at)
                for kind in self.kinds.values()
                for at in self.board.locations
                if self.board.stands(kind.travel, at)
            }
        )

    @cached_property
    def order_kinds(self) -> Mapping[Phase, frozenset[type[Order]]]:
        """Which kinds of order may be given in each phase."""
        brought: dict[Phase, tuple[type[Order], ...]] = {
            phase: (VoteDraw,) for module in self.modules for phase in module.phases
        }
        return Frozen(
            {
                phase: frozenset(kinds) | {k for m in self.modules for k in m.order_kinds(self, phase)}
                for phase, kinds in {**CORE_ORDERS, **brought}.items()
            }
        )

    @cached_property
    def _handlers(self) -> Mapping[type[Order], Module]:
        return Frozen({kind.record: m for m in self.modules for kind in m.orders})

    def handler(self, kind: type[Order]) -> Module | None:
        """The module that added a kind of order; None for the standard kinds."""
        return self._handlers.get(kind)

    # Questions with one answer

    def first_turn(self) -> Turn:
        """The turn that opens the game."""
        return self._answers["first_turn"].first_turn(self)

    def next_turn(self, turn: Turn) -> Turn:
        """The turn after another in the calendar."""
        return self._answers["next_turn"].next_turn(self, turn)

    def homes(self, position: Position, power: str) -> tuple[str, ...]:
        """The home centers of a power."""
        return self._answers["homes"].homes(self, position, power)

    def build_sites(self, position: Position, power: str) -> tuple[str, ...]:
        """The vacant provinces in which a power may build."""
        sites = self._answers["build_sites"].build_sites(self, position, power)
        for module in self._sites:
            sites += module.extra_sites(self, position, power)
        taken = {u.province for u in position.units}
        return tuple(dict.fromkeys(s for s in sites if s not in taken))

    @cached_property
    def _sites(self) -> tuple[Module, ...]:
        return self._asked("extra_sites")

    # Sums

    def limit(self, position: Position, power: str, sheets: Sequence[Sheet] = ()) -> int:
        """How many units (by cost) a power may have: its centers and what is added to them, never less than none."""
        total = sum(1 for owner in position.owners.values() if owner == power)
        for module in self._asked("supply"):
            total += module.supply(self, position, power, sheets)
        return max(total, 0)

    def size(self, position: Position, power: str) -> int:
        """How many units a power has, by cost."""
        return sum(self.kinds[u.kind].cost for u in position.units if u.power == power)

    def beyond(self, position: Position, unit: Unit) -> set[str]:
        """The locations that rules let a unit go to beside those near it on the board."""
        return {to for module in self.steps["reach"] for to in module.reach(self, position, unit)}

    # Refusals

    @cached_property
    def _entry(self) -> tuple[Callable[..., str | None], ...]:
        return tuple(m.refuses_entry for m in self._asked("refuses_entry"))

    def refuses_entry(self, position: Position, unit: Unit, province: str) -> str | None:
        """Why a unit may not enter a province; None if it may."""
        for ask in self._entry:
            if reason := ask(self, position, unit, province):
                return reason
        return None

    @cached_property
    def _support(self) -> tuple[Callable[..., str | None], ...]:
        return tuple(m.refuses_support for m in self._asked("refuses_support"))

    def refuses_support(self, position: Position, unit: Unit, target: Unit, province: str) -> str | None:
        """Why a unit may not support another in a province; None if it may."""
        for ask in self._support:
            if reason := ask(self, position, unit, target, province):
                return reason
        return None

    def refuses_build(self, position: Position, power: str, kind: UnitKind, province: str) -> str | None:
        """Why a power may not build a kind of unit in one of its build sites; None if it may."""
        for module in self._asked("refuses_build"):
            if reason := module.refuses_build(self, position, power, kind, province):
                return reason
        return None

    def refuses_center(self, position: Position, unit: Unit, center: str) -> str | None:
        """Why a unit does not take the center on which it stands; None if it does."""
        for module in self.steps["refuses_center"]:
            if reason := module.refuses_center(self, position, unit, center):
                return reason
        return None

    def removals(
        self,
        position: Position,
        power: str,
        units: Sequence[Unit],
        draw: Callable[[str, Sequence[str]], Sequence[str]],
    ) -> Sequence[tuple[Unit, str]] | None:
        """The order of removals by a rule of this variant's own; None where the rule for civil disorder holds."""
        module = self._answers.get("removals")
        return None if module is None else module.removals(self, position, power, units, draw)

    def refuses_draw(self, position: Position) -> str | None:
        """Why no draw may be agreed now; None if one may."""
        for module in self._asked("refuses_draw"):
            if reason := module.refuses_draw(self, position):
                return reason
        return None

    def refuses_orders(self, position: Position, power: str) -> str | None:
        """Why nothing that a power orders is carried out; None if it commands its units."""
        for module in self.steps["refuses_orders"]:
            if reason := module.refuses_orders(self, position, power):
                return reason
        return None

    def plight(self, position: Position, power: str) -> tuple[str, ...]:
        """What is out of the ordinary about a power in a position, by every rule that has anything to say, in
        sentences."""
        return tuple(text for module in self._asked("plight") for text in module.plight(self, position, power))

    def on_condition(self, position: Position, power: str, order: Order, owner: str) -> str | None:
        """On what condition an order for a unit of ``owner`` counts; None if it never does."""
        for module in self.steps["on_condition"]:
            if condition := module.on_condition(self, position, power, order, owner):
                return condition
        return None

    # Sight

    def visible(self, position: Position, power: str) -> frozenset[str] | None:
        """The provinces that a power sees, by every rule that hides any; None where nothing is hidden.

        Who is no power sees none.
        """
        seen: frozenset[str] | None = None
        if power not in self.powers and self.steps["visible"]:
            return frozenset()
        for module in self.steps["visible"]:
            sees = module.visible(self, position, power)
            seen = sees if seen is None else seen & sees
        return seen

    def seen(self, position: Position, power: str) -> Position:
        """A position as a power sees it."""
        return seen_position(self, position, power)

    # Steps

    def opening(self) -> Position:
        """The position that a game opens with."""
        position = Position(turn=self.first_turn(), units=self.start, owners=self.start_owners)
        for module in self._asked("opening"):
            position = module.opening(self, position)
            check_units(self, position.units, module)
        return self.in_order(position)

    def in_order(self, position: Position) -> Position:
        """The same position with units and centers listed power by power, as documents list them: whoever reads one
        back goes on in the same order."""
        rank = self._rank
        units = tuple(sorted(position.units, key=lambda unit: rank[unit.power]))
        dislodged = tuple(sorted(position.dislodged, key=lambda entry: rank[entry.unit.power]))
        owners = dict(sorted(position.owners.items(), key=lambda item: rank[item[1]]))
        return Position(position.turn, units, dislodged, position.contested, owners, position.slices)

    @cached_property
    def _rank(self) -> Mapping[str, int]:
        return Frozen({power: number for number, power in enumerate(self.powers)})

    @cached_property
    def steps(self) -> Mapping[str, tuple[Module, ...]]:
        """The modules that take part in each step, and those that refuse."""
        return Frozen({step: self._asked(step) for step in STEPS})
