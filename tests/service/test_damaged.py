"""A sample of the damaged documents: no answer is a failure, and good ones are taken afterwards."""

from pathlib import Path

import pytest

from legation.children import Children
from legation.web.designer import pasting
from legation.web.designer.pasting import PasteError, read_paste
from legation.web.designer.uploads import VariantUploads
from legation.web.serving.documents import DocumentCache
from tests.service.damaged import bombard


@pytest.mark.long
def test_damaged_documents_are_taken_or_refused_by_every_entrance(tmp_path: Path) -> None:
    seen, _ = bombard(tmp_path, 60, seed=4)
    assert sum(sum(one.statuses.values()) for one in seen.values()) == 60
    taken = (200, 201, 303, 409)  # 409: a damaged one that had come through whole was proposed before
    assert {name: one.good for name, one in seen.items() if one.good not in taken} == {}


def test_a_paste_that_takes_too_long_harms_only_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    shop = VariantUploads(DocumentCache(1_000_000))
    monkeypatch.setattr(pasting, "READERS", Children(most=1, seconds=0.05, megabytes=700))
    with pytest.raises(PasteError, match="takes too long"):
        read_paste("Spring 1901 Movement\n" + "Frnace: A par\n" * 100_000, "standard", shop)
