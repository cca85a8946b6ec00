"""Add column ``games.follows`` (rematches) and table ``mutes`` (powers whose letters somebody has muted)."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add column ``games.follows``, and table ``mutes``."""
    with op.batch_alter_table("games") as table:
        table.add_column(sa.Column("follows", sa.BigInteger(), nullable=True))
        table.create_index("games_by_follows", ["follows"])
    op.create_table(
        "mutes",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("seat", sa.BigInteger(), nullable=False),
        sa.Column("muted", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["seat"], ["seats.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("seat", "muted", name="mutes_one_seat_muted"),
    )
