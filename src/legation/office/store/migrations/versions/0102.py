"""Add whether a sign-up shares its postal address, how long post to a single address takes, and the postbag."""

import sqlalchemy as sa
from alembic import op

revision = "0102"
down_revision = "0101"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add columns and table; who signed up before it was asked shares nothing."""
    op.add_column("sign_ups", sa.Column("shares_address", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("addresses", sa.Column("days", sa.BigInteger(), nullable=True))
    op.create_table(
        "postbag",
        sa.Column("id", ID, primary_key=True, autoincrement=True),
        sa.Column("game", sa.BigInteger(), sa.ForeignKey("games.id"), nullable=False),
        sa.Column("turn", sa.BigInteger(), sa.ForeignKey("turns.id"), nullable=False),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("stored", "digest", "name", "media_type")),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
    )
    for column in ("game", "turn", "stored"):
        op.create_index(f"postbag_by_{column}", "postbag", [column])
