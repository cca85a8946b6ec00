"""Add columns to ``seats`` for seats that programs play and seats that bots play until somebody takes over."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """None of the seats that there are is either."""
    with op.batch_alter_table("seats", schema=None) as batch_op:
        for name in ("machine", "stand_in"):
            batch_op.add_column(sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.false()))
