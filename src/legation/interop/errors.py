"""What can be wrong with a file of another system."""

from __future__ import annotations


class ForeignFileError(ValueError):
    """A file that cannot be imported; ``faults`` holds one line each, with its place and the mend."""

    def __init__(self, *faults: str) -> None:
        self.faults = list(faults)
        super().__init__("\n".join(faults))
