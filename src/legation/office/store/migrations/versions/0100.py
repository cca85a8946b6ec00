"""Initial schema."""

from collections.abc import Sequence
from typing import NamedTuple

import sqlalchemy as sa
from alembic import op

revision = "0100"
down_revision = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TYPES = {"int": sa.BigInteger, "text": sa.Text, "bytes": sa.LargeBinary, "bool": sa.Boolean}


class Table(NamedTuple):
    """A table. ``columns``: each as ``name:type``, with ``?`` where it may be null; the type is one of ``TYPES`` or the
    table at whose row it points. ``one``: which columns together are unique. ``by``: which have an index."""

    name: str
    columns: str
    one: Sequence[str] = ()
    by: Sequence[str] = ()

    def create(self) -> None:
        """Create it, with its indexes."""
        made: list[sa.schema.SchemaItem] = [sa.Column("id", ID, primary_key=True, autoincrement=True)]
        for column in self.columns.split():
            field, _, kind = column.rstrip("?").partition(":")
            link = () if kind in TYPES else (sa.ForeignKey(f"{kind}.id"),)
            made.append(sa.Column(field, TYPES.get(kind, sa.BigInteger)(), *link, nullable=column.endswith("?")))
        made += [sa.UniqueConstraint(*names.split(), name=_called(self.name, "one", names)) for names in self.one]
        op.create_table(self.name, *made)
        for names in self.by:
            op.create_index(_called(self.name, "by", names), self.name, names.split())


def _called(table: str, how: str, names: str) -> str:
    return f"{table}_{how}_{'_'.join(names.split())}"


def upgrade() -> None:
    """Create all tables, those first at whose rows others point."""
    for table in SCHEMA:
        table.create()


SCHEMA = (
    Table("answers", "actor:text name:text command:text asked:text answer:bytes at:int", one=["actor name"], by=["at"]),
    Table("catalog_packages", "digest:text content:bytes rules:bytes", one=["digest"]),
    Table("kept_rules", "address:text content:bytes", one=["address"]),
    Table(
        "people", "name:text email:text? since:int confirmed:bool administrator:bool preferences:bytes", one=["email"]
    ),
    Table("shared", "kind:text name:text until:int number:int content:bytes", one=["name"], by=["kind until", "until"]),
    Table("absences", "person:people first:text last:text note:text made:int", by=["person"]),
    Table(
        "addresses",
        "person:people lines:text country:text first:text last:text is_primary:bool made:int",
        by=["person"],
    ),
    Table(
        "browsers",
        "person:people session:int? digest:text content:bytes label:text made:int last_sent:int? failures:int",
        one=["digest"],
        by=["person"],
    ),
    Table(
        "catalog",
        "name:text version:text state:text address:text package:text facts:bytes person:people? made:int "
        "decided:int? reason:text",
        by=["address", "name", "package", "person", "state name"],
    ),
    Table(
        "credentials",
        "person:people kind:text label:text digest:text scopes:text made:int expires:int? last_used:int? "
        "ended:int? facts:bytes",
        one=["digest"],
        by=["person"],
    ),
    Table(
        "games",
        "key:text name:text variant:text options:bytes rules_digest:text settings:bytes state:text "
        "coordinator:people? created:int deal_commitment:text started:int? ended:int? paused:int? "
        "pause_reason:text turn:int? ending:bytes deputy:people? ref:text secret:bytes lines:int head:text "
        "kept:text follows:int?",
        one=["key"],
        by=["coordinator", "deputy", "follows", "state"],
    ),
    Table("ratings", "person:people variant:text stars:int at:int", one=["person variant"], by=["variant"]),
    Table(
        "invitations",
        "game:games digest:text email:text power:text made:int expires:int used:int? person:people?",
        one=["digest"],
        by=["game"],
    ),
    Table(
        "lines",
        "game:games n:int at:int kind:text content:bytes hash:text signature:text",
        one=["game n"],
        by=["game kind"],
    ),
    Table(
        "seats",
        "game:games power:text state:text person:people? bot:text since:int? missed:int survives:bool "
        "units:int centers:int shares_address:bool machine:bool stand_in:bool key:text",
        one=["game power"],
        by=["person"],
    ),
    Table(
        "sign_ups",
        "game:games person:people preferences:bytes at:int withdrawn:int?",
        one=["game person"],
        by=["person"],
    ),
    Table(
        "turns",
        "game:games number:int name:text key:text state:text opened:int season_opened:int deadline:int "
        "first_deadline:int public_key:bytes seed_commitment:text position:bytes awaited:text drawn:text "
        "sheets:bytes result:bytes closed:int? published:int? final:int? final_due:int? moves:int closes:int "
        "early:text witness:bytes part:text sealed_by:text ahead:bytes",
        one=["game number"],
        by=["state deadline"],
    ),
    Table(
        "work",
        "kind:text name:text due:int game:games? facts:bytes attempts:int error:text state:text",
        one=["name"],
        by=["game", "state due"],
    ),
    Table(
        "arrivals",
        "digest:text at:int state:text person:people? seat:seats? stored:text secret:text",
        one=["digest"],
        by=["person", "secret", "state", "stored"],
    ),
    Table(
        "desk",
        "game:games? kind:text turn:turns? seat:seats? opened:int due:int? facts:bytes done:int? "
        "person:people? note:text",
        by=["done game", "game done", "turn"],
    ),
    Table(
        "holdings", "seat:seats person:people? bot:text since:int until:int? why:text ref:text", by=["person", "seat"]
    ),
    Table(
        "journal",
        "game:games? at:int kind:text person:people? role:text seen_by:text turn:turns? seat:seats? facts:bytes",
        by=["game id", "game kind", "person", "seat"],
    ),
    Table(
        "letters", "game:games turn:turns? sender:seats at:int anonymous:bool public:bool locked:bytes", by=["game id"]
    ),
    Table(
        "mailings",
        "kind:text channel:text person:people? address:text game:games? turn:turns? power:text "
        "message_id:text thread:text facts:bytes made:int due:int lease:text attempts:int error:text "
        "state:text done:int?",
        one=["message_id"],
        by=["address kind made", "game state", "person", "state channel due"],
    ),
    Table("mutes", "seat:seats muted:text", one=["seat muted"]),
    Table(
        "private_lines",
        "game:games n:int place:int kind:text content:bytes salt:text seat:seats?",
        one=["game n place"],
    ),
    Table("readiness", "turn:turns seat:seats at:int version:int signature:text", one=["turn seat"]),
    Table(
        "submissions",
        "turn:turns seat:seats person:people? version:int channel:text kind:text received:int commitment:text "
        "sealed:bytes own:bytes understood:bool asks:bool counts:bool withdrawn:int? chosen:bool nonce:text "
        "entered_by:text confirmed:int?",
        one=["turn seat version"],
        by=["person", "seat"],
    ),
    Table(
        "files",
        "submission:submissions stored:text digest:text name:text media_type:text size:int",
        by=["stored", "submission"],
    ),
    Table("letter_copies", "letter:letters seat:seats read:int?", one=["letter seat"], by=["seat"]),
    Table(
        "records",
        "submission:submissions turn_name:text commitment:text opening:bytes sealed:bytes reading:bytes lost:int?",
        one=["commitment"],
        by=["submission"],
    ),
)
