"""What can be wrong with a file of another system."""

from __future__ import annotations


class ForeignFileError(ValueError):
    """A file that cannot be imported; ``faults`` holds one line each, with its place and the mend.

    ``unknown``: nothing in it is in a format that is known.
    """

    def __init__(self, *faults: str, unknown: bool = False) -> None:
        self.faults = list(faults)
        self.unknown = unknown
        super().__init__("\n".join(faults))
