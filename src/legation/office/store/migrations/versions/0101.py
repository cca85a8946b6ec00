"""Add ratings of players: as they are, and after each game."""

import sqlalchemy as sa
from alembic import op

revision = "0101"
down_revision = "0100"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _numbers(*names: str) -> list[sa.Column[int]]:
    return [sa.Column(name, sa.BigInteger(), nullable=False) for name in names]


def upgrade() -> None:
    """Create both tables, with their indexes."""
    op.create_table(
        "rated_players",
        sa.Column("id", ID, primary_key=True, autoincrement=True),
        sa.Column("family", sa.Text(), nullable=False),
        sa.Column("player", sa.Text(), nullable=False),
        sa.Column("person", sa.BigInteger(), sa.ForeignKey("people.id"), nullable=True),
        *_numbers("games", "mu", "sigma", "least", "at", "last"),
        sa.Column("shown", sa.Boolean(), nullable=False),
        sa.UniqueConstraint("family", "player", name="rated_players_one_family_player"),
    )
    op.create_index("rated_players_by_person", "rated_players", ["person"])
    op.create_index("rated_players_by_family_shown_least", "rated_players", ["family", "shown", "least"])
    op.create_index("rated_players_by_family_person_least", "rated_players", ["family", "person", "least"])
    op.create_table(
        "rated_games",
        sa.Column("id", ID, primary_key=True, autoincrement=True),
        sa.Column("game", sa.BigInteger(), sa.ForeignKey("games.id"), nullable=False),
        sa.Column("rated", sa.BigInteger(), sa.ForeignKey("rated_players.id"), nullable=False),
        *_numbers("mu", "sigma", "at"),
        sa.UniqueConstraint("game", "rated", name="rated_games_one_game_rated"),
    )
    op.create_index("rated_games_by_rated_at", "rated_games", ["rated", "at"])
