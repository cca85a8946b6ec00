"""Alembic's way into the store; run by :mod:`legation.office.store.migrating` only.

SQLite changes a column by making its table anew, and would refuse to drop the old one while rows of other tables name
its rows. So it does not look meanwhile, and all is looked over before it counts."""

from alembic import context

from legation.office.store.rows import metadata

engine = context.config.attributes["engine"]
sqlite = engine.dialect.name == "sqlite"
with engine.connect() as connection:
    if sqlite:
        connection.exec_driver_sql("PRAGMA foreign_keys=OFF")
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    context.configure(connection=connection, render_as_batch=sqlite)
    if engine.dialect.name == "postgresql":
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(5102)")  # one worker upgrades, the others wait
    try:
        if context.get_context().get_current_revision() is None:  # new: its tables are of this version
            metadata.create_all(connection)
            context.get_context().stamp(context.script, "head")
        context.run_migrations()
        if sqlite and (torn := connection.exec_driver_sql("PRAGMA foreign_key_check").all()):
            raise RuntimeError(f"after the upgrade rows would name others that are not there: {torn[:5]}")
        connection.commit()
    finally:
        connection.rollback()  # of what was not committed
        if sqlite:
            connection.exec_driver_sql("PRAGMA foreign_keys=ON")  # others use this connection, too
