"""The designer's pages: check your own board and variant, see the findings on the map, play it in the sandbox."""

import contextlib
from importlib.resources import files
from typing import Annotated

from fastapi import Depends, File, Form, Request, UploadFile
from starlette.responses import RedirectResponse, Response

from legation.bots.balance import Balance
from legation.variants.packages import SUFFIX
from legation.web.designer.trials import ask_player
from legation.web.designer.uploads import (
    MOST_BYTES,
    PREFIX,
    REPORT,
    UploadError,
    VariantUploads,
    import_files,
    is_variant,
    variants_in,
)
from legation.web.public.maps import known_to
from legation.web.serving.bounds import bound, queue
from legation.web.serving.documents import DocumentTooLargeError
from legation.web.serving.pages import PageError, PageRouter, page, sentence

router = PageRouter()

EXAMPLE = files("legation.web.designer").joinpath("example.toml").read_text(encoding="utf-8")


@router.get("/designer")
def designer(request: Request) -> Response:
    """Show the form for uploading a variant's files."""
    return _page(request, EXAMPLE)


def _page(request: Request, text: str, fault: str = "", status: int = 200) -> Response:
    values = {"text": text, "fault": fault, "boards": known_to(request).boards(), "most": MOST_BYTES // 1024 // 1024}
    return page(request, "designer/upload.html", status, **values)


@router.post("/designer", dependencies=[Depends(queue)])
def upload(
    request: Request,
    text: Annotated[str, Form(max_length=200_000)] = "",
    files: Annotated[list[UploadFile] | None, File()] = None,
    of: Annotated[str, Form(max_length=80)] = "",
) -> Response:
    """Take a variant as text, files, or both; with the files of the uploaded variant ``of``, if no others come."""
    bound(request, "designer", 20)
    variants: VariantUploads = request.app.state.variant_uploads
    uploads = [(file.filename or "", file.file.read(MOST_BYTES + 1)) for file in files or [] if file.filename]
    brought = list(uploads)
    if text.strip() and not any(is_variant(name.rpartition("/")[2]) for name, _ in uploads):
        uploads.append(("variant.toml", text.encode()))
    if of and not any(name != "variant.toml" for name, _ in uploads):
        uploads += [(file, content.encode()) for file, content in variants.texts(of).items() if not is_variant(file)]
    ours = (".toml", ".csv", ".md", ".zip", SUFFIX)  # by their names, archives aside
    foreign = bool(brought) and not any(file.lower().endswith(ours) for file, _ in brought)
    try:
        name = _import_foreign(request, brought) if foreign else variants.take(uploads)
    except (UploadError, DocumentTooLargeError) as error:
        if any(file.lower().endswith(".zip") for file, _ in brought):  # perhaps another system's
            with contextlib.suppress(UploadError):
                return RedirectResponse(f"/designer/{_import_foreign(request, brought)}", 303)
        return _page(request, text, sentence(str(error)), 422)
    return RedirectResponse(f"/designer/{name}", 303)


def _import_foreign(request: Request, uploads: list[tuple[str, bytes]]) -> str:
    """Import files of another system and keep the variant; return its name (UploadError: none of a known format)."""
    bound(request, "import", 6)
    variants: VariantUploads = request.app.state.variant_uploads
    return variants.take(import_files(uploads))


@router.get("/designer/{name}")
def show(request: Request, name: str) -> Response:
    """Show the problems found in an uploaded variant."""
    uploaded = request.app.state.variant_uploads.uploaded(name)
    files = request.app.state.variant_uploads.texts(name)
    text = next(iter(variants_in(files).values()), "")
    return page(
        request,
        "designer/variant.html",
        uploaded=uploaded,
        text=text,
        files=sorted(files),
        report=files.get(REPORT, ""),
        variant=f"{PREFIX}{name}",
        name=name,
        playable=uploaded.registry is not None,
    )


@router.post("/designer/{name}/balance")
def balance(request: Request, name: str) -> Response:
    """Let bots play the variant for a few seconds and tell how balanced it is."""
    bound(request, "balance", 4)
    uploaded = request.app.state.variant_uploads.uploaded(name)
    if uploaded.rules is None or uploaded.registry is None:
        raise PageError(409, "This variant can’t be played yet, so its balance can’t be measured.")
    reports = ask_player(request, name, list[Balance], "measure_balance")
    return page(request, "designer/balance.html", uploaded=uploaded, name=name, reports=reports)
