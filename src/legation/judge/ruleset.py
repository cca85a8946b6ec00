"""A variant's rules put together: the answer to every question.

A variant is a board, powers and a list of rule modules. The judge, the list of legal orders, the build count, the
report and the pages all ask the same :class:`Ruleset`, so they cannot disagree.

It is long because each question has its method here, and no answer is put together anywhere else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from types import FunctionType
from typing import Any, Concatenate, ParamSpec

import msgspec

from legation.board import Board, province_of
from legation.frozen import Frozen, Immutable, freeze
from legation.judge import core
from legation.judge.chains import Chains
from legation.judge.dense_form import DenseForm
from legation.judge.digest import JUDGE_VERSION, PARTS, digest
from legation.judge.made_orders import MadeOrders
from legation.judge.options import STANDARD_OPTIONS, Option, Reading, read_options
from legation.judge.powers import Power
from legation.judge.rule import Rule, RulesError
from legation.judge.rule_form import execution_order
from legation.judge.setting_names import unknown_names
from legation.judge.tables import Tables
from legation.judge.unit_kinds import ARMY_KIND, FLEET_KIND, UnitKind
from legation.notation import KINDS, OrderKind, Reader, Writer
from legation.notation.vocabulary import introducing_words
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
    VoteDraw,
    Waive,
)
from legation.position import Phase, Position, Turn, Unit

PARADOX_RULES = {
    "szykman": core.SZYKMAN,
    "1971": core.RULE_1971,
    "1982": core.RULE_1982,
    "2000": core.RULE_2000,
    "all hold": core.ALL_HOLD,
}

MOST_TURNS = 1_000
"""So many turns are kept with what comes after each."""
ONE_ANSWER = ("first_turn", "next_turn", "homes")
AT_MOST_ONE = ("build_sites", "removals")

CORE_ORDERS: Mapping[Phase, tuple[type[Order], ...]] = {
    Phase.MOVEMENT: (Hold, Move, SupportHold, SupportMove, Convoy, VoteDraw),
    Phase.RETREATS: (Retreat, Disband, VoteDraw),
    Phase.ADJUSTMENTS: (Build, Remove, Waive, VoteDraw),
    Phase.PLACEMENT: (Build,),
}

P = ParamSpec("P")


def _refusal(question: Callable[Concatenate[Any, Any, P], str | None]) -> Callable[Concatenate[Ruleset, P], str | None]:
    """Return the method by which a ruleset asks its rules whether something isn't allowed; the first reason counts."""

    def ask(rules: Ruleset, /, *facts: P.args, **_: P.kwargs) -> str | None:
        refuse = rules.refusals[question.__name__]
        return None if refuse is None else refuse(rules, *facts)

    ask.__doc__ = question.__doc__
    return ask


