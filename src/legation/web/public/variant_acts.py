"""Forms of a variant's page: rate it, take its package along, take it off the catalog."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import Response

from legation.office import Actor, catalog, ratings
from legation.office.records import Rating
from legation.web.public.gallery import show_variant
from legation.web.serving.forms import Form, FormState, carry_out, text, whole_number
from legation.web.serving.headers import file_answer
from legation.web.serving.routing import PageRouter
from legation.web.serving.sessions import actor_of, office_of, person_of

router = PageRouter()


@router.post("/variants/{variant}/rating")
def rate(request: Request, variant: str, form: Form) -> Response:
    """Rate a variant, or take the rating back."""
    person_of(request)
    office = office_of(request)

    def command(actor: Actor) -> Rating:
        if text(form, "do") == "take back":
            return ratings.take_back(office, actor, variant)
        return ratings.rate(office, actor, variant, whole_number(form, "stars"))

    def again(attempt: FormState) -> Response:
        return show_variant(request, variant, attempt)

    return carry_out(request, "rating", form, command, again, f"/variants/{variant}#rating")


@router.post("/variants/{variant}/remove")
def remove(request: Request, variant: str, form: Form) -> Response:
    """Remove a variant from the catalog."""
    person_of(request)

    def again(attempt: FormState) -> Response:
        return show_variant(request, variant, attempt)

    def command(actor: Actor) -> object:
        return catalog.remove(office_of(request), actor, variant, text(form, "reason"))

    return carry_out(request, "remove", form, command, again, "/variants")


@router.get("/variants/{name}/package/{version}")
def package(request: Request, name: str, version: str) -> Response:
    """Return the package of a version, for another office or for the drawing table."""
    file, kind, content = catalog.package(office_of(request), actor_of(request), name, version)
    return file_answer(content, kind, file, "private, no-store")
