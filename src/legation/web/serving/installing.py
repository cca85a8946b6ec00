"""Files for browsers and crawlers: assets, the app's manifest and icons, the service worker, robots.txt."""

from functools import lru_cache

from fastapi import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from legation.atlas.pictures import png
from legation.languages import languages
from legation.web.serving.answers import FOREVER
from legation.web.serving.assets import assets, script_in_language
from legation.web.serving.pages import PageError, PageRouter, page

router = PageRouter()
A_DAY = {"cache-control": "public, max-age=86400"}
PRIVATE = ("/api/", "/demo", "/desk", "/me", "/sandbox/", "/sign-in", "/unsubscribe/")
"""Path prefixes that robots.txt disallows."""
ICON_SIZES = (180, 192, 512)
PAPER, INK = "#fbf6ea", "#241c12"


@router.get("/assets/{digest}/{path:path}")
def asset(request: Request, digest: str, path: str) -> Response:
    """A file; an older digest gets the present one, so that a page opened before an update still finds its script."""
    named, _, language = digest.partition(".")
    if path not in assets.files:
        raise PageError(404, "There is no such file.")
    spoken = path.endswith(".js") and language in languages()
    packed = script_in_language(path, language) if spoken else assets.files[path]
    return packed.answer(request, FOREVER if named == assets.digest else "no-cache")


@router.get("/favicon.ico")
def favicon(request: Request) -> Response:
    """The mark, for browsers that ask without being told."""
    return assets.files["mark.svg"].answer(request, A_DAY["cache-control"])


@router.get("/manifest.webmanifest")
def manifest() -> Response:
    """Return the manifest by which a browser installs the pages as an app."""
    icons = [
        {"src": f"/icons/{size}.png", "sizes": f"{size}x{size}", "type": "image/png", "purpose": "any maskable"}
        for size in ICON_SIZES
    ]
    facts = {
        "name": "Legation",
        "short_name": "Legation",
        "description": "Diplomacy and its variants: orders, results and reasons.",
        "id": "/",
        "start_url": "/games",
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "icons": icons,
        "shortcuts": [{"name": "Games", "url": "/games"}, {"name": "Sandbox", "url": "/sandbox"}],
    }
    return JSONResponse(facts, media_type="application/manifest+json", headers=A_DAY)


@router.get("/icons/{size}.png")
def icon(size: int) -> Response:
    """Return the mark as a PNG of one of the sizes in the manifest, on paper, with room for a round mask."""
    if size not in ICON_SIZES:
        raise PageError(404, "No icon has this size.")
    return Response(_icon(size), media_type="image/png", headers=A_DAY)


@lru_cache(maxsize=len(ICON_SIZES))
def _icon(size: int) -> bytes:
    mark = assets.files["mark.svg"].content.decode()
    inner = mark.partition(">")[2].rpartition("</svg>")[0]
    framed = f'<g transform="translate(9.6 9.6) scale(.7)">{inner}</g>'
    whole = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="{PAPER}"/>'
    return png(f"{whole}{framed}</svg>", size)


@router.get("/service-worker.js")
def service_worker(request: Request) -> Response:
    """Return the service worker, from the root, since it may only answer for addresses below its own."""
    return assets.files["service-worker.js"].answer(request, "no-cache")


@router.get("/offline")
def offline(request: Request) -> Response:
    """Return the page that is shown without a network. It is the same for everybody, so browsers may keep it."""
    return page(request, "offline.html")


@router.get("/robots.txt")
def robots() -> Response:
    """Return what crawlers may read: variants, rules and public games."""
    lines = ["User-agent: *", *(f"Disallow: {start}" for start in PRIVATE)]
    return PlainTextResponse("\n".join(lines) + "\n", headers=A_DAY)
