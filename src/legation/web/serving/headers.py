"""Headers of responses: of every one for security (CSP, Referrer-Policy), and the name of a file."""

import re
import unicodedata
from typing import Literal
from urllib.parse import quote

from starlette.responses import Response

POLICY = "; ".join(
    ["default-src 'self'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'", "object-src 'none'"]
)
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:; sandbox"
"""For SVG that carries its own style; it can run nothing and load nothing."""
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(self), geolocation=(), microphone=(), interest-cohort=()",
    "cache-control": "private, no-cache",
}


def disposition(name: str, how: Literal["attachment", "inline"] = "attachment") -> str:
    """Return the value of ``Content-Disposition`` for a file of this name (RFC 6266), which may have any letters."""
    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    plain = re.sub(r"[^A-Za-z0-9 ._-]+", "-", letters)
    exact = "" if plain == name else f"; filename*=UTF-8''{quote(name, safe='')}"
    return f'{how}; filename="{plain}"{exact}'


def file_answer(
    content: bytes | str, kind: str, name: str, caching: str = "", how: Literal["attachment", "inline"] = "attachment"
) -> Response:
    """Return a file of a media type that browsers keep under a name, or show (``inline``)."""
    headers = {"content-disposition": disposition(name, how)} | ({"cache-control": caching} if caching else {})
    return Response(content, media_type=kind, headers=headers)


def picture_answer(svg: str, caching: str = "") -> Response:
    """Return a picture as SVG."""
    headers = {"content-security-policy": PICTURE_POLICY} | ({"cache-control": caching} if caching else {})
    return Response(svg, media_type="image/svg+xml", headers=headers)
