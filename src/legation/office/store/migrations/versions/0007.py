"""Add columns for seals of form 2 and for the effective closing of turns; drop table ``drafts``."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """What is sealed already stays in its first form; drafts are the pages' own from now on; what told of a sheet
    before its seal is opened is taken away."""
    nothing = sa.text("X''" if op.get_bind().dialect.name == "sqlite" else "''")
    op.drop_table("drafts")
    with op.batch_alter_table("turns", schema=None) as batch_op:
        batch_op.add_column(sa.Column("closes", sa.BigInteger(), nullable=False, server_default="0"))
        batch_op.add_column(sa.Column("early", sa.Text(), nullable=False, server_default=""))
        batch_op.add_column(sa.Column("witness", sa.LargeBinary(), nullable=False, server_default=nothing))
    with op.batch_alter_table("submissions", schema=None) as batch_op:
        batch_op.add_column(sa.Column("form", sa.BigInteger(), nullable=False, server_default="1"))
        batch_op.add_column(sa.Column("entered_by", sa.Text(), nullable=False, server_default="holder"))
        batch_op.add_column(sa.Column("confirmed", sa.BigInteger(), nullable=True))
    op.execute("UPDATE submissions SET entered_by = 'bot' WHERE channel = 'bot'")
    op.execute("UPDATE submissions SET entered_by = 'coordinator' WHERE kind = 'posted'")
    op.execute(
        "UPDATE submissions SET understood = true, asks = false, counts = true "
        "WHERE turn IN (SELECT id FROM turns WHERE state IN ('open', 'waiting', 'closed', 'aside'))"
    )
    op.execute("UPDATE turns SET closes = deadline")
