"""Errors of the office: a sentence for people, a code for programs, a status for
channels that have one."""

from __future__ import annotations

from collections.abc import Sequence


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


class NotFoundError(OfficeError):
    """Not found, or hidden from this reader (404)."""

    status = 404
    code = "not_found"


class SignInNeededError(OfficeError):
    """The secret is unknown, ended or too old, or there is none."""

    status = 401
    code = "sign_in"


class NotAllowedError(OfficeError):
    """The table of permissions says no."""

    status = 403
    code = "not_allowed"


class ConflictError(OfficeError):
    """A conflict with the present state (409): a name that is taken, a seat that is held, a step taken by another."""

    status = 409
    code = "conflict"


class TooLateError(OfficeError):
    """The deadline has passed."""

    status = 409
    code = "too_late"


class InvalidInputError(OfficeError):
    """Input that cannot be used; ``faults`` lists all that is wrong."""

    status = 422
    code = "invalid"


class LimitExceededError(OfficeError):
    """A limit of size or number is exceeded (413)."""

    status = 413
    code = "limit_exceeded"


class RateLimitError(OfficeError):
    """More calls than one may make in a minute."""

    status = 429
    code = "rate_limited"


class UnavailableError(OfficeError):
    """The database, the keeper or the file store cannot be reached; trying again later helps."""

    status = 503
    code = "unavailable"


class SerializationConflictError(UnavailableError):
    """The database undid a command that crossed another; it may be tried again at once."""


class KeyNotReleasedError(OfficeError):
    """The keeper does not give the key yet."""

    status = 403
    code = "key_not_released"


class DamagedError(OfficeError):
    """Something that is kept cannot be read any more."""

    status = 503
    code = "damaged"
