"""Signing in by a mailed link or a passkey, and out again.

The link opens a page with a button, so that programs which look at mail do not use it up. A passkey, a device's own
key, takes its place: the browser makes and uses it (``passkeys.js``); what it answers comes back in a plain form, so
that refusals are pages like all others. It belongs to the office's address: its host by name, by https (or on this
machine)."""

import ipaddress
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Annotated, Any, TypeVar
from urllib.parse import quote, urlsplit

import msgspec
import webauthn
from fastapi import FastAPI, Form, Request
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
from legation.office.errors import ConflictError, InvalidInputError, LimitExceededError, OfficeError, SignInNeededError
from legation.office.identity import people
from legation.web.account.settings_page import show
from legation.web.serving.bounds import bound, network_of
from legation.web.serving.errors import failure
from legation.web.serving.forms import show_again
from legation.web.serving.pages import PageRouter, page
from legation.web.serving.sessions import (
    actor_of,
    adopt_settings,
    chosen_language,
    device,
    inside,
    keep_session,
    leave,
    office_of,
    person_of,
)

router = PageRouter()


@router.get("/sign-in")
def sign_in(request: Request, next: str = "/games") -> Response:
    """Ask for a link."""
    actor = actor_of(request)
    if actor.person is not None and not actor.guest:
        return RedirectResponse(inside(next), 303)
    return ask_again(request, next)


def ask_again(
    request: Request, next: str, status: int = 200, *, email: str = "", fault: str = "", refused: str = ""
) -> Response:
    """Show the sign-in page, with the ``fault`` of an address, or why a passkey was ``refused``."""
    told = {"next": inside(next), "email": email[:320], "fault": fault, "refused": refused}
    return page(request, "session/sign_in.html", status, **told)


@router.post("/sign-in")
def ask_link(
    request: Request, email: Annotated[str, Form(max_length=320)], next: Annotated[str, Form()] = "/games"
) -> Response:
    """Send the link. The page says the same whether the address was known or not."""
    bound(request, "link", 10)
    try:
        visitor = Actor.visitor(network_of(request)).reading(chosen_language(request))
        people.ask_link(office_of(request), visitor, email, inside(next))
    except (InvalidInputError, LimitExceededError) as error:
        return ask_again(request, next, error.status, email=email, fault=error.message)
    return page(request, "session/link_sent.html", email=email.strip(), minutes=people.LINK_MINUTES)


@router.get("/sign-in/{secret}")
def open_link(request: Request, secret: str, next: str = "/games") -> Response:
    """The page that a link opens."""
    return _link_page(request, secret, inside(next))


def _link_page(
    request: Request, secret: str, next: str, typed: str = "", fault: str = "", status: int = 200
) -> Response:
    try:
        name = people.name_for_link(office_of(request), Actor.visitor(), secret)
    except SignInNeededError as error:
        return _too_old(request, error, next)
    values = {"secret": secret, "next": next, "new": name is not None, "name": typed or name or "", "fault": fault}
    return page(request, "session/use_link.html", status, **values)


def _too_old(request: Request, error: SignInNeededError, next: str) -> Response:
    again = [("Send another link", f"/sign-in?next={quote(next)}")]
    return failure(request, 401, error.message, "You are not signed in.", again)


@router.post("/sign-in/{secret}")
def use_link(
    request: Request, secret: str, next: Annotated[str, Form()] = "/games", name: Annotated[str, Form()] = ""
) -> Response:
    """Use the link, once."""
    bound(request, "use", 20)
    label = device(request.headers.get("user-agent", ""))
    try:
        session = people.use_link(office_of(request), Actor.visitor(), secret, label, name.strip())
    except SignInNeededError as error:
        return _too_old(request, error, inside(next))
    except InvalidInputError as error:
        return _link_page(request, secret, inside(next), name, error.message, error.status)
    answer = RedirectResponse(inside(next), 303)
    adopt_settings(request, answer, people.by_secret(office_of(request), session.secret))
    keep_session(request, answer, session)
    return answer


@router.post("/sign-out")
def sign_out(request: Request) -> Response:
    """End this session."""
    actor = actor_of(request)
    if actor.via.startswith("session "):
        people.end(office_of(request), actor, people.own_credential(office_of(request), actor))
    return leave(RedirectResponse("/", 303))


def add_refusals(app: FastAPI) -> None:
    """Add the answers to refusals: readers are sent to sign in, and back, where that would help."""

    @app.exception_handler(SignInNeededError)
    async def lead_in(request: Request, error: SignInNeededError) -> Response:
        if request.method != "GET" or request.headers.get("accept", "").startswith("application/json"):
            came = urlsplit(request.headers.get("referer", ""))
            back = came.path if came.netloc == request.url.netloc else ""
            kept = "Your text is kept in this browser and will be here when you come back."
            kept = kept if back.startswith("/games/") else ""
            ways = [("Sign in", f"/sign-in?next={quote(back or '/games')}")]
            return failure(request, 401, error.message, kept, ways)
        path = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        return RedirectResponse(f"/sign-in?next={quote(path)}", 303)


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
