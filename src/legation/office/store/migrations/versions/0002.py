"""Add column ``seats.shares_address``: whose address the other players may see."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Whose address the other players may see."""
    with op.batch_alter_table("seats", schema=None) as batch_op:
        batch_op.add_column(sa.Column("shares_address", sa.Boolean(), nullable=False, server_default=sa.false()))
        batch_op.drop_column("letters")
