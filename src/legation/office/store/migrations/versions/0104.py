"""Add bridges, proposed orders in letters, and moderation: reports, notes, blocks, suspensions."""

import sqlalchemy as sa
from alembic import op

revision = "0104"
down_revision = "0103"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the table of bridges, with its indexes; letters that were written before carry no orders."""
    op.create_table(
        "bridges",
        sa.Column("id", ID, primary_key=True, autoincrement=True),
        sa.Column("game", sa.BigInteger(), sa.ForeignKey("games.id"), nullable=True),
        sa.Column("person", sa.BigInteger(), sa.ForeignKey("people.id"), nullable=True),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("kind", "host", "tells")),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("made", sa.BigInteger(), nullable=False),
        *(sa.Column(name, sa.BigInteger(), nullable=True) for name in ("confirmed", "last_sent")),
        sa.Column("failures", sa.BigInteger(), nullable=False),
    )
    for column in ("game", "person"):
        op.create_index(f"bridges_by_{column}", "bridges", [column])
    number, text = sa.BigInteger(), sa.Text()
    people, games = sa.ForeignKey("people.id"), sa.ForeignKey("games.id")
    op.create_table(
        "reports",
        sa.Column("id", ID, primary_key=True, autoincrement=True),
        sa.Column("reporter", number, sa.ForeignKey("people.id"), nullable=True),
        sa.Column("person", number, people, nullable=True),
        sa.Column("game", number, games, nullable=True),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("at", number, nullable=False),
        sa.Column("decided", number, nullable=True),
        *(sa.Column(name, text, nullable=False) for name in ("decision", "reason")),
        sa.Column("days", number, nullable=False),
    )
    op.create_table(
        "person_notes",
        sa.Column("id", ID, primary_key=True, autoincrement=True),
        sa.Column("person", number, sa.ForeignKey("people.id"), nullable=False),
        *(sa.Column(name, text, nullable=False) for name in ("author", "text")),
        sa.Column("at", number, nullable=False),
    )
    op.create_table(
        "blocks",
        sa.Column("id", ID, primary_key=True, autoincrement=True),
        *(sa.Column(name, number, sa.ForeignKey("people.id"), nullable=False) for name in ("person", "blocked")),
        sa.Column("at", number, nullable=False),
        sa.UniqueConstraint("person", "blocked", name="blocks_one_person_blocked"),
    )
    for table, columns in (("reports", "reporter person decided"), ("person_notes", "person"), ("blocks", "blocked")):
        for column in columns.split():
            op.create_index(f"{table}_by_{column}", table, [column])
    op.add_column("people", sa.Column("suspended", number, nullable=True))
    op.add_column("letters", sa.Column("proposal", sa.LargeBinary(), nullable=True))
