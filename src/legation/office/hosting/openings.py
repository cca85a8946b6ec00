"""Openings: what each power of a variant ordered in its first movement turns, how often, and what came of it.

Games count once they are over, if anybody may see them and they began at the variant's own start: the seats that people
held from the first turn on, and all of imported records. The counts of a line are a row."""

import hashlib
from collections.abc import Iterator

from legation.office.context import CommandContext, GameContext, query
from legation.office.errors import DamagedError, NotFoundError
from legation.office.game.turns import phase_of, position_of
from legation.office.hosting import press
from legation.office.hosting.ratings import name_of
from legation.office.hosting.scores import ending_of
from legation.office.records import Opening, Openings, record_of
from legation.office.store import queries
from legation.office.store.packing import unpack
from legation.office.store.rows import GameRow, HoldingRow, OpeningRow, SeatRow, TurnRow
from legation.position import Phase
from legation.variants import plain_name

DEPTH = 4  # movement turns
SHOWN = 50
Line = list[tuple[str, str]]  # the names of movement turns, each with a power's orders in it


def archive_game(act: CommandContext, facts: dict[str, int], _: object) -> None:
    """Count the openings of a game that has ended, and have its public letters found; once, if anybody may see it."""
    game = act.tx.get(GameRow, facts["game"])
    if game.state != "ended" or game.counted:
        return
    scene = GameContext(act, game)
    if scene.settings.listed and not scene.settings.one_orders_all:
        press.keep(scene)
        for power, line in _lines(scene):
            _count(scene, power, line)
    act.tx.change(game, counted=True)


def _lines(scene: GameContext) -> Iterator[tuple[str, Line]]:
    """The lines of the powers that count; none of a game by rules that can't be read, or that began elsewhere."""
    turns = [turn for turn in queries.turn_lines(scene.tx, scene.row.id) if turn.state == "final"]
    try:
        rules = scene.rules
    except DamagedError:
        return
    if not turns:
        return
    first, opening = position_of(rules, scene.tx.get(TurnRow, turns[0].id).position), rules.opening()
    if {*first.units} != {*opening.units} or first.turn != opening.turn or first.owners != opening.owners:
        return
    moving = [turn for turn in turns if phase_of(turn) == Phase.MOVEMENT.value][:DEPTH]
    ordered = [(turn.name, unpack(scene.tx.get(TurnRow, turn.id).result)["orders"]) for turn in moving]
    for power in rules.played:
        line: Line = []
        for name, orders in ordered:
            if not orders.get(power):
                break
            line.append((name, "\n".join(sorted(orders[power]))))
        if line and _counts(scene, scene.seats[power]):
            yield power, line


def _counts(scene: GameContext, seat: SeatRow) -> bool:
    if scene.row.source:
        return True
    held = scene.tx.all(HoldingRow, seat=seat.id)
    first = next((one for one in held if one.until is None or one.until > (scene.row.started or 0)), None)
    return first is not None and first.person is not None and not seat.machine


def _count(scene: GameContext, power: str, line: Line) -> None:
    ending, seat, before = ending_of(scene.row.ending), scene.seats[power], ""
    won = ending is not None and power in (
        ending.powers if ending.kind == "solo" else ending.powers[:1] * (ending.kind == "ranking")
    )
    drawn = ending is not None and ending.kind == "draw" and power in ending.powers
    variant, survived = plain_name(scene.rules.name), seat.survives and not won and not drawn
    results = {"won": int(won), "drawn": int(drawn), "survived": int(survived), "imported": int(bool(scene.row.source))}
    for turn, orders in line:
        digest = hashlib.sha256("\0".join((variant, power, before, turn, orders)).encode()).hexdigest()[:24]
        row = OpeningRow(
            variant=variant, power=power, before=before, line=digest, turn=turn, orders=orders, games=1, **results
        )
        scene.tx.put(row, "line", added=("games", *results))
        before = digest


@query("read", "GET /openings/{variant}", visitor="any")
def openings(act: CommandContext, variant: str, power: str = "", line: str = "") -> Openings:
    """Return what a power of a variant (the first, where none is named) ordered after a ``line`` of movement turns, the
    most frequent first, with what came of it; after none, in the first.

    :raises NotFoundError: for a line that nobody played."""
    name = name_of(act, variant)
    powers = act.office.variants.load(name).played
    wanted = power or powers[0]
    if wanted not in powers:
        raise NotFoundError(f"{name} has no power {power[:40]!r}.")
    path: list[Opening] = []
    at = line
    while at:
        row = act.wanted(OpeningRow, "No finished game began like that.", line=at, variant=name, power=wanted)
        path.insert(0, _opening(row))
        at = row.before
    found = act.tx.all(OpeningRow, variant=name, power=wanted, before=line, order="-games", limit=SHOWN)
    return Openings(
        variant=name, power=wanted, powers=tuple(powers), path=tuple(path), next=tuple(map(_opening, found))
    )


def _opening(row: OpeningRow) -> Opening:
    return record_of(Opening, row, orders=tuple(row.orders.split("\n")))
