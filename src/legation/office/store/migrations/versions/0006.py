"""Add column ``invitations.expires``; delete the stored answers, whose keys have another form now."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
MONTH = 30 * 24 * 60 * 60 * 1_000_000


def upgrade() -> None:
    """An invitation that was not used ends a month after it was made; one that went to a seat that was used is over."""
    with op.batch_alter_table("invitations", schema=None) as batch_op:
        batch_op.add_column(sa.Column("expires", sa.BigInteger(), nullable=True))
    op.execute(f"UPDATE invitations SET expires = made + {MONTH}")
    with op.batch_alter_table("invitations", schema=None) as batch_op:
        batch_op.alter_column("expires", existing_type=sa.BigInteger(), nullable=False)
    op.execute("DELETE FROM answers")
