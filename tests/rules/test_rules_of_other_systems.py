"""The table of other systems' rules names rule modules that there are."""

import runpy
from pathlib import Path

CONF = Path(__file__).parents[2] / "docs" / "conf.py"


def test_every_row_names_what_there_is() -> None:
    conf = runpy.run_path(str(CONF))
    kinds = {conf["kind_of"](row["here"]) for row in conf["rules_of_others"]()}
    assert kinds == {"module", "board", "office", "part", "scope", "not"}
