"""Add column ``games.deputy``: who reads transcriptions a second time."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """A column for the deputy of a game."""
    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.add_column(sa.Column("deputy", sa.BigInteger(), nullable=True))
        batch_op.create_foreign_key("games_deputy", "people", ["deputy"], ["id"])
