"""Forms of a variant's page: rate it, take its package along, take it off the catalog."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import Response

from legation.office.hosting import catalog, ratings
from legation.web.public.gallery import variant_page
from legation.web.serving.forms import SentForm, add_forms, whole_number
from legation.web.serving.headers import file_answer
from legation.web.serving.pages import PageRouter
from legation.web.serving.sessions import actor_of, office_of

router = PageRouter()


def _rate(sent: SentForm) -> object:
    """Rate a variant, or take the rating back."""
    variant = sent.request.path_params["variant"]
    if sent.text("do") == "take back":
        return ratings.take_back(sent.office, sent.actor, variant)
    return ratings.rate(sent.office, sent.actor, variant, whole_number(sent.form, "stars"))


def _remove(sent: SentForm) -> object:
    return catalog.remove(sent.office, sent.actor, sent.request.path_params["variant"], sent.text("reason"))


add_forms(router, "/variants/{variant}", {"rating": ("rating", _rate)}, variant_page, "/variants/{variant}#rating")
add_forms(router, "/variants/{variant}", {"remove": ("remove", _remove)}, variant_page, "/variants")


@router.get("/variants/{name}/package/{version}")
def package(request: Request, name: str, version: str) -> Response:
    """Return the package of a version, for another office or for the drawing table."""
    file, kind, content = catalog.package(office_of(request), actor_of(request), name, version)
    return file_answer(content, kind, file, "private, no-store")
