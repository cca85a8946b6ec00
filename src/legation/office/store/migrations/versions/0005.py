"""Every turn has a deadline."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Both columns are always filled."""
    with op.batch_alter_table("turns", schema=None) as batch_op:
        for name in ("deadline", "first_deadline"):
            batch_op.alter_column(name, existing_type=sa.BigInteger(), nullable=False)
