"""The keys of the outbox, one a day: made once, found while they are kept, and gone for good after that."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from pathlib import Path

from legation.office.clock import SeededRandomSource, micros
from legation.office.keys.day_keys import KEPT, DayKeys

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


def derived(day: bytes) -> bytes:
    return hashlib.sha256(day).digest()


def test_a_key_of_a_folder_is_made_once_a_day_and_destroyed_when_it_is_old(tmp_path: Path) -> None:
    keys = DayKeys(tmp_path / "keys", SeededRandomSource(1), derived)
    assert keys.find(micros(NOON)) is None and not (tmp_path / "keys").exists(), "to look for one makes none"
    first = keys.key(micros(NOON))
    assert len(first) == 32 and first == keys.key(micros(NOON + timedelta(hours=11, minutes=59)))
    second = keys.key(micros(NOON + timedelta(hours=12)))
    assert second != first and derived(b"2026-03-02") not in (first, second)
    assert {path.name for path in (tmp_path / "keys").iterdir()} == {"outbox.2026-03-02", "outbox.2026-03-03"}
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in (tmp_path / "keys").iterdir())
    other = tmp_path / "keys" / "outbox.2026-03-02.part"
    other.write_bytes(b"")
    keys.forget(micros(NOON + KEPT))
    assert keys.find(micros(NOON)) == first, "it is kept so long"
    keys.forget(micros(NOON + KEPT + timedelta(days=1)))
    assert keys.find(micros(NOON)) is None and keys.find(micros(NOON + timedelta(days=1))) == second
    assert other.exists(), "what isn't a key of a day is left alone"
    again = DayKeys(tmp_path / "keys", SeededRandomSource(2), derived)
    assert again.find(micros(NOON + timedelta(days=1))) == second
    assert again.key(micros(NOON)) != first, "a key that is gone is gone"


def test_where_machines_share_one_key_each_day_s_is_derived_and_there_is_nothing_to_destroy() -> None:
    keys = DayKeys(None, SeededRandomSource(1), derived)
    keys.forget(micros(NOON))
    assert keys.key(micros(NOON)) == derived(b"2026-03-02") == keys.find(micros(NOON))
    assert keys.find(micros(NOON - timedelta(days=100))) == derived(b"2025-11-22")
