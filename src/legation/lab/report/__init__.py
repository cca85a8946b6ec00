"""Reports on results: words first, then figures with tables, as one HTML file or a PDF."""

from legation.lab.report.document import Report
from legation.lab.report.figures import ReportFigures
from legation.lab.report.sections import report
from legation.lab.results import Results
from legation.lab.runs import RunError
from legation.variants import load

__all__ = ["report_on"]


def report_on(results: Results, other: Results | None = None) -> Report:
    """Return the report on a result, or on two whose powers are the same.

    :raises RunError: for a result without a game, and for two that cannot be compared."""
    if other is None:
        return report(_figures(results))
    first, second = _figures(results), _figures(other)
    if second.powers != first.powers:
        raise RunError(f"{results.folder} and {other.folder} have different powers, so they cannot be compared")
    return report(first, second)


def _figures(results: Results) -> ReportFigures:
    if not results.table("games").num_rows:
        raise RunError(f"{results.folder} has no game yet; play some first")
    return ReportFigures(results, load(results.plan.variant, dict(results.plan.options)))
