"""Answers: the headers of every one for security (CSP, Referrer-Policy), files under their names; compressed ones:
static ones once, cached by browsers for good under an address that changes with their content, large ones outside the
event loop."""

import gzip
import re
import unicodedata
from functools import cached_property
from hashlib import sha256
from typing import Literal
from urllib.parse import quote

import brotli
from starlette.requests import Request
from starlette.responses import Response

FOREVER = "public, max-age=31536000, immutable"
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


class Packed:
    """Some content with its type; ``digest`` names it in its address."""

    def __init__(self, content: bytes, media_type: str, policy: str = "") -> None:
        self.content = content
        self.media_type = media_type
        self.policy = policy
        self.digest = sha256(content).hexdigest()[:12]

    @cached_property
    def _brotli(self) -> bytes:
        return bytes(brotli.compress(self.content, quality=10))

    @cached_property
    def _gzip(self) -> bytes:
        return gzip.compress(self.content, 7, mtime=0)

    def pack(self) -> None:
        """Compress now, not when it is first asked for."""
        self._brotli, self._gzip  # noqa: B018

    def answer(self, request: Request, caching: str = FOREVER) -> Response:
        """The content as this browser takes it best."""
        headers = {"cache-control": caching, "vary": "accept-encoding"}
        if self.policy:
            headers["content-security-policy"] = self.policy
        content = self.content
        if len(content) > 400 and not self.media_type.startswith(("font/", "image/webp", "image/png")):
            encoding = _encoding(request)
            if encoding:
                headers["content-encoding"] = encoding
                content = self._brotli if encoding == "br" else self._gzip
        return Response(content, media_type=self.media_type, headers=headers)


def compress(response: Response, request: Request) -> None:
    """Compress a response in the thread that answers; a middleware would block the event loop meanwhile."""
    encoding = _encoding(request)
    if encoding:
        content = bytes(response.body)
        response.body = brotli.compress(content, quality=5) if encoding == "br" else gzip.compress(content, 4, mtime=0)
        response.headers["content-encoding"] = encoding
        response.headers["content-length"] = str(len(response.body))
        response.headers.add_vary_header("accept-encoding")


def _encoding(request: Request) -> str:
    takes = request.headers.get("accept-encoding", "")
    return next((encoding for encoding in ("br", "gzip") if encoding in takes), "")
