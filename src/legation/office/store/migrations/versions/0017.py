"""Add column ``records.lost``: when the key of a record was lost."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """None for a record that can be opened, or will be."""
    with op.batch_alter_table("records") as table:
        table.add_column(sa.Column("lost", sa.BigInteger(), nullable=True))
