"""Add tournaments and leagues."""

import sqlalchemy as sa
from alembic import op

revision = "0103"
down_revision = "0102"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _table(name: str, texts: str, numbers: str, links: dict[str, str], one: list[str], by: list[str]) -> None:
    """Create a table; a name that ends in ``?`` may be missing."""
    columns: list[sa.schema.SchemaItem] = [sa.Column("id", ID, primary_key=True, autoincrement=True)]
    columns += [sa.Column(text, sa.Text(), nullable=False) for text in texts.split()]
    for number in numbers.split():
        link = [sa.ForeignKey(links[number])] if number in links else []
        columns.append(sa.Column(number.rstrip("?"), sa.BigInteger(), *link, nullable=number.endswith("?")))
    columns += [sa.Column("plan", sa.LargeBinary(), nullable=False)] if name == "tournaments" else []
    columns += [sa.Column("outcome", sa.LargeBinary(), nullable=False)] if name == "boards" else []
    columns += [sa.UniqueConstraint(*u.split(), name=f"{name}_one_{u.replace(' ', '_')}") for u in one]
    op.create_table(name, *columns)
    for column in by:
        op.create_index(f"{name}_by_{column}", name, [column])


def upgrade() -> None:
    """Create the tables, with their indexes."""
    people = {"coordinator?": "people.id", "person?": "people.id"}
    _table("leagues", "key name", "coordinator? moves made", people, ["key"], [])
    numbers = "coordinator? made ended? league? season division"
    _table(
        *("tournaments", "key name state", numbers, people | {"league?": "leagues.id"}, ["key"]),
        ["state", "coordinator", "league"],
    )
    one = ["tournament number", "tournament name"]
    of = {"tournament": "tournaments.id"}
    _table("entrants", "name state", "tournament number person? at", people | of, one, ["person"])
    links = of | {"game?": "games.id"}
    _table("boards", "state", "tournament round number game?", links, ["tournament round number"], ["game"])
    links = {"board": "boards.id", "entrant?": "entrants.id"}
    _table("board_seats", "power", "board entrant? left", links, ["board power"], ["entrant"])
