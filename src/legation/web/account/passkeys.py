"""Passkeys: a device's own key takes the place of the mailed link.

The browser makes and uses them (``passkeys.js``); what it answers comes back in a plain form, so that refusals are
pages like all others. A passkey belongs to the office's address: its host by name, by https (or on this machine)."""

import ipaddress
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Annotated, Any, TypeVar
from urllib.parse import urlsplit

import msgspec
import webauthn
from fastapi import Form, Request
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response
from webauthn.helpers import bytes_to_base64url, parse_client_data_json
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from legation.formats import decode_json
from legation.office.context import Actor
from legation.office.errors import ConflictError, InvalidInputError, OfficeError, SignInNeededError
from legation.office.identity import people
from legation.web.account.settings_page import show
from legation.web.account.signing_in import ask_again
from legation.web.serving.bounds import bound
from legation.web.serving.forms import show_again
from legation.web.serving.pages import PageRouter
from legation.web.serving.sessions import device, inside, keep_session, office_of, person_of

router = PageRouter()
T = TypeVar("T")
Answer = Annotated[str, Form(max_length=20_000)]
"""What the browser says that a passkey did, as JSON."""


def origin_of(request: Request) -> str:
    """The address to which passkeys belong: the office's, or where it has none the one that was asked."""
    return (office_of(request).settings.address or str(request.base_url)).rstrip("/")


def host_of(request: Request) -> str:
    """The name to which passkeys belong (InvalidInputError: where browsers know no passkeys)."""
    parts = urlsplit(origin_of(request))
    host = parts.hostname or ""
    with suppress(ValueError):
        ipaddress.ip_address(host)
        host = ""  # a number is no name
    if not host or (parts.scheme != "https" and host != "localhost"):
        raise InvalidInputError(
            f"Passkeys need an address with a name and https; this office is at {origin_of(request)}."
        )
    return host


@router.post("/passkeys/ask")
def ask(request: Request) -> Response:
    """Return the challenge that a passkey signs to sign in, as JSON."""
    bound(request, "passkey", 20)
    options = webauthn.generate_authentication_options(
        rp_id=host_of(request),
        challenge=people.passkey_challenge(office_of(request)),
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return Response(webauthn.options_to_json(options), media_type="application/json")


@router.post("/passkeys/use")
def use(request: Request, answer: Answer, next: Annotated[str, Form()] = "/games") -> Response:
    """Sign in by what a passkey has signed."""
    bound(request, "passkey", 20)
    office = office_of(request)

    def check(asked: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        key_id = decode_json(answer, type=_PasskeyAnswer).id
        kept = people.passkey(office, key_id)
        public_key = webauthn.base64url_to_bytes(kept["public_key"])
        checked = webauthn.verify_authentication_response(
            **asked, credential_public_key=public_key, credential_current_sign_count=kept["count"]
        )
        return key_id, {"count": checked.new_sign_count}

    try:
        challenge, (key_id, facts) = _checked(request, answer, check)
        label = device(request.headers.get("user-agent", ""))
        session = people.use_passkey(office, Actor.clock(), key_id, facts, challenge, label)
    except (ConflictError, SignInNeededError, InvalidInputError) as error:
        return ask_again(request, next, error.status, refused=error.message)
    led = RedirectResponse(inside(next), 303)
    keep_session(request, led, session)
    return led


@router.post("/me/passkeys/ask")
def ask_to_keep(request: Request) -> Response:
    """Return the options for creating a passkey, as JSON."""
    office, actor = office_of(request), person_of(request)
    known = people.me(office, actor)
    options = webauthn.generate_registration_options(
        rp_id=host_of(request),
        rp_name=office.settings.name,
        user_id=people.passkey_owner(office, known.id),
        user_name=known.email,
        user_display_name=known.name,
        challenge=people.passkey_challenge(office, actor.person or 0),
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
        ),
        exclude_credentials=[
            PublicKeyCredentialDescriptor(id=webauthn.base64url_to_bytes(key)) for key in people.passkeys(office, actor)
        ],
    )
    return Response(webauthn.options_to_json(options), media_type="application/json")


@router.post("/me/passkeys")
def keep(request: Request, answer: Answer, label: Annotated[str, Form(max_length=120)] = "") -> Response:
    """Keep a passkey that a device has made."""
    office, actor = office_of(request), person_of(request)

    def check(asked: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        made = webauthn.verify_registration_response(**asked)
        facts = {"public_key": bytes_to_base64url(made.credential_public_key), "count": made.sign_count}
        return bytes_to_base64url(made.credential_id), facts

    try:
        challenge, (key_id, facts) = _checked(request, answer, check)
        people.keep_passkey(office, actor, label.strip() or "my device", key_id, facts, challenge)
    except OfficeError as error:
        return show_again(request, "passkey", FormData(), error, partial(show, request))
    return RedirectResponse("/me#sign-ins", 303)


class _Response(msgspec.Struct, rename={"client_data": "clientDataJSON"}):
    client_data: str


class _PasskeyAnswer(msgspec.Struct):
    """The fields of a passkey response read before verification."""

    id: str
    response: _Response


def _checked(request: Request, answer: str, check: Callable[[dict[str, Any]], T]) -> tuple[bytes, T]:
    """The challenge that an answer is to, and what ``check`` finds in it, given the answer and what was asked
    (InvalidInputError: when it is not what was asked for)."""
    asked = {
        "expected_rp_id": host_of(request),
        "expected_origin": origin_of(request),
        "require_user_verification": True,
    }
    try:
        said = decode_json(answer, type=_PasskeyAnswer).response.client_data
        client_data = webauthn.base64url_to_bytes(said)
        challenge = parse_client_data_json(client_data).challenge
        return challenge, check({**asked, "credential": answer, "expected_challenge": challenge})
    except OfficeError:
        raise
    except Exception as error:  # it is a stranger's data in four nested formats; whatever fails in it is its fault
        office_of(request).log.info("passkey refused", why=f"{type(error).__name__}: {error}"[:200])
        raise InvalidInputError(
            "The passkey's answer doesn't match the request, so nothing was done. Try again."
        ) from None
