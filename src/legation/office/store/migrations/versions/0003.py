"""Add table ``arrivals``."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """A table for the mails that came in, so that each is taken once."""
    op.create_table(
        "arrivals",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("person", sa.BigInteger(), nullable=True),
        sa.Column("seat", sa.BigInteger(), nullable=True),
        sa.Column("stored", sa.Text(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.ForeignKeyConstraint(["seat"], ["seats.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("digest", name="arrivals_one_digest"),
    )
    with op.batch_alter_table("arrivals", schema=None) as batch_op:
        batch_op.create_index("arrivals_by_state", ["state"], unique=False)
        batch_op.create_index("arrivals_by_stored", ["stored"], unique=False)
        batch_op.create_index("arrivals_by_secret", ["secret"], unique=False)
