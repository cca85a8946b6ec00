"""Add table ``kept_rules`` and column ``games.kept``: the rules a game began under."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0009"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Games that run have theirs kept when their next turn opens."""
    op.create_table(
        "kept_rules",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("address", name="kept_rules_one_address"),
    )
    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.add_column(sa.Column("kept", sa.Text(), nullable=False, server_default=""))
