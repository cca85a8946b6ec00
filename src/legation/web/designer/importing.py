"""Import files of other systems for the designer: by a child process with limits of time and memory."""

from __future__ import annotations

from legation.children import ChildError, Children
from legation.interop.sources import ForeignFileError
from legation.interop.tasks import ImportedVariant
from legation.web.designer.uploads import MOST_BYTES, UploadError
from legation.web.serving.pages import PageError

IMPORTERS = Children(most=1, seconds=60, megabytes=1500, nice=10, patience=30)
"""What reads, settles and draws a foreign variant; one of 180 provinces takes ten seconds."""
REPORT = "import.md"


def import_files(uploads: list[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """The files of another system as those of a variant here, with the report among them.

    :raises UploadError: for what isn't a variant of a known format, or too much.
    """
    if sum(len(content) for _, content in uploads) > 2 * MOST_BYTES:
        raise UploadError(f"more than {MOST_BYTES // 1024 // 1024} MB in all")
    try:
        made = IMPORTERS.call(ImportedVariant, "legation.interop.tasks:import_variant", uploads)
    except ChildError as error:
        if error.reason == "failed" and error.kind == ForeignFileError.__name__:
            raise UploadError(str(error)) from None
        if error.reason == "away":
            raise PageError(503, "Other imports are running right now.", mend="Try again in a minute.") from None
        if error.reason == "failed":
            raise UploadError(f"the files cannot be imported ({error.kind})") from None
        raise UploadError(f"the import was stopped: {error}; 'legation import' has no such limit") from None
    report = made.report
    if made.others:
        report += f"\nThe package holds {len(made.others)} more: {', '.join(made.others)}. Upload them one by one.\n"
    return [*((name, text.encode()) for name, text in made.files.items()), (REPORT, report.encode())]
