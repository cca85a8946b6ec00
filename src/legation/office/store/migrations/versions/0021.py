"""Lengthen the addresses of variants: two with the same 64 bits could be made."""

import zlib
from hashlib import sha256

import msgspec
import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """Lengthen ``kept_rules.address``, ``games.kept`` and ``catalog.address``. An entry of the catalog whose package is
    gone keeps what it has: nothing is read by it."""
    connection = op.get_bind()
    for number, old, content in connection.execute(sa.text("SELECT id, address, content FROM kept_rules")).all():
        new = _address(content)
        connection.execute(sa.text("UPDATE games SET kept = :new WHERE kept = :old"), {"new": new, "old": old})
        connection.execute(sa.text("UPDATE kept_rules SET address = :new WHERE id = :id"), {"new": new, "id": number})
    for digest, rules in connection.execute(sa.text("SELECT digest, rules FROM catalog_packages")).all():
        update = sa.text("UPDATE catalog SET address = :new WHERE package = :digest")
        connection.execute(update, {"new": _address(rules), "digest": digest})


def _address(packed: bytes) -> str:
    """The address of a variant that was kept, from its bytes."""
    content = zlib.decompress(packed)
    return f"{msgspec.json.decode(content)['name']}@{sha256(content).hexdigest()[:32]}"
