"""Initial schema."""

import sqlalchemy as sa
from alembic import op

revision = "0103"
down_revision = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TYPES = {"int": sa.BigInteger, "text": sa.Text, "bytes": sa.LargeBinary, "bool": sa.Boolean}
SCHEMA = """
answers actor:text name:text command:text asked:text answer:bytes at:int; one actor name; by at
catalog_packages digest:text content:bytes rules:bytes; one digest
kept_rules address:text content:bytes; one address
people name:text email:text? since:int confirmed:bool administrator:bool preferences:bytes; one email
shared kind:text name:text until:int number:int content:bytes; one name; by kind until; by until
absences person:people first:text last:text note:text made:int; by person
addresses person:people lines:text country:text first:text last:text is_primary:bool made:int days:int?; by person
browsers person:people session:int? digest:text content:bytes label:text made:int last_sent:int? failures:int; one
  digest; by person
catalog name:text version:text state:text address:text package:text facts:bytes person:people? made:int decided:int?
  reason:text; by address; by name; by package; by person; by state name
credentials person:people kind:text label:text digest:text scopes:text made:int expires:int? last_used:int?
  ended:int? facts:bytes; one digest; by person
games key:text name:text variant:text options:bytes rules_digest:text settings:bytes state:text coordinator:people?
  created:int deal_commitment:text started:int? ended:int? paused:int? pause_reason:text turn:int? ending:bytes
  deputy:people? ref:text secret:bytes lines:int head:text kept:text follows:int?; one key; by coordinator; by
  deputy; by follows; by state
leagues key:text name:text coordinator:people? moves:int made:int; one key
rated_players family:text player:text person:people? games:int mu:int sigma:int least:int at:int last:int
  shown:bool; one family player; by family person least; by family shown least; by person
ratings person:people variant:text stars:int at:int; one person variant; by variant
invitations game:games digest:text email:text power:text made:int expires:int used:int? person:people?; one digest;
  by game
lines game:games n:int at:int kind:text content:bytes hash:text signature:text; one game n; by game kind
rated_games game:games rated:rated_players mu:int sigma:int at:int; one game rated; by rated at
seats game:games power:text state:text person:people? bot:text since:int? missed:int survives:bool units:int
  centers:int shares_address:bool machine:bool stand_in:bool key:text; one game power; by person
sign_ups game:games person:people preferences:bytes at:int withdrawn:int? shares_address:bool; one game person; by
  person
tournaments key:text name:text state:text coordinator:people? plan:bytes made:int ended:int? league:leagues?
  season:int division:int; one key; by coordinator; by league; by state
turns game:games number:int name:text key:text state:text opened:int season_opened:int deadline:int
  first_deadline:int public_key:bytes seed_commitment:text position:bytes awaited:text drawn:text sheets:bytes
  result:bytes closed:int? published:int? final:int? final_due:int? moves:int closes:int early:text witness:bytes
  part:text sealed_by:text ahead:bytes; one game number; by state deadline
work kind:text name:text due:int game:games? facts:bytes attempts:int error:text state:text; one name; by game; by
  state due
arrivals digest:text at:int state:text person:people? seat:seats? stored:text secret:text; one digest; by person; by
  secret; by state; by stored
boards tournament:tournaments round:int number:int state:text game:games? outcome:bytes; one tournament round
  number; by game
desk game:games? kind:text turn:turns? seat:seats? opened:int due:int? facts:bytes done:int? person:people?
  note:text; by done game; by game done; by turn
entrants tournament:tournaments number:int name:text person:people? state:text at:int; one tournament name; one
  tournament number; by person
holdings seat:seats person:people? bot:text since:int until:int? why:text ref:text; by person; by seat
journal game:games? at:int kind:text person:people? role:text seen_by:text turn:turns? seat:seats? facts:bytes; by
  game id; by game kind; by person; by seat
letters game:games turn:turns? sender:seats at:int anonymous:bool public:bool locked:bytes; by game id
mailings kind:text channel:text person:people? address:text game:games? turn:turns? power:text message_id:text
  thread:text facts:bytes made:int due:int lease:text attempts:int error:text state:text done:int?; one message_id;
  by address kind made; by game state; by person; by state channel due
mutes seat:seats muted:text; one seat muted
postbag game:games turn:turns stored:text digest:text name:text media_type:text size:int why:text; by game; by
  stored; by turn
private_lines game:games n:int place:int kind:text content:bytes salt:text seat:seats?; one game n place
readiness turn:turns seat:seats at:int version:int signature:text; one turn seat
submissions turn:turns seat:seats person:people? version:int channel:text kind:text received:int commitment:text
  sealed:bytes own:bytes understood:bool asks:bool counts:bool withdrawn:int? chosen:bool nonce:text entered_by:text
  confirmed:int?; one turn seat version; by person; by seat
board_seats board:boards power:text entrant:entrants? left:int; one board power; by entrant
files submission:submissions stored:text digest:text name:text media_type:text size:int; by stored; by submission
letter_copies letter:letters seat:seats read:int?; one letter seat; by seat
records submission:submissions turn_name:text commitment:text opening:bytes sealed:bytes reading:bytes lost:int?;
  one commitment; by submission
"""
"""A table in each line (and those that are indented after it): its columns as ``name:type``, with ``?`` where one may
be null; the type is one of ``TYPES`` or the table at whose row it points. Then which columns together are unique
(``one``), and which have an index (``by``)."""


def upgrade() -> None:
    """Create all tables, those first at whose rows others point."""
    for line in SCHEMA.replace("\n ", "").split("\n")[1:-1]:
        described, *rest = line.split("; ")
        name, *described_columns = described.split()
        columns: list[sa.schema.SchemaItem] = [sa.Column("id", ID, primary_key=True, autoincrement=True)]
        for column in described_columns:
            field, _, kind = column.rstrip("?").partition(":")
            link = () if kind in TYPES else (sa.ForeignKey(f"{kind}.id"),)
            columns.append(sa.Column(field, TYPES.get(kind, sa.BigInteger)(), *link, nullable=column.endswith("?")))
        named = [
            (how, fields.split(), f"{name}_{how}_{fields.replace(' ', '_')}")
            for how, _, fields in (part.partition(" ") for part in rest)
        ]
        op.create_table(name, *columns, *(sa.UniqueConstraint(*f, name=n) for how, f, n in named if how == "one"))
        for how, fields, index in named:
            if how == "by":
                op.create_index(index, name, fields)
