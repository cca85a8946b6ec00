"""Store of sealed pictures and PDFs by the SHA-256 of their bytes, in a folder or an S3-compatible store (obstore)."""

import contextlib
import hashlib
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import obstore
from obstore.exceptions import BaseError
from obstore.store import LocalStore, from_url

from legation.office.errors import NotFoundError, UnavailableError


class Files:
    """A store of files by their content, in a folder, or at a URL as ``s3://bucket/prefix`` with credentials of the
    environment."""

    def __init__(self, place: str | Path) -> None:
        self._folder = None if isinstance(place, str) and "://" in place else Path(place)
        if self._folder is None:
            self._store: Any = from_url(str(place))
            return
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with contextlib.suppress(OSError):
            self._folder.chmod(0o700)
        self._store = LocalStore(str(self._folder))

    def put(self, content: bytes) -> str:
        """Store a file and return its name; the same content is stored once."""
        name = hashlib.sha256(content).hexdigest()
        try:
            obstore.put(self._store, _path(name), content)
            if self._folder is not None:  # the store makes them as the umask says
                path = self._folder / _path(name)
                path.parent.chmod(0o700)
                path.chmod(0o600)
        except (BaseError, OSError) as error:
            raise UnavailableError("The office's files can't be written right now. Try again in a minute.") from error
        return name

    def get(self, name: str) -> bytes:
        """A file by its name."""
        try:
            return bytes(obstore.get(self._store, _path(name)).bytes())
        except FileNotFoundError:
            raise NotFoundError("This file no longer exists.") from None
        except (BaseError, OSError) as error:
            raise UnavailableError("The office's files can't be read right now. Try again in a minute.") from error

    def names(self) -> Iterator[tuple[str, datetime]]:
        """Return all files, with the time at which each was written."""
        for page in obstore.list(self._store):
            for meta in page:
                yield meta["path"].rsplit("/", 1)[-1], meta["last_modified"]

    def remove(self, name: str) -> None:
        """Delete a file, if it is there."""
        try:
            obstore.delete(self._store, _path(name))
        except FileNotFoundError:
            return
        except (BaseError, OSError) as error:
            raise UnavailableError("The office's files can't be written right now. Try again in a minute.") from error


def _path(name: str) -> str:
    return f"{name[:2]}/{name}"
