"""Alembic's way into the store; run by :mod:`legation.office.store.migrating` only."""

from alembic import context

engine = context.config.attributes["engine"]
with engine.connect() as connection:
    if engine.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    context.configure(connection=connection, render_as_batch=engine.dialect.name == "sqlite")
    if engine.dialect.name == "postgresql":
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(5102)")  # one worker upgrades, the others wait
    context.run_migrations()
    connection.commit()
