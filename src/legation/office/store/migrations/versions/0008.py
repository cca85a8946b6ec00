"""Add tables ``records``, ``lines`` and ``private_lines``: the journal as a chain."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False, server_default="")


def upgrade() -> None:
    """Games that run go on: their chain begins when their next turn opens, with a digest of the journal till then."""
    nothing = sa.text("X''" if op.get_bind().dialect.name == "sqlite" else "''")
    op.create_table(
        "records",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("submission", sa.BigInteger(), nullable=False),
        sa.Column("turn_name", sa.Text(), nullable=False),
        sa.Column("commitment", sa.Text(), nullable=False),
        sa.Column("opening", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["submission"], ["submissions.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("commitment", name="records_one_commitment"),
    )
    op.create_index("records_by_submission", "records", ["submission"], unique=False)
    op.create_table(
        "lines",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("game", sa.BigInteger(), nullable=False),
        sa.Column("n", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("signature", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("game", "n", name="lines_one_game_n"),
    )
    op.create_index("lines_by_game_kind", "lines", ["game", "kind"], unique=False)
    op.create_table(
        "private_lines",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("game", sa.BigInteger(), nullable=False),
        sa.Column("n", sa.BigInteger(), nullable=False),
        sa.Column("place", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("salt", sa.Text(), nullable=False),
        sa.Column("seat", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["games.id"]),
        sa.ForeignKeyConstraint(["seat"], ["seats.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("game", "n", "place", name="private_lines_one_game_n_place"),
    )
    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.add_column(_text("ref"))
        batch_op.add_column(sa.Column("secret", sa.LargeBinary(), nullable=False, server_default=nothing))
        batch_op.add_column(sa.Column("lines", sa.BigInteger(), nullable=False, server_default="0"))
        batch_op.add_column(_text("head"))
    with op.batch_alter_table("submissions", schema=None) as batch_op:
        batch_op.add_column(_text("nonce"))
    with op.batch_alter_table("holdings", schema=None) as batch_op:
        batch_op.add_column(_text("ref"))
    with op.batch_alter_table("turns", schema=None) as batch_op:
        batch_op.add_column(_text("part"))
        batch_op.add_column(_text("sealed_by"))
    with op.batch_alter_table("seats", schema=None) as batch_op:
        batch_op.add_column(_text("key"))
    with op.batch_alter_table("readiness", schema=None) as batch_op:
        batch_op.add_column(sa.Column("version", sa.BigInteger(), nullable=False, server_default="0"))
        batch_op.add_column(_text("signature"))
