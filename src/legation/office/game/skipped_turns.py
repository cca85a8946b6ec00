"""Turns that never came: what was ordered ahead for them is opened once the next season has begun, or the game ended.

The keeper is told, signed and irrevocable, that such a turn was skipped: its key can close nothing after that.
"""

from __future__ import annotations

from typing import Any

from legation.office.context import CommandContext
from legation.office.errors import KeyNotReleasedError, UnavailableError
from legation.office.game.orders_ahead import later_keys, open_records
from legation.office.keys.notices import Notice, tell_keeper
from legation.office.office import Office
from legation.office.store import queries
from legation.office.store.packing import pack
from legation.office.store.rows import SubmissionRow, TurnRow
from legation.office.store.transaction import Transaction

Names = dict[str, str]  # of keys at the keeper, by the turn's name


def give_keys(office: Office, facts: dict[str, Any]) -> dict[str, bytes]:
    """Tell the keeper of the turns that were skipped; their private keys. Raises UnavailableError when it does not give
    them yet: it is tried again."""
    with office.store.transaction(write=False) as tx:
        names = _skipped(tx, facts)
    given = {}
    for turn, name in names.items():
        notice = Notice(name, int(facts["line"]), str(facts["head"]), int(facts["at"]), "skipped")
        try:
            tell_keeper(office.keeper, office.signing_keys(), notice)
            given[turn] = office.keeper.key(name).private
        except KeyNotReleasedError as error:
            raise UnavailableError(error.message) from error
    return given


def open_skipped(act: CommandContext, facts: dict[str, Any], given: dict[str, bytes]) -> None:
    """Open what was ordered ahead for turns that never came; their keys are used no more."""
    game = facts["game"]
    for turn in _skipped(act.tx, facts):
        if turn in given:
            open_records(act.tx, act.office, game, turn, given[turn])
    for row in act.tx.all(TurnRow, game=game):
        if used := later_keys(row).keys() & given.keys():
            act.tx.change(row, ahead=pack({name: key for name, key in later_keys(row).items() if name not in used}))


def _skipped(tx: Transaction, facts: dict[str, Any]) -> Names:
    found: Names = {}
    for row in queries.records_ahead(tx, facts["game"]):
        if row.opening or row.lost is not None or tx.count(TurnRow, game=facts["game"], name=row.turn_name):
            continue
        sent = tx.get(TurnRow, tx.get(SubmissionRow, row.submission).turn)
        over = not facts["begun"] or sent.id < facts["begun"]
        if over and (key := later_keys(sent).get(row.turn_name)) is not None:
            found[row.turn_name] = key.name
    return found
