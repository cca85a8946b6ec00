"""Make ``turns.deadline`` and ``turns.first_deadline`` required."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Both columns are always filled; a turn that came from elsewhere without a deadline was due when it was over."""
    op.execute("UPDATE turns SET deadline = COALESCE(closed, published, opened) WHERE deadline IS NULL")
    op.execute("UPDATE turns SET first_deadline = deadline WHERE first_deadline IS NULL")
    with op.batch_alter_table("turns", schema=None) as batch_op:
        for name in ("deadline", "first_deadline"):
            batch_op.alter_column(name, existing_type=sa.BigInteger(), nullable=False)
