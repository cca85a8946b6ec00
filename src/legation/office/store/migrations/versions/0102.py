"""Add whether a sign-up shares its postal address, and how long post to a single address takes."""

import sqlalchemy as sa
from alembic import op

revision = "0102"
down_revision = "0101"


def upgrade() -> None:
    """Add both columns; who signed up before it was asked shares nothing."""
    op.add_column("sign_ups", sa.Column("shares_address", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("addresses", sa.Column("days", sa.BigInteger(), nullable=True))
