"""Pages that an office fills in, as Markdown in its folder: its terms and what it does with people's data."""

from fastapi import Request
from starlette.responses import Response

from legation.office.errors import NotFoundError
from legation.office.office import OWN_PAGES
from legation.web.serving.pages import PageRouter, from_markdown, page
from legation.web.serving.sessions import office_of

router = PageRouter()


@router.get("/terms")
@router.get("/privacy")
def house_page(request: Request) -> Response:
    """Show the office's terms, or what it does with people's data."""
    name = request.url.path.rpartition("/")[2]
    text = office_of(request).own_page(name)
    if text is None:
        raise NotFoundError("This office has no such page.")
    return page(request, "house_page.html", title=OWN_PAGES[name], text=from_markdown(text))
