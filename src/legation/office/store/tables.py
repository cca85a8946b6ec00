"""The tables, made from the records of :mod:`.rows`: one column a field, keys to other tables by the field's name."""

from __future__ import annotations

import types
import typing
from typing import Any, Literal

import sqlalchemy as sa

from legation.office.store import rows
from legation.office.store.rows import Row

metadata = sa.MetaData()

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
COLUMNS: dict[type, sa.types.TypeEngine[Any]] = {
    int: sa.BigInteger(),
    str: sa.Text(),
    bytes: sa.LargeBinary(),
    bool: sa.Boolean(),
}
LINKS = {
    "game": "games",
    "person": "people",
    "coordinator": "people",
    "deputy": "people",
    "seat": "seats",
    "sender": "seats",
    "turn": "turns",
    "submission": "submissions",
    "letter": "letters",
}


def _table(
    kind: type[Row], name: str, unique: tuple[tuple[str, ...], ...] = (), indexes: tuple[tuple[str, ...], ...] = ()
) -> sa.Table:
    hints = typing.get_type_hints(kind)
    columns: list[Any] = [sa.Column("id", ID, primary_key=True, autoincrement=True)]
    for field, hint in hints.items():
        if field == "id":
            continue
        plain, nullable = hint, False
        if isinstance(hint, types.UnionType):
            nullable = True
            plain = next(part for part in typing.get_args(hint) if part is not type(None))
        if typing.get_origin(plain) is Literal:  # a state
            plain = str
        other = LINKS.get(field) if plain is int and not (name == "games" and field == "turn") else None
        links = [sa.ForeignKey(f"{other}.id")] if other else []
        columns.append(sa.Column(field, COLUMNS[plain], *links, nullable=nullable))
    columns += [sa.UniqueConstraint(*fields, name=f"{name}_one_{'_'.join(fields)}") for fields in unique]
    columns += [sa.Index(f"{name}_by_{'_'.join(fields)}", *fields) for fields in indexes]
    return sa.Table(name, metadata, *columns)


TABLES: dict[type[Row], sa.Table] = {
    rows.PersonRow: _table(rows.PersonRow, "people", (("email",),)),
    rows.CredentialRow: _table(rows.CredentialRow, "credentials", (("digest",),), (("person",),)),
    rows.GameRow: _table(rows.GameRow, "games", (("key",),), (("state",), ("coordinator",), ("deputy",), ("follows",))),
    rows.KeptRulesRow: _table(rows.KeptRulesRow, "kept_rules", (("address",),)),
    rows.SeatRow: _table(rows.SeatRow, "seats", (("game", "power"),), (("person",),)),
    rows.HoldingRow: _table(rows.HoldingRow, "holdings", (), (("seat",), ("person",))),
    rows.SignUpRow: _table(rows.SignUpRow, "sign_ups", (("game", "person"),), (("person",),)),
    rows.InvitationRow: _table(rows.InvitationRow, "invitations", (("digest",),), (("game",),)),
    rows.TurnRow: _table(rows.TurnRow, "turns", (("game", "number"),), (("state", "deadline"),)),
    rows.SubmissionRow: _table(
        rows.SubmissionRow, "submissions", (("turn", "seat", "version"),), (("seat",), ("person",))
    ),
    rows.FileRow: _table(rows.FileRow, "files", (), (("submission",), ("stored",))),
    rows.ReadinessRow: _table(rows.ReadinessRow, "readiness", (("turn", "seat"),)),
    rows.JournalRow: _table(rows.JournalRow, "journal", (), (("game", "id"), ("game", "kind"), ("seat",), ("person",))),
    rows.RecordRow: _table(rows.RecordRow, "records", (("commitment",),), (("submission",),)),
    rows.LineRow: _table(rows.LineRow, "lines", (("game", "n"),), (("game", "kind"),)),
    rows.PrivateRow: _table(rows.PrivateRow, "private_lines", (("game", "n", "place"),)),
    rows.WorkRow: _table(rows.WorkRow, "work", (("name",),), (("state", "due"), ("game",))),
    rows.MailingRow: _table(
        rows.MailingRow,
        "mailings",
        (("message_id",),),
        (("state", "channel", "due"), ("person",), ("game", "state"), ("address", "kind", "made")),
    ),
    rows.BrowserRow: _table(rows.BrowserRow, "browsers", (("digest",),), (("person",),)),
    rows.AnswerRow: _table(rows.AnswerRow, "answers", (("actor", "name"),), (("at",),)),
    rows.DeskRow: _table(rows.DeskRow, "desk", (), (("game", "done"), ("turn",), ("done", "game"))),
    rows.LetterRow: _table(rows.LetterRow, "letters", (), (("game", "id"),)),
    rows.LetterCopyRow: _table(rows.LetterCopyRow, "letter_copies", (("letter", "seat"),), (("seat",),)),
    rows.MuteRow: _table(rows.MuteRow, "mutes", (("seat", "muted"),)),
    rows.AddressRow: _table(rows.AddressRow, "addresses", (), (("person",),)),
    rows.AbsenceRow: _table(rows.AbsenceRow, "absences", (), (("person",),)),
    rows.ArrivalRow: _table(
        rows.ArrivalRow, "arrivals", (("digest",),), (("state",), ("stored",), ("secret",), ("person",))
    ),
    rows.CatalogRow: _table(
        rows.CatalogRow, "catalog", (), (("state", "name"), ("name",), ("address",), ("package",), ("person",))
    ),
    rows.CatalogPackageRow: _table(rows.CatalogPackageRow, "catalog_packages", (("digest",),)),
    rows.RatingRow: _table(rows.RatingRow, "ratings", (("person", "variant"),), (("variant",),)),
    rows.SharedRow: _table(rows.SharedRow, "shared", (("name",),), (("until",), ("kind", "until"))),
}
