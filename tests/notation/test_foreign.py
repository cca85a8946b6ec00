"""Sentences of everyday English beside legal sheets change no order, and hardly ever stop one."""

import pytest

from tests.notation.foreign import Fault, faults, pairs, sentences

MOST = 0.01  # of the pairs may stop an order
QUICK = 60  # each so many files of the standard library


def held(nth: int) -> None:
    tried = pairs(nth)
    found: list[Fault] = faults(tried)
    assert [fault for fault in found if fault.new] == []
    assert [fault for fault in found if not fault.named] == []
    assert len(found) <= MOST * len(tried), found


def test_foreign_sentences_change_no_order_and_hardly_stop_one() -> None:
    assert len(sentences(QUICK)) > 150
    held(QUICK)


@pytest.mark.longest
def test_nor_do_those_of_the_whole_standard_library() -> None:
    assert len(sentences()) > 10_000
    held(1)
