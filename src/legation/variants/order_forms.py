"""The forms of orders, for the rulebook: what each is called, how it is written, and an example on the board at
hand."""

from collections.abc import Iterable, Iterator

import msgspec

from legation.board import ARMY, FLEET, Board, province_of
from legation.judge import Ruleset
from legation.notation import OrderKind
from legation.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Remove,
    Retreat,
    SupportHold,
    SupportMove,
    VoteDraw,
    Waive,
)
from legation.position import Phase
from legation.rules import modules


class Form(msgspec.Struct, frozen=True):
    """One form of order.

    ``kinds`` are the records that it makes, ``ways`` how it may be written on the standard board, the canonical way
    first."""

    name: str
    meaning: str
    kinds: tuple[type[Order], ...]
    ways: tuple[str, ...]


CORE_FORMS: tuple[Form, ...] = (
    Form("Hold", "The unit stays.", (Hold,), ("A par H", "A Paris holds", "army Paris stands")),
    Form(
        "Move",
        "The unit goes to a neighboring province, and attacks what stands there.",
        (Move,),
        ("A par - bur", "A par-bur", "Army Paris to Burgundy"),
    ),
    Form(
        "Support",
        "The unit lends its strength to another that stays, or that moves to a place it could itself go to.",
        (SupportHold, SupportMove),
        ("A mar S A par", "A mar S A par - bur", "Army Marseilles supports Army Paris to Burgundy"),
    ),
    Form(
        "Convoy",
        "A fleet at sea carries an army over.",
        (Convoy,),
        ("F nth C A lon - nwy", "Fleet North Sea convoys Army London to Norway"),
    ),
    Form(
        "Move by convoy",
        'The army goes by sea. Where it could also walk, add "via convoy".',
        (Move,),
        ("A lon - nwy via convoy", "A lon - nth - nwy"),
    ),
    Form(
        "Retreat",
        "A dislodged unit goes to a free neighboring province.",
        (Retreat,),
        ("A tri R vie", "A tri - vie", "Army Trieste retreats to Vienna"),
    ),
    Form("Disband", "A dislodged unit leaves the board instead of retreating.", (Disband,), ("A tri disband",)),
    Form(
        "Build",
        "A new unit, where the rules of the variant allow one.",
        (Build,),
        ("build F stp/nc", "Build Fleet St Petersburg (north coast)"),
    ),
    Form("Remove", "A unit leaves the board because its power has too many.", (Remove,), ("remove A par",)),
    Form("Waive", "A build that is not used.", (Waive,), ("waive",)),
    Form("Vote for a draw", "The power agrees to end the game in a draw.", (VoteDraw,), ("draw",)),
)


def _with_rules(forms: Iterable[Form], kinds: Iterable[OrderKind]) -> list[Form]:
    """Forms with those of the rules' own kinds: movement's before the retreats, the others before the draw."""
    own: dict[bool, list[Form]] = {True: [], False: []}
    for kind in kinds:
        if kind.title:
            own[Phase.MOVEMENT in kind.phases].append(Form(kind.title, kind.meaning, (kind.record,), kind.ways))
    merged: list[Form] = []
    for form in forms:
        if form.kinds[0] in (Retreat, VoteDraw):
            merged += own[form.kinds[0] is Retreat]
        merged.append(form)
    return merged


FORMS: tuple[Form, ...] = tuple(
    _with_rules(CORE_FORMS, [kind for module in modules().values() for kind in module.orders])
)
"""The forms that any variant of the project knows."""


def forms_of(rules: Ruleset) -> list[Form]:
    """The forms that a variant knows."""
    known = frozenset().union(*rules.order_kinds.values())
    core = [form for form in CORE_FORMS if known.issuperset(form.kinds)]
    return _with_rules(core, (kind for kind in kinds_of(rules) if kind.record in known))


def kinds_of(rules: Ruleset) -> list[OrderKind]:
    """The kinds of order that a variant's rules bring."""
    return [kind for module in rules.modules for kind in module.orders]


def examples(rules: Ruleset) -> dict[str, list[Order]]:
    """Examples of each form that a variant knows, on its own board, by the form's name."""
    return {form.name: _examples(rules, form) for form in forms_of(rules)}


def _examples(rules: Ruleset, form: Form) -> list[Order]:
    board = rules.board
    own = next((kind for kind in kinds_of(rules) if kind.record is form.kinds[0]), None)
    if own is not None:
        return list(own.examples(rules, _land(rules))) if own.examples else []
    at, to, helper = _battle(rules)
    match form.kinds[0].__name__:
        case "Hold":
            return [Hold("A", at)]
        case "Move" if form.name == "Move" and to:
            return [Move("A", at, to)]
        case "SupportHold" if helper:
            return [SupportHold("A", helper, "A", to), SupportMove("A", helper, "A", at, to)]
        case "Convoy" | "Move":
            for sea, start, end in _crossings(rules, board):
                convoyed = Move("A", start, end, via_convoy=True)
                return [Convoy("F", sea, "A", start, end)] if form.kinds[0] is Convoy else [convoyed]
        case "Retreat" if to:
            return [Retreat("A", at, to)]
        case "Disband":
            return [Disband("A", at)]
        case "Build":
            builds = [Build("A", at), *[Build("F", p) for p in _land(rules) if board.stands(FLEET, p)][:1]]
            builds += [Build(code, at) for code in rules.kinds if code not in ("A", "F")]
            return [build for build in builds if not _never_built(rules, build)]
        case "Remove":
            return [Remove("A", at)]
        case "Waive":
            return [Waive()]
        case "VoteDraw":
            return [VoteDraw()]
    return []  # the board has no place for one


def _never_built(rules: Ruleset, build: Build) -> bool:
    opening, kind, place = rules.opening(), rules.kinds[build.kind], province_of(build.at)
    return all(rules.refuses_build(opening, power, kind, place) for power in rules.powers)


def _land(rules: Ruleset) -> list[str]:
    """The provinces on land, home centers first, then where units stand at the start."""
    board = rules.board
    first = [home for power in rules.powers.values() for home in power.homes]
    first += [unit.province for unit in rules.start]
    return [place for place in dict.fromkeys([*first, *board.provinces]) if not board.provinces[place].sea]


def _battle(rules: Ruleset) -> tuple[str, str, str]:
    """An army's place, a neighbor of it, and where a second army can reach that neighbor from; the last two may be
    empty on a small board."""
    board, land = rules.board, _land(rules)
    pairs = [(at, to) for at in land for to in sorted(board.reach(ARMY, at))]
    for at, to in pairs:
        for helper in sorted(board.reach(ARMY, to) - {at}):
            return at, to, helper
    at, to = pairs[0] if pairs else (land[0], "")
    return at, to, ""


def _crossings(rules: Ruleset, board: Board) -> Iterator[tuple[str, str, str]]:
    for start in _land(rules):
        for sea in (p.id for p in board.provinces.values() if p.sea):
            shores = {p for p in map(province_of, board.reach(FLEET, sea)) if not board.provinces[p].sea}
            if start in shores:
                for end in sorted(shores - board.reach(ARMY, start) - {start}):
                    yield sea, start, end
