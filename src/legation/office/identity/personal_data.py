"""All that the office keeps about a person, as data: their own export."""

from collections.abc import Sequence
from typing import Any

import msgspec

from legation.office.clock import moment
from legation.office.context import CommandContext
from legation.office.errors import KeyNotReleasedError
from legation.office.identity.credentials import credential_record
from legation.office.keys import seals
from legation.office.office import Office
from legation.office.records import Person
from legation.office.store import queries, rows
from legation.office.store.transaction import Transaction

KEYS, TIMES = ("id", "person", "seat"), ("made", "since", "until", "received")


def personal_data(act: CommandContext, row: rows.PersonRow, told: Person) -> dict[str, Any]:
    """Return all that is stored about a person, as data. ``told``: the person as their page shows them."""
    tx = act.tx
    decided = [report for report in tx.all(rows.ReportRow, person=row.id) if report.decided is not None]
    return {
        "person": msgspec.to_builtins(told),
        "addresses": _columns(tx.all(rows.AddressRow, person=row.id)),
        "absences": _columns(tx.all(rows.AbsenceRow, person=row.id)),
        "browsers": _columns(tx.all(rows.BrowserRow, person=row.id), "label", "made"),
        "bridges": _columns(tx.all(rows.BridgeRow, person=row.id), "kind service", "host", "tells", "made"),
        "blocks": [{"name": tx.get(rows.PersonRow, b.blocked).name} for b in tx.all(rows.BlockRow, person=row.id)],
        "notes": _columns(tx.all(rows.PersonNoteRow, person=row.id), "text", "at made"),
        "reports": [
            {"made": moment(r.at).isoformat(), "text": report_text(act.office, r).partition("\x00")[0]}
            for r in tx.all(rows.ReportRow, reporter=row.id)
        ],
        "decisions": _columns(decided, "decided made", "decision", "reason", "days"),
        "credentials": [
            msgspec.to_builtins(credential_record(act.office, c)) for c in tx.all(rows.CredentialRow, person=row.id)
        ],
        **_in_games(tx, row.id),
        "ratings": _columns(tx.all(rows.RatingRow, person=row.id), "variant", "stars"),
        "player ratings": [
            {"family": r.family, "games": r.games, "mu": r.mu / 1e6, "sigma": r.sigma / 1e6, "shown": r.shown}
            for r in tx.all(rows.RatedPlayerRow, person=row.id)
        ],
        "names in imported records": [
            {"name": n.name, "confirmed": n.confirmed is not None} for n in tx.all(rows.RecordNameRow, person=row.id)
        ],
        "traces": _columns(tx.all(rows.TraceRow, person=row.id), "day", "kind"),
        "tournaments": [
            {"tournament": tx.get(rows.TournamentRow, e.tournament).name, "name": e.name, "state": e.state}
            for e in tx.all(rows.EntrantRow, person=row.id)
        ],
        "proposed variants": _columns(tx.all(rows.CatalogRow, person=row.id), "name", "version", "state", "made"),
        "mailings": _columns(tx.all(rows.MailingRow, person=row.id), "kind", "address", "made", "state"),
    }


def _in_games(tx: Transaction, person: int) -> dict[str, Any]:
    """The games of a person, what they held and sent there, and whose letters they do not read."""
    games = {g.id: g.name for g in tx.all(rows.GameRow, id=sorted(queries.games_of(tx, person)))}
    held, sent = tx.all(rows.HoldingRow, person=person), tx.all(rows.SubmissionRow, person=person)
    seats = tx.all(rows.SeatRow, id=sorted({h.seat for h in held} | {s.seat for s in sent}))
    powers = {seat.id: seat.power for seat in seats}
    turns = {t.id: t for t in tx.all(rows.TurnRow, light=True, id=sorted({s.turn for s in sent}))}
    games |= {g.id: g.name for g in tx.all(rows.GameRow, id=sorted({t.game for t in turns.values()} - games.keys()))}
    return {
        "games": sorted(games.values()),
        "seats": [{"power": powers[h.seat], **facts} for h, facts in zip(held, _columns(held), strict=True)],
        "submissions": [
            {"game": games[turn.game], "turn": turn.name, "power": powers[s.seat]}
            | _columns([s], "version", "channel", "received", "commitment")[0]
            for s in sent
            for turn in (turns[s.turn],)
        ],
        "muted": [
            {"power": powers[mute.seat], "muted": mute.muted}
            for mute in tx.all(rows.MuteRow, seat=sorted(h.seat for h in held if h.until is None))
        ],
    }


def report_text(office: Office, row: rows.ReportRow) -> str:
    """Return what a report says and, after a NUL, the letter that was shown; or that it can no longer be read."""
    try:
        return seals.unlock(office.master_key, row.content).decode()
    except (KeyNotReleasedError, UnicodeDecodeError):
        return "(This report can no longer be read.)"


def _columns(listed: Sequence[msgspec.Struct], *names: str) -> list[dict[str, Any]]:
    """Return columns of rows (all that say something, where none are named; ``at made`` is told as ``made``), with
    times in ISO 8601."""
    wanted = [(column, name or column) for column, _, name in (told.partition(" ") for told in names)]
    wanted = wanted or [(name, name) for row in listed[:1] for name in row.__struct_fields__ if name not in KEYS]
    return [{name: _told(name, getattr(row, column)) for column, name in wanted} for row in listed]


def _told(name: str, value: Any) -> Any:
    return moment(value).isoformat() if name in TIMES and value else value
