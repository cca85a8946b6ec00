"""All that the office keeps about a person, as data: their own export."""

from collections.abc import Iterable
from typing import Any

import msgspec

from legation.office.clock import moment
from legation.office.context import CommandContext
from legation.office.errors import KeyNotReleasedError
from legation.office.identity.credentials import credential_record
from legation.office.keys import seals
from legation.office.office import Office
from legation.office.records import Person
from legation.office.store import queries
from legation.office.store.rows import (
    AbsenceRow,
    AddressRow,
    BlockRow,
    BridgeRow,
    BrowserRow,
    CatalogRow,
    CredentialRow,
    EntrantRow,
    GameRow,
    HoldingRow,
    MailingRow,
    MuteRow,
    PersonNoteRow,
    PersonRow,
    RatedPlayerRow,
    RatingRow,
    RecordNameRow,
    ReportRow,
    SeatRow,
    SubmissionRow,
    TournamentRow,
    TraceRow,
    TurnRow,
)


def personal_data(act: CommandContext, row: PersonRow, told: Person) -> dict[str, Any]:
    """Return all that is stored about a person, as data. ``told``: the person as their page shows them."""
    tx = act.tx
    games = {g.id: g.name for g in tx.all(GameRow, id=sorted(queries.games_of(tx, row.id)))}
    held, sent = tx.all(HoldingRow, person=row.id), tx.all(SubmissionRow, person=row.id)
    seats = tx.all(SeatRow, id=sorted({h.seat for h in held} | {s.seat for s in sent}))
    powers = {seat.id: seat.power for seat in seats}
    turns = {t.id: t for t in tx.all(TurnRow, light=True, id=sorted({s.turn for s in sent}))}
    games |= {g.id: g.name for g in tx.all(GameRow, id=sorted({t.game for t in turns.values()} - games.keys()))}
    return {
        "person": msgspec.to_builtins(told),
        "addresses": [_plain(a) for a in tx.all(AddressRow, person=row.id)],
        "absences": [_plain(a) for a in tx.all(AbsenceRow, person=row.id)],
        "browsers": _columns(tx.all(BrowserRow, person=row.id), "label", "made"),
        "bridges": [
            {"service": b.kind, "host": b.host, "tells": b.tells, "made": moment(b.made).isoformat()}
            for b in tx.all(BridgeRow, person=row.id)
        ],
        "blocks": [{"name": tx.get(PersonRow, b.blocked).name} for b in tx.all(BlockRow, person=row.id)],
        "notes": [{"text": n.text, "made": moment(n.at).isoformat()} for n in tx.all(PersonNoteRow, person=row.id)],
        "reports": [
            {"made": moment(r.at).isoformat(), "text": report_text(act.office, r).partition("\x00")[0]}
            for r in tx.all(ReportRow, reporter=row.id)
        ],
        "decisions": [
            {"made": moment(r.decided).isoformat(), "decision": r.decision, "reason": r.reason, "days": r.days}
            for r in tx.all(ReportRow, person=row.id)
            if r.decided is not None
        ],
        "credentials": [
            msgspec.to_builtins(credential_record(act.office, c)) for c in tx.all(CredentialRow, person=row.id)
        ],
        "games": sorted(games.values()),
        "seats": [{"power": powers[h.seat], **_plain(h)} for h in held],
        "submissions": [
            {"game": games[turn.game], "turn": turn.name, "power": powers[s.seat]}
            | _columns([s], "version", "channel", "received", "commitment")[0]
            for s in sent
            for turn in (turns[s.turn],)
        ],
        "muted": [
            {"power": powers[mute.seat], "muted": mute.muted}
            for mute in tx.all(MuteRow, seat=sorted(h.seat for h in held if h.until is None))
        ],
        "ratings": _columns(tx.all(RatingRow, person=row.id), "variant", "stars"),
        "player ratings": [
            {"family": r.family, "games": r.games, "mu": r.mu / 1e6, "sigma": r.sigma / 1e6, "shown": r.shown}
            for r in tx.all(RatedPlayerRow, person=row.id)
        ],
        "names in imported records": [
            {"name": n.name, "confirmed": n.confirmed is not None} for n in tx.all(RecordNameRow, person=row.id)
        ],
        "traces": _columns(tx.all(TraceRow, person=row.id), "day", "kind"),
        "tournaments": [
            {"tournament": tx.get(TournamentRow, e.tournament).name, "name": e.name, "state": e.state}
            for e in tx.all(EntrantRow, person=row.id)
        ],
        "proposed variants": _columns(tx.all(CatalogRow, person=row.id), "name", "version", "state", "made"),
        "mailings": _columns(tx.all(MailingRow, person=row.id), "kind", "address", "made", "state"),
    }


def report_text(office: Office, row: ReportRow) -> str:
    """Return what a report says and, after a NUL, the letter that was shown; that it can't be read any more, where it
    is damaged."""
    try:
        return seals.unlock(office.master_key, row.content).decode()
    except (KeyNotReleasedError, UnicodeDecodeError):
        return "(This report can no longer be read.)"


def _plain(row: msgspec.Struct) -> dict[str, Any]:
    (facts,) = _columns([row], *(name for name in row.__struct_fields__ if name not in ("id", "person", "seat")))
    return facts


def _columns(rows: Iterable[msgspec.Struct], *names: str) -> list[dict[str, Any]]:
    """Return these columns of rows, with times in ISO 8601."""
    found = [{name: getattr(row, name) for name in names} for row in rows]
    return [
        {
            name: moment(v).isoformat() if name in ("made", "since", "until", "received") and v else v
            for name, v in facts.items()
        }
        for facts in found
    ]
