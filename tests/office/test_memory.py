"""What is freed is given back, where the C library can be told so."""

from __future__ import annotations

import ctypes

import pytest

from legation.office.monitoring import processes


def test_a_c_library_without_such_a_setting_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda _: object())
    assert not processes.give_back_what_is_freed()


def test_what_is_set_is_what_is_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int]] = []

    class Library:
        def mallopt(self, what: int, value: int) -> int:
            told.append((what, value))
            return 1

    monkeypatch.setattr(ctypes, "CDLL", lambda _: Library())
    assert processes.give_back_what_is_freed()
    assert told == [(-8, processes.ARENAS), (-3, processes.LARGE)]
