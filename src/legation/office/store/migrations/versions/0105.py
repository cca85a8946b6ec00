"""Add the archive: how games ended, records of other systems with their players' names, openings, public letters with
an index of their words; and traces of networks and devices, kept for days."""

import sqlalchemy as sa
from alembic import op

from legation.office.store.packing import unpack

revision = "0105"
down_revision = "0104"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
NUMBER, TEXT = sa.BigInteger(), sa.Text()
SQLITE_WORDS = (
    "CREATE VIRTUAL TABLE press_words USING fts5(text, content='press', content_rowid='id')",
    "CREATE TRIGGER press_added AFTER INSERT ON press BEGIN "
    "INSERT INTO press_words(rowid, text) VALUES (new.id, new.text); END",
    "CREATE TRIGGER press_removed AFTER DELETE ON press BEGIN "
    "INSERT INTO press_words(press_words, rowid, text) VALUES ('delete', old.id, old.text); END",
)
POSTGRESQL_WORDS = ("CREATE INDEX press_words ON press USING gin (to_tsvector('simple', text))",)


def _table(name: str, texts: str, numbers: str, *columns: sa.schema.SchemaItem) -> None:
    op.create_table(
        name,
        sa.Column("id", ID, primary_key=True, autoincrement=True),
        *(sa.Column(one, TEXT, nullable=False) for one in texts.split()),
        *(sa.Column(one, NUMBER, nullable=False) for one in numbers.split()),
        *columns,
    )


def _link(name: str, table: str) -> sa.Column[int]:
    return sa.Column(name, NUMBER, sa.ForeignKey(f"{table}.id"), nullable=False)


def _one(table: str, columns: str) -> sa.UniqueConstraint:
    return sa.UniqueConstraint(*columns.split(), name=f"{table}_one_{columns.replace(' ', '_')}")


def upgrade() -> None:
    """Create the tables; tell of games that have ended how they did."""
    for column in (sa.Column(name, TEXT, nullable=False, server_default="") for name in ("how", "source")):
        op.add_column("games", column)
    op.add_column("games", sa.Column("counted", sa.Boolean(), nullable=False, server_default=sa.false()))
    connection = op.get_bind()
    games = sa.table("games", sa.column("id"), sa.column("state"), sa.column("ending"), sa.column("how", TEXT))
    for id, ending in connection.execute(sa.select(games.c.id, games.c.ending).where(games.c.state == "ended")).all():
        how = (unpack(bytes(ending)) or {}).get("kind", "")
        connection.execute(sa.update(games).where(games.c.id == id).values(how=how))
    links = _link("game", "games"), _link("seat", "seats")
    _table("record_players", "name key", "", *links, _one("record_players", "seat"))
    person = _link("person", "people")
    confirmed = sa.Column("confirmed", NUMBER, nullable=True)
    _table("record_names", "key name", "at", person, confirmed, _one("record_names", "key person"))
    counts = "games won drawn survived imported"
    _table("openings", "variant power before line turn orders", counts, _one("openings", "line"))
    _table("press", "text", "", _link("letter", "letters"), _link("game", "games"), _one("press", "letter"))
    _table("traces", "day kind digest", "", _link("person", "people"), _one("traces", "day kind digest person"))
    op.drop_index("games_by_state", "games")
    indexes = {
        "games": ("state variant key", "state how key", "state ended"),
        "record_players": ("game", "key"),
        "record_names": ("person",),
        "openings": ("variant power before",),
        "press": ("game",),
        "traces": ("person",),
    }
    for table, listed in indexes.items():
        for columns in listed:
            op.create_index(f"{table}_by_{columns.replace(' ', '_')}", table, columns.split())
    for statement in SQLITE_WORDS if connection.dialect.name == "sqlite" else POSTGRESQL_WORDS:
        op.execute(statement)
