"""Orders that a letter proposes, for any powers in the turn in which it is written: read when it is sent, locked like
the letter, and shown to its sender and its receivers alone; after the turn with whether each was kept."""

import re
from functools import cached_property

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


class Proposals:
    """The proposals of a game's letters, for one reader: results are looked at once for all of a turn."""

    def __init__(self, scene: GameContext) -> None:
        self.scene = scene
        self._results: dict[int, dict[str, list[str]]] = {}

    @cached_property
    def known(self) -> frozenset[int]:
        """The letters, by their rows, that the reader's seats have sent or got."""
        tx, own = self.scene.tx, [self.scene.seats[power].id for power in self.scene.own]
        sent = {row.id for row in tx.all(LetterRow, game=self.scene.row.id, sender=own)}
        return frozenset(sent | {copy.letter for copy in tx.all(LetterCopyRow, seat=own)})

    def record(self, letter: LetterRow) -> Proposal | None:
        """Return what a letter proposes, for a reader who sent it or got it; None where it proposes nothing, or what
        can't be read any more."""
        office, kept = self.scene.office, _read(self.scene, letter)
        if kept is None:
            return None
        turn = self.scene.tx.get(TurnRow, kept.turn)
        now = self.scene.row.turn == turn.number and turn.state in ("open", "waiting")
        return Proposal(
            turn=turn.name,
            orders={power: self._orders(turn, power, listed) for power, listed in kept.orders.items()},
            answers=office.numbers.shown("letter", kept.answers) if kept.answers in self.known else 0,
            takes_orders=now and self.scene.row.state in ("running", "paused"),
        )

    def _orders(self, turn: TurnRow, power: str, listed: tuple[str, ...]) -> tuple[ProposedOrder, ...]:
        given = self._given(turn, power)
        return tuple(ProposedOrder(order=one, kept=None if given is None else _is_kept(one, given)) for one in listed)

    def _given(self, turn: TurnRow, power: str) -> list[str] | None:
        """The orders that a power gave in a turn; None where they aren't out, or the reader doesn't see them all."""
        if turn.state not in ("draft", "final") or viewpoint(self.scene) not in (None, power):
            return None
        if turn.id not in self._results:
            try:
                self._results[turn.id] = seen_result(self.scene, turn)["orders"]
            except (ConflictError, DamagedError):
                self._results[turn.id] = {}
        return self._results[turn.id].get(power, []) if self._results[turn.id] else None


def _is_kept(order: str, given: list[str]) -> bool:
    """Whether an order was given; a unit without one has held."""
    unit, _, rest = order.rpartition(" ")
    return order in given or (rest == "H" and not any(one.startswith(f"{unit} ") for one in given))
