"""Errors of the office: a sentence for people, a code for programs, a status for channels that have one."""

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


class OfficeError(Exception):
    """The form of every refusal. Nothing was changed. ``proof`` is the refusal as the office signed it, as canonical
    JSON, where it refused what was sent for a turn."""

    status = 400
    code = "refused"

    def __init__(self, message: str, *, suggestions: Sequence[str] = (), faults: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.suggestions = tuple(suggestions)
        self.faults = tuple(faults)
        self.proof = ""

    def __init_subclass__(cls, status: int = 0, code: str = "") -> None:
        cls.status, cls.code = status or cls.status, code or cls.code


class NotFoundError(OfficeError, status=404, code="not_found"):
    """Not found, or hidden from this reader."""


class SignInNeededError(OfficeError, status=401, code="sign_in"):
    """The secret is unknown, ended or too old, or there is none."""


class NotAllowedError(OfficeError, status=403, code="not_allowed"):
    """The table of permissions says no."""


class ConflictError(OfficeError, status=409, code="conflict"):
    """A conflict with the present state: a name that is taken, a seat that is held, a step taken by another."""


class TooLateError(OfficeError, status=409, code="too_late"):
    """The deadline has passed."""


class InvalidInputError(OfficeError, status=422, code="invalid"):
    """Input that cannot be used; ``faults`` lists all that is wrong."""


def refuse_faults(what: str, faults: Sequence[str]) -> None:
    """Raise InvalidInputError with all that is wrong, if anything is; ``what``: what can't be done for that."""
    if faults:
        raise InvalidInputError(f"{what}: {'; '.join(faults[:12])}", faults=faults)


def converted(value: Any, kind: type[T], what: str) -> T:
    """Return a value, if it isn't one, as a record of a kind. Raises InvalidInputError, which says ``what`` it was."""
    try:
        return value if isinstance(value, kind) else msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise InvalidInputError(f"{what} cannot be read: {error}", faults=[str(error)]) from None


class LimitExceededError(OfficeError, status=413, code="limit_exceeded"):
    """A limit of size or number is exceeded."""


class RateLimitError(OfficeError, status=429, code="rate_limited"):
    """More calls than one may make in a minute."""


class UnavailableError(OfficeError, status=503, code="unavailable"):
    """The database, the keeper or the file store cannot be reached; trying again later helps."""


class SerializationConflictError(UnavailableError):
    """The database undid a command that crossed another; it may be tried again at once."""


class KeyNotReleasedError(OfficeError, status=403, code="key_not_released"):
    """The keeper does not give the key yet."""


class DamagedError(OfficeError, status=503, code="damaged"):
    """Something that is kept cannot be read any more."""
