"""The report on results: its words follow from the numbers, its figures have tables, and it needs nothing else."""

import doctest
import re
from pathlib import Path

import pytest

from legation.variants import load
from tests.cli.test_commands import run as command

pytest.importorskip("numba", reason="the lab needs its extra")
pytest.importorskip("pyarrow", reason="the lab needs its extra")

from legation.lab import intervals
from legation.lab.report import report_on
from legation.lab.report.charts import nice_step
from legation.lab.report.document import Figure, Paragraph, Points, Table, html, write_document
from legation.lab.report.figures import ReportFigures
from legation.lab.results import Results
from legation.lab.runs import RunError, RunPlan
from tests.lab.test_runs import carried_out

PLAN = RunPlan("hundred", ("dumbbot",), 30, "a seed", 60, piece=15, record=True)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return carried_out(tmp_path_factory.mktemp("lab") / "results", PLAN)


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return carried_out(tmp_path_factory.mktemp("lab") / "other", RunPlan("hundred", ("hold",), 8, "1", 12, record=True))


@pytest.mark.usefixtures("games_compiled")
def test_the_numbers_are_those_of_the_tables(results: Results) -> None:
    figures = ReportFigures(results, load("hundred"))
    powers = results.table("powers").to_pylist()
    for n, power in enumerate(figures.powers):
        mine = [row for row in powers if row["power"] == power]
        assert figures.share(figures.solo)[n][1] == pytest.approx(sum(row["solo"] for row in mine) / 30)
        assert figures.scores[n][1] == pytest.approx(sum(row["score"] for row in mine) / 30)
        low, value, high = figures.scores[n]
        assert low <= value <= high
    years, counts = figures.over_years
    assert counts.shape == (30, len(years), 3) and (counts >= 0).all()
    last = [row["centers"] for row in powers if row["power"] == "France"]
    assert counts[:, -1, figures.powers.index("France")].tolist() == last
    assert (figures.still >= 0).all() and (figures.still <= figures.lengths).all()
    assert sum(figures.endings.values()) == 30
    borders = results.table("borders").to_pylist()
    assert sum(v[1] for v in figures.borders.values()) * 30 == pytest.approx(sum(row["bounced"] for row in borders))
    for power, openings in figures.openings.items():
        assert sum(count for _, count, _ in openings) == 30, power


@pytest.mark.usefixtures("games_compiled")
def test_every_figure_has_a_table_and_the_words_come_first(results: Results) -> None:
    document = report_on(results)
    assert document.sections[0].title == "In words"
    assert {type(block) for block in document.sections[0].blocks} <= {Paragraph, Points}
    for section in document.sections:
        if any(isinstance(block, Figure) for block in section.blocks):
            assert any(isinstance(block, Table) and block.rows for block in section.blocks), section.title
        for block in section.blocks:
            if isinstance(block, Table):
                assert all(len(row) == len(block.head) for row in block.rows), block.caption


@pytest.mark.usefixtures("games_compiled")
def test_the_page_stands_alone(results: Results) -> None:
    page = html(report_on(results))
    assert not re.search(r"(src|href)=[\"'](?!#|data:)", page) and "<script" not in page
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    for target in re.findall(r'href="#([^"]+)"', page):
        assert target in ids, target
    assert page.count("<svg") == page.count('role="img"')
    assert page.count('scope="row"') > 50


@pytest.mark.usefixtures("games_compiled")
def test_two_results_are_held_beside_each_other(results: Results, other: Results, tmp_path: Path) -> None:
    document = report_on(results, other)
    differs = next(section for section in document.sections if section.title == "What differs")
    told = " ".join(getattr(block, "text", "") for block in differs.blocks if isinstance(block, Paragraph))
    assert "shorter on average, which is more than chance" in told or "longer on average" in told
    write_document(document, tmp_path / "two.pdf")
    assert (tmp_path / "two.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.usefixtures("games_compiled")
def test_what_cannot_be_reported_is_told(results: Results, tmp_path: Path) -> None:
    elsewhere = carried_out(tmp_path / "standard", RunPlan("standard", ("hold",), 1, "1", 3))
    with pytest.raises(RunError, match="different powers"):
        report_on(results, elsewhere)
    page = html(report_on(elsewhere))
    assert "weren’t recorded" in page and "Openings" not in page
    with pytest.raises(RunError, match="no game yet"):
        report_on(Results.begin(tmp_path / "empty", PLAN))
    with pytest.raises(ValueError, match=r"\.html or \.pdf"):
        write_document(report_on(results), tmp_path / "report.doc")
    done = command("lab", "report", str(tmp_path), "-o", str(tmp_path / "report.html"))
    assert done.returncode and "holds no results" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.usefixtures("games_compiled")
def test_a_report_on_a_stopped_run_says_what_is_missing(results: Results, tmp_path: Path) -> None:
    stopped = Results.begin(tmp_path / "stopped", PLAN)
    for name in stopped.schemas:
        piece = results.folder / name / "000000.parquet"
        (stopped.folder / name / "000000.parquet").write_bytes(piece.read_bytes())
    (stopped.folder / "games" / "000001.parquet").write_bytes(b"broken")
    page = html(report_on(stopped))
    assert "Only 15 of 30 games are there" in page


def test_tests_of_what_is_alike() -> None:
    done = doctest.testmod(intervals)
    assert done.attempted and not done.failed
    assert (nice_step(17), round(nice_step(0.3), 3)) == (5.0, 0.1)
