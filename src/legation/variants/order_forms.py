"""The forms of orders, for the rulebook: what each is called, how it is written, and an example on the board at
hand."""

from collections.abc import Iterable, Iterator

import msgspec

from legation.board import ARMY, FLEET, province_of
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
    """Examples of each form that a variant knows, on its own board, by the form's name; none where the board has no
    place for one."""
    land, own = _land(rules), {kind.record: kind for kind in kinds_of(rules)}
    at, to, helper = _battle(rules, land)
    sea, start, end = next(_crossings(rules, land), ("", "", ""))
    opening, built = rules.opening(), [("A", at), *[("F", p) for p in land if rules.board.stands(FLEET, p)][:1]]
    built += [(code, at) for code in rules.kinds if code not in ("A", "F")]
    builds: list[Order] = [
        Build(code, place)
        for code, place in built
        if not all(rules.refuses_build(opening, power, rules.kinds[code], place) for power in rules.powers)
    ]
    convoyed: list[Order] = [Move("A", start, end, via_convoy=True)] if sea else []
    shown: dict[str, list[Order]] = {
        "Hold": [Hold("A", at)],
        "Move": [Move("A", at, to)] if to else convoyed,
        "Support": [SupportHold("A", helper, "A", to), SupportMove("A", helper, "A", at, to)] if helper else [],
        "Convoy": [Convoy("F", sea, "A", start, end)] if sea else [],
        "Move by convoy": convoyed,
        "Retreat": [Retreat("A", at, to)] if to else [],
        "Disband": [Disband("A", at)],
        "Build": builds,
        "Remove": [Remove("A", at)],
        "Waive": [Waive()],
        "Vote for a draw": [VoteDraw()],
    }
    for form in forms_of(rules):
        if kind := own.get(form.kinds[0]):
            shown[form.name] = [*kind.examples(rules, land)] if kind.examples else []
    return {form.name: shown[form.name] for form in forms_of(rules)}


def _land(rules: Ruleset) -> list[str]:
    """The provinces on land, home centers first, then where units stand at the start."""
    board = rules.board
    first = [home for power in rules.powers.values() for home in power.homes]
    first += [unit.province for unit in rules.start]
    return [place for place in dict.fromkeys([*first, *board.provinces]) if not board.provinces[place].sea]


def _battle(rules: Ruleset, land: list[str]) -> tuple[str, str, str]:
    """An army's place, a neighbor of it, and where a second army can reach that neighbor from; the last two may be
    empty on a small board."""
    board = rules.board
    pairs = [(at, to) for at in land for to in sorted(board.reach(ARMY, at))]
    for at, to in pairs:
        for helper in sorted(board.reach(ARMY, to) - {at}):
            return at, to, helper
    at, to = pairs[0] if pairs else (land[0], "")
    return at, to, ""


def _crossings(rules: Ruleset, land: list[str]) -> Iterator[tuple[str, str, str]]:
    """A sea with the ends of a convoy through it."""
    board = rules.board
    for start in land:
        for sea in (p.id for p in board.provinces.values() if p.sea):
            shores = {p for p in map(province_of, board.reach(FLEET, sea)) if not board.provinces[p].sea}
            if start in shores:
                yield from ((sea, start, end) for end in sorted(shores - board.reach(ARMY, start) - {start}))