class Ruleset(Immutable):
    """A variant with its options chosen: the board, the powers, and the answer to every question."""

    def __init__(
        self,
        name: str,
        title: str,
        board: Board,
        powers: Sequence[Power],
        modules: Sequence[Rule],
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
        self.modules: tuple[Rule, ...] = tuple(modules)
        for module in self.modules:
            module.complete()
        try:
            self._in_turn = execution_order(self.modules)
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
        asked = (*ONE_ANSWER, *filter(self.steps.get, AT_MOST_ONE))
        self._answers = {question: self._one(question) for question in asked}
        self._distinct_words()
        self.kinds: Mapping[str, UnitKind] = {
            k.code: k for k in (ARMY_KIND, FLEET_KIND, *(k for m in self.steps["kinds"] for k in m.kinds(self)))
        }
        self.tables = Tables(board, {p for m in self.steps["convoying"] for p in m.convoying(self)})
        unknown = {m.key: [*unknown_names(self, type(m).__init__, m.settings)] for m in self._in_turn}
        faults = [f"{m.key}: {fault}" for m in self._in_turn for fault in unknown[m.key] or m.faults(self)]
        if faults:
            raise RulesError("; ".join(faults))
        self.complete()

    def __repr__(self) -> str:
        return f"Ruleset({self.name!r})"

    @cached_property
    def digest(self) -> str:
        """The digest to which a running game is pinned: it changes with the board, powers, rules and options."""
        return digest(self.text)

    @cached_property
    def text(self) -> str:
        """Everything that decides a game, from which the digest is made, in four lines of JSON: the board, the powers,
        the rules, the options."""
        lands = [
            (p.id, p.name, p.sea, p.shore, p.coasts, p.center, p.region, p.area, p.primary, p.capital)
            for p in self.board.provinces.values()
        ]
        powers = [(p.name, p.homes, p.homeland) for p in self.powers.values()]
        modules = [(m.key, m.version, m.pinned_settings) for m in sorted(self.modules, key=lambda m: m.key)]
        opening, rules = [powers, self.start, self.start_owners], [JUDGE_VERSION, modules]
        parts = ([lands, self.board.borders], opening, rules, self.options)
        return "\n".join(msgspec.json.encode(part, order="deterministic").decode() for part in parts)

    def named(self, power: str) -> Power:
        """Return a power for a sentence; one by its name alone if the variant has none of that name."""
        return self.powers.get(power) or Power(power)

    @cached_property
    def played(self) -> tuple[str, ...]:
        """The powers with a player, in order."""
        passive = {power for module in self.steps["nobody_plays"] for power in module.nobody_plays(self)}
        return tuple(power for power in self.powers if power not in passive)

    def _one(self, question: str) -> Rule:
        answering = self.steps[question]
        replaced = {key for m in answering for key in m.replaces}
        left = [m for m in answering if m.key not in replaced]
        if len(left) > 1:
            keys = " and ".join(repr(m.key) for m in left)
            raise RulesError(f"{keys} both answer {question.replace('_', ' ')!r}; pick one of them")
        if not left:
            raise RulesError(f"no rule answers {question.replace('_', ' ')!r}; add a module that does")
        return left[0]

    def _distinct_words(self) -> None:
        """No word introduces two kinds of order in one phase of a game."""
        taken = {introduced: kind for kind in KINDS for introduced in introducing_words(kind)}
        for module in self._in_turn:
            for kind in module.orders:
                for introduced in sorted(introducing_words(kind), key=str):
                    other = taken.setdefault(introduced, kind)
                    if other.record is not kind.record:
                        raise RulesError(f"{module.key}: the word {introduced[0]!r} introduces {other.noun} already")

    @cached_property
    def core_readings(self) -> tuple[int, ...]:
        """The options that :mod:`legation.judge.core` takes, as a vector of integers."""
        readings = [0] * core.RULES_LENGTH
        readings[core.PARADOX] = PARADOX_RULES[str(self.options["convoy_paradox"])]
        readings[core.ANY_ROUTE_BREAKS] = int(self.options["multi_route_convoy"] == "any")
        readings[core.CONVOY_CUTS_OWN_TARGET] = int(self.options["convoyed_attack_cuts_own_target"] is True)
        readings[core.DISLODGED_NEVER_BOUNCES] = int(self.options["dislodged_bounces"] == "never")
        return tuple(readings)

    @cached_property
    def reader(self) -> Reader:
        """The reader of orders, units and places for this variant."""
        played = (*KINDS, *(kind for module in self._in_turn for kind in module.orders))
        lending = bool(self.steps["on_condition"])
        return Reader(self.board, tuple(self.powers.values()), self.kinds, played, self._unplayed, lending=lending)

    @cached_property
    def writer(self) -> Writer:
        """The writer of orders in sentences and other styles for this variant."""
        return Writer(self.board, self.kinds)

    @cached_property
    def chains(self) -> Chains:
        """The chains of fleets, with a cache of those found for earlier positions."""
        return Chains(self.tables)

    @cached_property
    def standing(self) -> Mapping[str, tuple[str, str]]:
        """Every possible unit by its text in documents (``F stp/nc``): its kind and location."""
        return Frozen(
            {
                f"{kind.code} {at}": (kind.code, at)
                for kind in self.kinds.values()
                for at in self.board.locations
                if self.board.stands(kind.travel, at)
            }
        )

    @cached_property
    def units_as_written(self) -> Mapping[str, Mapping[str, Unit]]:
        """Every possible unit, by power and by its text in :attr:`standing`; documents share them."""
        return Frozen(
            {
                power: Frozen({text: Unit(kind, at, power) for text, (kind, at) in self.standing.items()})
                for power in self.powers
            }
        )

    @cached_property
    def made_orders(self) -> MadeOrders:
        """The orders of movement that lists of legal orders share."""
        return MadeOrders(self.tables, self.kinds, self.standing.values())

    @cached_property
    def unit_numbers(self) -> Mapping[Unit, int]:
        """The number of every possible unit's kind and location among :attr:`standing`."""
        numbers = self.made_orders.numbers
        return Frozen({u: numbers[u.kind, u.at] for units in self.units_as_written.values() for u in units.values()})

    @cached_property
    def dense_form(self) -> DenseForm:
        """The dense forms of the rules that have one as a whole: of each part what the first rule says of it."""
        said = nothing = msgspec.structs.asdict(DenseForm())
        forms = [form for module in self.modules if (form := module.dense(self)) is not None]
        for form in reversed(forms):
            said = said | {
                part: value for part, value in msgspec.structs.asdict(form).items() if value != nothing[part]
            }
        records = {name: make for form in forms for name, make in form.records.items()}
        whole: DenseForm = freeze(DenseForm(**said | {"records": records}))
        return whole

    @cached_property
    def units_decide(self) -> bool:
        """Whether a hold, a move by land or a support depends on nothing but the units that it names: no rule looks at
        more of the position, and all of one kind are judged alike, whoever owns them."""
        looking = ("support_reach", "supports_arrival", "refuses_support", "refuses_orders")
        owners_count = self.options["missing_nationality"] == "fails"
        return not (owners_count or self.restricts_moves or any(self.steps[step] for step in looking))

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
    def _handlers(self) -> Mapping[type[Order], Rule]:
        return Frozen({kind.record: m for m in self.modules for kind in m.orders})

    def handler(self, kind: type[Order]) -> Rule | None:
        """The module that added a kind of order; None for the standard kinds."""
        return self._handlers.get(kind)

    def described(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """What each module tells players of its rules, by its key, in the order of the variant's file; one that another
        replaces says nothing."""
        replaced = {key for module in self.modules for key in module.replaces}
        return tuple((m.key, tuple(m.describe(self))) for m in self.modules if m.key not in replaced)

    # Questions with one answer

    def first_turn(self) -> Turn:
        """Return the turn that opens the game."""
        return self._answers["first_turn"].first_turn(self)

    def next_turn(self, turn: Turn) -> Turn:
        """Return the turn after another in the calendar."""
        return self._next_turn(turn)

    @cached_property
    def _next_turn(self) -> Callable[[Turn], Turn]:
        ask = self._answers["next_turn"].next_turn
        return lru_cache(maxsize=MOST_TURNS)(lambda turn: ask(self, turn))

    def homes(self, position: Position, power: str) -> tuple[str, ...]:
        """Return the home centers of a power: province ids."""
        return self._answers["homes"].homes(self, position, power)

    def build_sites(self, position: Position, power: str) -> tuple[str, ...]:
        """Return the vacant provinces in which a power can build."""
        if (module := self._answers.get("build_sites")) is not None:
            sites = module.build_sites(self, position, power)
        else:
            sites = tuple(home for home in self.homes(position, power) if position.owners.get(home) == power)
        for module in self.steps["extra_sites"]:
            sites += module.extra_sites(self, position, power)
        province = self.tables.province
        taken = {province[unit.at] for unit in position.units}
        return tuple(dict.fromkeys(s for s in sites if s not in taken))

    # Sums

    def limit(self, position: Position, power: str, sheets: Sequence[Sheet] = ()) -> int:
        """Return how many units a power can have, by cost: its centers and what rules add; at least 0."""
        total = list(position.owners.values()).count(power)
        for module in self.steps["supply"]:
            total += module.supply(self, position, power, sheets)
        return max(total, 0)

    def size(self, position: Position, power: str) -> int:
        """Return how many units a power has, by cost."""
        kinds = self.kinds
        return sum([kinds[u.kind].cost for u in position.units if u.power == power])

    def extra_reach(self, position: Position, unit: Unit) -> set[str]:
        """Return the locations that rules let a unit reach besides its neighbors on the board."""
        return {to for module in self.steps["reach"] for to in module.reach(self, position, unit)}

    # Refusals

    @cached_property
    def refusals(self) -> Mapping[str, Callable[..., str | None] | None]:
        """By question the function that says why something isn't allowed, with the rules as first argument, for callers
        that ask very often; None where no rule refuses anything."""
        asked = {question: modules for question, modules in self.steps.items() if question.startswith("refuses_")}
        return Frozen({question: _first_reason([getattr(m, question) for m in asked[question]]) for question in asked})

    refuses_entry = _refusal(Rule.refuses_entry)
    refuses_departure = _refusal(Rule.refuses_departure)
    refuses_dislodgement = _refusal(Rule.refuses_dislodgement)
    refuses_removal = _refusal(Rule.refuses_removal)
    refuses_support = _refusal(Rule.refuses_support)
    refuses_build = _refusal(Rule.refuses_build)
    refuses_turn = _refusal(Rule.refuses_turn)
    refuses_center = _refusal(Rule.refuses_center)
    refuses_draw = _refusal(Rule.refuses_draw)
    refuses_orders = _refusal(Rule.refuses_orders)

    def frees_units(self, position: Position, power: str) -> bool:
        """Return whether a power can remove units that it doesn't have to remove."""
        return any(module.frees_units(self, position, power) for module in self.steps["frees_units"])

    def keeps_turn(self, position: Position) -> bool:
        """Return whether the position's turn is played even if nobody has anything to order in it."""
        return any(module.keeps_turn(self, position) for module in self.steps["keeps_turn"])

    @cached_property
    def restricts_moves(self) -> bool:
        """Whether any rule extends or restricts where units can move."""
        return bool(self.steps["refuses_entry"] or self.steps["refuses_departure"] or self.steps["reach"])

    @cached_property
    def restricted_kinds(self) -> frozenset[str]:
        """The kinds of unit that a rule can keep from entering a province or supporting there."""
        asked = (*self.steps["refuses_entry"], *self.steps["refuses_support"])
        named = (self.kinds if rule.restricted_kinds is None else rule.restricted_kinds for rule in asked)
        return frozenset().union(*named)

    def kind_to_build(self, position: Position, power: str, province: str) -> str:
        """Return the code of the kind that is built if an order names none; empty if no rule decides it."""
        answers = (m.kind_to_build(self, position, power, province) for m in self.steps["kind_to_build"])
        return next((kind for kind in answers if kind), "")

    def removals(
        self,
        position: Position,
        power: str,
        units: Sequence[Unit],
        draw: Callable[[str, Sequence[str]], Sequence[str]],
    ) -> Sequence[tuple[Unit, str]] | None:
        """Return the order of removals by one of the variant's rules; None if the option ``civil_disorder`` decides."""
        module = self._answers.get("removals")
        return None if module is None else module.removals(self, position, power, units, draw)

    def status_notes(self, position: Position, power: str) -> tuple[str, ...]:
        """Return what is unusual about a power in a position by all rules, a sentence each."""
        return tuple(
            text for module in self.steps["status_notes"] for text in module.status_notes(self, position, power)
        )

    def on_condition(self, position: Position, power: str, order: Order, owner: str) -> str | None:
        """Return on what condition an order for a unit of ``owner`` counts; None if it never does."""
        for module in self.steps["on_condition"]:
            if condition := module.on_condition(self, position, power, order, owner):
                return condition
        return None

    # Sight

    def visible_provinces(self, position: Position, power: str) -> frozenset[str] | None:
        """Return the provinces that a power sees; None if no rule hides any.

        Non-players see none."""
        seen: frozenset[str] | None = None
        if power not in self.powers and self.steps["visible_provinces"]:
            return frozenset()
        for module in self.steps["visible_provinces"]:
            sees = module.visible_provinces(self, position, power)
            seen = sees if seen is None else seen & sees
        return seen

    def hidden_provinces(self, position: Position, power: str) -> tuple[str, ...]:
        """Return the provinces that a power does not see, sorted; maps shade them. They are the same for a position and
        for :meth:`seen` of it."""
        seen = self.visible_provinces(position, power)
        return () if seen is None else tuple(sorted(self.board.provinces.keys() - seen))

    def seen(self, position: Position, power: str) -> Position:
        """Return a position as a power sees it: its own units and centers, and what is in the provinces that it sees.

        The position itself where they hide nothing. Documents, reports, maps, legal orders and explanations all go
        through this one filter."""
        sees = self.visible_provinces(position, power)
        if sees is None:
            return position
        keepers = {module.key: module for module in self.modules}
        slices = {
            key: keepers[key].redact_slice(self, kept, power, sees)
            for key, kept in position.slices.items()
            if key in keepers
        }
        return Position(
            position.turn,
            tuple(u for u in position.units if self.sees_unit(position, power, u, sees)),
            tuple(d for d in position.dislodged if self.sees_unit(position, power, d.unit, sees)),
            position.contested & sees,
            {c: owner for c, owner in position.owners.items() if owner == power or self._sees_owner(c, power, sees)},
            {key: kept for key, kept in slices.items() if kept},
        )

    def sees_unit(self, position: Position, power: str, unit: Unit, sees: frozenset[str]) -> bool:
        """Return whether a power that sees the provinces ``sees`` sees a unit."""
        if unit.power == power:
            return True
        hidden = any(module.hides_unit(self, position, power, unit) for module in self.steps["hides_unit"])
        return unit.province in sees and not hidden

    def _sees_owner(self, center: str, power: str, sees: frozenset[str]) -> bool:
        if any(module.hides_owner(self, power, center) for module in self.steps["hides_owner"]):
            return False
        return center in sees or any(module.shows_owner(self, power, center) for module in self.steps["shows_owner"])

    # Steps

    def opening(self) -> Position:
        """Return the position that a game opens with."""
        position = Position(turn=self.first_turn(), units=self.start, owners=self.start_owners)
        for module in self.steps["opening"]:
            position = module.opening(self, position)
            self.check_units(position.units, module)
        return self.in_order(position)

    def check_units(self, units: Iterable[Unit], module: Rule) -> None:
        """Check the units that a rule has left in a position.

        :raises RulesError: when a module has put two units into a province, or one where it cannot be."""
        if fault := self.misplaced(units):
            raise RulesError(f"{module.key}: puts {fault}")

    def misplaced(self, units: Iterable[Unit]) -> str | None:
        """Return why the first misplaced unit can't be where it is; None if there is none."""
        taken: dict[str, Unit] = {}
        for unit in units:
            place = province_of(unit.at)
            if unit.kind not in self.kinds or unit.power not in self.powers:
                return f"{unit} of {unit.power}, which this game does not have"
            if (unit.kind, unit.at) not in self.made_orders.numbers:
                return f"{unit} of {unit.power} where it cannot stand"
            if place in taken:
                return f"{unit} of {unit.power} where {taken[place]} of {taken[place].power} stands"
            taken[place] = unit
        return None

    def in_order(self, position: Position) -> Position:
        """Return the position with units and centers listed power by power, as documents list them, so that a position
        read from a document is the same."""
        rank = self.rank
        units, dislodged, owners = position.units, position.dislodged, position.owners
        if not _ascending(rank, [unit.power for unit in units]):
            units = tuple(sorted(units, key=lambda unit: rank[unit.power]))
        if dislodged:
            dislodged = tuple(sorted(dislodged, key=lambda entry: rank[entry.unit.power]))
        if not _ascending(rank, owners.values()):
            owners = Frozen(sorted(owners.items(), key=lambda item: rank[item[1]]))
        if units is position.units and owners is position.owners and not dislodged:
            return position
        return Position(position.turn, units, dislodged, position.contested, owners, position.slices)

    @cached_property
    def rank(self) -> Mapping[str, int]:
        """The number of each power, in order."""
        return Frozen({power: number for number, power in enumerate(self.powers)})

    @cached_property
    def steps(self) -> Mapping[str, tuple[Rule, ...]]:
        """The modules that answer each question, in the order in which they run."""
        functions = {name: answer for name, answer in vars(Rule).items() if isinstance(answer, FunctionType)}
        usual = {name: answer for name, answer in functions.items() if not name.startswith("_")}
        return Frozen(
            {name: tuple(m for m in self._in_turn if getattr(type(m), name) is not usual[name]) for name in usual}
        )


def _ascending(rank: Mapping[str, int], powers: Iterable[str]) -> bool:
    """Whether powers come by rank; they mostly do, each many times in a row."""
    before, least = "", -1
    for power in powers:
        if power != before:
            if rank[power] < least:
                return False
            before, least = power, rank[power]
    return True


def _first_reason(asked: Sequence[Callable[..., str | None]]) -> Callable[..., str | None] | None:
    if len(asked) < 2:
        return asked[0] if asked else None

    def ask(*facts: object) -> str | None:
        return next((reason for one in asked if (reason := one(*facts))), None)

    return ask


def changes(pinned: str, rules: Ruleset) -> list[str]:
    """What has changed since a digest was taken: ``the board has changed``; nothing if it is the ruleset's own."""
    if pinned == rules.digest:
        return []
    parts = zip(PARTS, pinned.split("-"), rules.digest.split("-"), strict=True)
    try:
        return [part for part, old, new in parts if old != new]
    except ValueError:  # not of as many parts
        return ["the rules have changed"]
