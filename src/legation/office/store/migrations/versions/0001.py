"""Initial schema.

It is long because it makes all tables of the first version, each with its indexes.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Initial schema.

    It is long because it makes all tables of the first version, each with its indexes.
    """
    op.create_table(
        "answers",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("command", sa.Text(), nullable=False),
        sa.Column("asked", sa.Text(), nullable=False),
        sa.Column("answer", sa.LargeBinary(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("actor", "name", name="answers_one_actor_name"),
    )
    with op.batch_alter_table("answers", schema=None) as batch_op:
        batch_op.create_index("answers_by_at", ["at"], unique=False)

    op.create_table(
        "people",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=True),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("confirmed", sa.Boolean(), nullable=False),
        sa.Column("administrator", sa.Boolean(), nullable=False),
        sa.Column("preferences", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("email", name="people_one_email"),
    )
    op.create_table(
        "absences",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("person", sa.BigInteger(), nullable=False),
        sa.Column("first", sa.Text(), nullable=False),
        sa.Column("last", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("made", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person"],
            ["people.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("absences", schema=None) as batch_op:
        batch_op.create_index("absences_by_person", ["person"], unique=False)

    op.create_table(
        "addresses",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("person", sa.BigInteger(), nullable=False),
        sa.Column("lines", sa.Text(), nullable=False),
        sa.Column("country", sa.Text(), nullable=False),
        sa.Column("first", sa.Text(), nullable=False),
        sa.Column("last", sa.Text(), nullable=False),
        sa.Column("is_primary", sa.Boolean(), nullable=False),
        sa.Column("made", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person"],
            ["people.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("addresses", schema=None) as batch_op:
        batch_op.create_index("addresses_by_person", ["person"], unique=False)

    op.create_table(
        "credentials",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("person", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("made", sa.BigInteger(), nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=True),
        sa.Column("last_used", sa.BigInteger(), nullable=True),
        sa.Column("ended", sa.BigInteger(), nullable=True),
        sa.Column("facts", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person"],
            ["people.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("digest", name="credentials_one_digest"),
    )
    with op.batch_alter_table("credentials", schema=None) as batch_op:
        batch_op.create_index("credentials_by_person", ["person"], unique=False)

    op.create_table(
        "games",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("options", sa.LargeBinary(), nullable=False),
        sa.Column("rules_digest", sa.Text(), nullable=False),
        sa.Column("settings", sa.LargeBinary(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("coordinator", sa.BigInteger(), nullable=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("deal_key", sa.LargeBinary(), nullable=False),
        sa.Column("deal_seed", sa.LargeBinary(), nullable=False),
        sa.Column("deal_commitment", sa.Text(), nullable=False),
        sa.Column("started", sa.BigInteger(), nullable=True),
        sa.Column("ended", sa.BigInteger(), nullable=True),
        sa.Column("paused", sa.BigInteger(), nullable=True),
        sa.Column("pause_reason", sa.Text(), nullable=False),
        sa.Column("turn", sa.BigInteger(), nullable=True),
        sa.Column("ending", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["coordinator"],
            ["people.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("key", name="games_one_key"),
    )
    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.create_index("games_by_coordinator", ["coordinator"], unique=False)
        batch_op.create_index("games_by_state", ["state"], unique=False)

    op.create_table(
        "invitations",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("game", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("power", sa.Text(), nullable=False),
        sa.Column("made", sa.BigInteger(), nullable=False),
        sa.Column("used", sa.BigInteger(), nullable=True),
        sa.Column("person", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["game"],
            ["games.id"],
        ),
        sa.ForeignKeyConstraint(
            ["person"],
            ["people.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("digest", name="invitations_one_digest"),
    )
    with op.batch_alter_table("invitations", schema=None) as batch_op:
        batch_op.create_index("invitations_by_game", ["game"], unique=False)

    op.create_table(
        "seats",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("game", sa.BigInteger(), nullable=False),
        sa.Column("power", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("person", sa.BigInteger(), nullable=True),
        sa.Column("bot", sa.Text(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=True),
        sa.Column("missed", sa.BigInteger(), nullable=False),
        sa.Column("survives", sa.Boolean(), nullable=False),
        sa.Column("units", sa.BigInteger(), nullable=False),
        sa.Column("centers", sa.BigInteger(), nullable=False),
        sa.Column("letters", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"],
            ["games.id"],
        ),
        sa.ForeignKeyConstraint(
            ["person"],
            ["people.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("game", "power", name="seats_one_game_power"),
    )
    with op.batch_alter_table("seats", schema=None) as batch_op:
        batch_op.create_index("seats_by_person", ["person"], unique=False)

    op.create_table(
        "sign_ups",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("game", sa.BigInteger(), nullable=False),
        sa.Column("person", sa.BigInteger(), nullable=False),
        sa.Column("preferences", sa.LargeBinary(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("withdrawn", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["game"],
            ["games.id"],
        ),
        sa.ForeignKeyConstraint(
            ["person"],
            ["people.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("game", "person", name="sign_ups_one_game_person"),
    )
    with op.batch_alter_table("sign_ups", schema=None) as batch_op:
        batch_op.create_index("sign_ups_by_person", ["person"], unique=False)

    op.create_table(
        "turns",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("game", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("opened", sa.BigInteger(), nullable=False),
        sa.Column("season_opened", sa.BigInteger(), nullable=False),
        sa.Column("deadline", sa.BigInteger(), nullable=True),
        sa.Column("first_deadline", sa.BigInteger(), nullable=True),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("seed_commitment", sa.Text(), nullable=False),
        sa.Column("position", sa.LargeBinary(), nullable=False),
        sa.Column("awaited", sa.Text(), nullable=False),
        sa.Column("drawn", sa.Text(), nullable=False),
        sa.Column("sheets", sa.LargeBinary(), nullable=False),
        sa.Column("result", sa.LargeBinary(), nullable=False),
        sa.Column("closed", sa.BigInteger(), nullable=True),
        sa.Column("published", sa.BigInteger(), nullable=True),
        sa.Column("final", sa.BigInteger(), nullable=True),
        sa.Column("final_due", sa.BigInteger(), nullable=True),
        sa.Column("moves", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"],
            ["games.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("game", "number", name="turns_one_game_number"),
    )
    with op.batch_alter_table("turns", schema=None) as batch_op:
        batch_op.create_index("turns_by_state_deadline", ["state", "deadline"], unique=False)

    op.create_table(
        "work",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.BigInteger(), nullable=True),
        sa.Column("facts", sa.LargeBinary(), nullable=False),
        sa.Column("attempts", sa.BigInteger(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"],
            ["games.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name", name="work_one_name"),
    )
    with op.batch_alter_table("work", schema=None) as batch_op:
        batch_op.create_index("work_by_game", ["game"], unique=False)
        batch_op.create_index("work_by_state_due", ["state", "due"], unique=False)

    op.create_table(
        "desk",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("game", sa.BigInteger(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("turn", sa.BigInteger(), nullable=True),
        sa.Column("seat", sa.BigInteger(), nullable=True),
        sa.Column("opened", sa.BigInteger(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=True),
        sa.Column("facts", sa.LargeBinary(), nullable=False),
        sa.Column("done", sa.BigInteger(), nullable=True),
        sa.Column("person", sa.BigInteger(), nullable=True),
        sa.Column("note", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"],
            ["games.id"],
        ),
        sa.ForeignKeyConstraint(
            ["person"],
            ["people.id"],
        ),
        sa.ForeignKeyConstraint(
            ["seat"],
            ["seats.id"],
        ),
        sa.ForeignKeyConstraint(
            ["turn"],
            ["turns.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("desk", schema=None) as batch_op:
        batch_op.create_index("desk_by_game_done", ["game", "done"], unique=False)
        batch_op.create_index("desk_by_turn", ["turn"], unique=False)

    op.create_table(
        "drafts",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("turn", sa.BigInteger(), nullable=False),
        sa.Column("seat", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("locked", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["seat"],
            ["seats.id"],
        ),
        sa.ForeignKeyConstraint(
            ["turn"],
            ["turns.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("turn", "seat", name="drafts_one_turn_seat"),
    )
    op.create_table(
        "holdings",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("seat", sa.BigInteger(), nullable=False),
        sa.Column("person", sa.BigInteger(), nullable=True),
        sa.Column("bot", sa.Text(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=True),
        sa.Column("why", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person"],
            ["people.id"],
        ),
        sa.ForeignKeyConstraint(
            ["seat"],
            ["seats.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("holdings", schema=None) as batch_op:
        batch_op.create_index("holdings_by_person", ["person"], unique=False)
        batch_op.create_index("holdings_by_seat", ["seat"], unique=False)

    op.create_table(
        "journal",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("game", sa.BigInteger(), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("person", sa.BigInteger(), nullable=True),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("seen_by", sa.Text(), nullable=False),
        sa.Column("turn", sa.BigInteger(), nullable=True),
        sa.Column("seat", sa.BigInteger(), nullable=True),
        sa.Column("facts", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"],
            ["games.id"],
        ),
        sa.ForeignKeyConstraint(
            ["person"],
            ["people.id"],
        ),
        sa.ForeignKeyConstraint(
            ["seat"],
            ["seats.id"],
        ),
        sa.ForeignKeyConstraint(
            ["turn"],
            ["turns.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("journal", schema=None) as batch_op:
        batch_op.create_index("journal_by_game_id", ["game", "id"], unique=False)
        batch_op.create_index("journal_by_game_kind", ["game", "kind"], unique=False)
        batch_op.create_index("journal_by_seat", ["seat"], unique=False)

    op.create_table(
        "letters",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("game", sa.BigInteger(), nullable=False),
        sa.Column("turn", sa.BigInteger(), nullable=True),
        sa.Column("sender", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("anonymous", sa.Boolean(), nullable=False),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("locked", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"],
            ["games.id"],
        ),
        sa.ForeignKeyConstraint(
            ["sender"],
            ["seats.id"],
        ),
        sa.ForeignKeyConstraint(
            ["turn"],
            ["turns.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("letters", schema=None) as batch_op:
        batch_op.create_index("letters_by_game_id", ["game", "id"], unique=False)

    op.create_table(
        "mailings",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("person", sa.BigInteger(), nullable=True),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("game", sa.BigInteger(), nullable=True),
        sa.Column("turn", sa.BigInteger(), nullable=True),
        sa.Column("power", sa.Text(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("thread", sa.Text(), nullable=False),
        sa.Column("facts", sa.LargeBinary(), nullable=False),
        sa.Column("made", sa.BigInteger(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("lease", sa.Text(), nullable=False),
        sa.Column("attempts", sa.BigInteger(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("done", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["game"],
            ["games.id"],
        ),
        sa.ForeignKeyConstraint(
            ["person"],
            ["people.id"],
        ),
        sa.ForeignKeyConstraint(
            ["turn"],
            ["turns.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("message_id", name="mailings_one_message_id"),
    )
    with op.batch_alter_table("mailings", schema=None) as batch_op:
        batch_op.create_index("mailings_by_person", ["person"], unique=False)
        batch_op.create_index("mailings_by_state_channel_due", ["state", "channel", "due"], unique=False)

    op.create_table(
        "readiness",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("turn", sa.BigInteger(), nullable=False),
        sa.Column("seat", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["seat"],
            ["seats.id"],
        ),
        sa.ForeignKeyConstraint(
            ["turn"],
            ["turns.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("turn", "seat", name="readiness_one_turn_seat"),
    )
    op.create_table(
        "submissions",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("turn", sa.BigInteger(), nullable=False),
        sa.Column("seat", sa.BigInteger(), nullable=False),
        sa.Column("person", sa.BigInteger(), nullable=True),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("received", sa.BigInteger(), nullable=False),
        sa.Column("commitment", sa.Text(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("own", sa.LargeBinary(), nullable=False),
        sa.Column("understood", sa.Boolean(), nullable=False),
        sa.Column("asks", sa.Boolean(), nullable=False),
        sa.Column("counts", sa.Boolean(), nullable=False),
        sa.Column("withdrawn", sa.BigInteger(), nullable=True),
        sa.Column("chosen", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person"],
            ["people.id"],
        ),
        sa.ForeignKeyConstraint(
            ["seat"],
            ["seats.id"],
        ),
        sa.ForeignKeyConstraint(
            ["turn"],
            ["turns.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("turn", "seat", "version", name="submissions_one_turn_seat_version"),
    )
    with op.batch_alter_table("submissions", schema=None) as batch_op:
        batch_op.create_index("submissions_by_seat", ["seat"], unique=False)

    op.create_table(
        "files",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("submission", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("stored", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("media_type", sa.Text(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["submission"],
            ["submissions.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("files", schema=None) as batch_op:
        batch_op.create_index("files_by_stored", ["stored"], unique=False)
        batch_op.create_index("files_by_submission", ["submission"], unique=False)

    op.create_table(
        "letter_copies",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("letter", sa.BigInteger(), nullable=False),
        sa.Column("seat", sa.BigInteger(), nullable=False),
        sa.Column("read", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["letter"],
            ["letters.id"],
        ),
        sa.ForeignKeyConstraint(
            ["seat"],
            ["seats.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("letter", "seat", name="letter_copies_one_letter_seat"),
    )
    with op.batch_alter_table("letter_copies", schema=None) as batch_op:
        batch_op.create_index("letter_copies_by_seat", ["seat"], unique=False)
