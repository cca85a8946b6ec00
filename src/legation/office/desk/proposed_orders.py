"""Orders that a letter proposes, for any powers in the turn in which it is written: read when it is sent, locked like
the letter, and shown to its sender and its receivers alone; after the turn with whether each was kept."""

import re

import msgspec

from legation.formats import decode_json
from legation.notation import write
from legation.office.context import GameContext
from legation.office.errors import ConflictError, DamagedError, InvalidInputError, KeyNotReleasedError, refuse_faults
from legation.office.game.turns import position_of
from legation.office.game.views import seen_result, viewpoint
from legation.office.keys import seals
from legation.office.orders.contents import read_by_power
from legation.office.records import Proposal, ProposedOrder
from legation.office.store.rows import LetterCopyRow, LetterRow, TurnRow

LONGEST = 6_000  # characters
HEADING = "PROPOSAL"
_HEADING = re.compile(rf"^[ \t]{{0,9}}{HEADING}(?:[ \t]{{0,9}}:)?[ \t]{{0,9}}$", re.IGNORECASE | re.MULTILINE)


class Proposed(msgspec.Struct, frozen=True):
    """What is kept of a proposal: the turn's row, the orders by power, and the row of the letter that it answers."""

    turn: int
    orders: dict[str, tuple[str, ...]]
    answers: int = 0


def split_letter(text: str) -> tuple[str, str]:
    """Return what a letter says, and the orders below a line ``PROPOSAL``, as they are written in a mail."""
    parts = _HEADING.split(text, maxsplit=1)
    return (parts[0].strip("\n"), parts[1].strip()) if len(parts) == 2 else (text, "")


def in_words(proposal: Proposal) -> str:
    """Return a proposal as :func:`split_letter` reads it, but for its heading: a line for each power."""
    lines = [f"{power}: {', '.join(one.order for one in orders)}" for power, orders in proposal.orders.items()]
    return "\n".join(lines)


def lock_proposal(scene: GameContext, text: str, answers: int = 0) -> bytes:
    """Read the orders of a proposal for the present turn, as the sender sees it, and return them as they are kept.
    Raises InvalidInputError with all that isn't an order, or can't be one, and ConflictError while no turn takes
    orders."""
    turn = scene.turn()
    if turn.state not in ("open", "waiting"):
        raise ConflictError(f"{turn.name} takes no more orders. Propose some once the next turn is open.")
    if len(text) > LONGEST:
        raise InvalidInputError(f"A proposal has at most {LONGEST:,} characters.", faults=["orders: too long"])
    rules = scene.rules
    position = rules.seen(position_of(rules, turn.position), scene.held.power)
    orders, faults = read_by_power(rules, position, text)
    if not orders and not faults:
        faults = ["orders: none; write 'France: A par - bur'"]
    refuse_faults("The proposal wasn’t sent", faults)
    kept = {power: tuple(dict.fromkeys(map(write, listed))) for power, listed in orders.items()}
    content = msgspec.json.encode(Proposed(turn.id, kept, answers))
    return seals.lock(scene.office.master_key, content)


def proposed_to(scene: GameContext, letter: LetterRow, power: str) -> tuple[str, ...]:
    """Return the orders that a letter of the present turn proposes to a power; none where it can't be read any more."""
    kept = _read(scene, letter) if letter.turn == scene.turn().id else None
    return kept.orders.get(power, ()) if kept is not None else ()


def _read(scene: GameContext, letter: LetterRow) -> Proposed | None:
    if letter.proposal is None:
        return None
    try:
        return decode_json(seals.unlock(scene.office.master_key, letter.proposal), type=Proposed)
    except (KeyNotReleasedError, msgspec.DecodeError, ValueError):
        return None


def proposal_of(scene: GameContext, letter: LetterRow) -> Proposal | None:
    """Return what a letter proposes, for a reader who sent it or got it; None where it proposes nothing, or what can't
    be read any more."""
    kept = _read(scene, letter)
    if kept is None:
        return None
    turn = scene.tx.get(TurnRow, kept.turn)
    now = scene.row.turn == turn.number and turn.state in ("open", "waiting")
    return Proposal(
        turn=turn.name,
        orders={power: _orders(scene, turn, power, listed) for power, listed in kept.orders.items()},
        answers=scene.office.numbers.shown("letter", kept.answers) if kept.answers in _known(scene) else 0,
        takes_orders=now and scene.row.state in ("running", "paused"),
    )


def _known(scene: GameContext) -> set[int]:
    """Return the ids of the letters that the reader's seats have sent or received."""
    tx, own = scene.tx, [scene.seats[power].id for power in scene.own]

    def look() -> set[int]:
        sent = {row.id for row in tx.all(LetterRow, game=scene.row.id, sender=own)}
        return sent | {copy.letter for copy in tx.all(LetterCopyRow, seat=own)}

    return tx.once(("known letters", *own), look)


def _orders(scene: GameContext, turn: TurnRow, power: str, listed: tuple[str, ...]) -> tuple[ProposedOrder, ...]:
    given = _given(scene, turn) if viewpoint(scene) in (None, power) else {}
    own = given.get(power, [])
    return tuple(ProposedOrder(order=one, kept=_is_kept(one, own) if given else None) for one in listed)


def _given(scene: GameContext, turn: TurnRow) -> dict[str, list[str]]:
    """The orders of a turn, by power, as far as the reader sees them; none while they aren't out. Where nothing is
    written, those of a turn are looked at once for all letters."""

    def look() -> dict[str, list[str]]:
        try:
            orders: dict[str, list[str]] = seen_result(scene, turn)["orders"]
        except (ConflictError, DamagedError):
            return {}
        return orders

    out = turn.state in ("draft", "final")
    return scene.tx.once(("orders given", turn.id, viewpoint(scene)), look) if out else {}


def _is_kept(order: str, given: list[str]) -> bool:
    """Whether an order was given; a unit without one has held."""
    unit, _, rest = order.rpartition(" ")
    return order in given or (rest == "H" and not any(one.startswith(f"{unit} ") for one in given))
