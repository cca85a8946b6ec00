"""Reports on results: words first, then figures with tables, as one HTML file or a PDF."""

from pathlib import Path

from legation.lab.report.document import Report, write_document
from legation.lab.report.figures import ReportFigures
from legation.lab.report.sections import report
from legation.lab.results import Results
from legation.lab.runs import RunError
from legation.variants import load

__all__ = ["report_on", "write_report"]


def report_on(results: Results, other: Results | None = None) -> Report:
    """Return the report on a result, or on two whose powers are the same.

    :raises RunError: for a result without a game, and for two that cannot be compared."""
    found = [_figures(each) for each in (results, other) if each is not None]
    first, second = found[0], found[1] if len(found) > 1 else None
    if second is not None and second.powers != first.powers:
        raise RunError(
            f"{results.folder} and {results.folder if other is None else other.folder} have different powers, so they "
            "cannot be compared"
        )
    return report(first, second)


def _figures(results: Results) -> ReportFigures:
    if not results.table("games").num_rows:
        raise RunError(f"{results.folder} has no game yet; play some first")
    return ReportFigures(results, load(results.plan.variant, dict(results.plan.options)))


def write_report(results: Results, other: Results | None, path: Path) -> None:
    """Write the report as ``.html`` or ``.pdf``.

    :raises RunError: as by :func:`report_on`.
    :raises ValueError: for another ending of the path.
    :raises legation.atlas.pictures.PicturesMissingError: for a PDF where typst is not installed."""
    write_document(report_on(results, other), path)
