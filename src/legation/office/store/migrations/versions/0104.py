"""Add bridges, and proposed orders in letters."""

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
    op.add_column("letters", sa.Column("proposal", sa.LargeBinary(), nullable=True))
