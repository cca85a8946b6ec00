"""Requests of the drawing table: growing, the files of a document and back, its pack, its rules and its rulebook.

Nothing is kept here but texts of coastlines, in bounded room; all work is done by child processes with limits, which
leave the processor to the pages of games. Everything is answered as JSON, what is wrong as ``error`` and ``mend``."""

import hashlib
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec
import structlog
from fastapi import Depends, File, Request, UploadFile
from starlette.responses import Response

from legation.atlas.table.document import document_of, read_document, variant_files, write_files
from legation.board.folders import write_folder
from legation.children import ChildError, Children
from legation.formats import decode_json
from legation.variants import STANDARD, Registry, VariantError, rule_forms, rulebook
from legation.variants.packages import About, write_package
from legation.web.designer.uploads import MOST_BYTES, PREFIX, VariantUploads, unpack
from legation.web.public.maps import known_to
from legation.web.serving.answers import compress, file_answer
from legation.web.serving.bounds import bound, growing
from legation.web.serving.documents import DocumentTooLargeError, LatestUsed
from legation.web.serving.forms import read_body
from legation.web.serving.pages import PageError, PageRouter, sentence

router = PageRouter(prefix="/table", dependencies=[Depends(growing)])
T = TypeVar("T")
log = structlog.get_logger("legation.web")

LARGEST = 3 * 1024 * 1024
"""Bytes of a document."""
PATIENCE = 8.0
"""Seconds that a request waits for others' growths."""
COARSE = Children(most=2, seconds=6, megabytes=900, nice=10, patience=PATIENCE, spare_core=True)
WHOLE = Children(most=1, seconds=40, megabytes=1400, nice=15, patience=2 * PATIENCE, spare_core=True)
COARSE_A_MINUTE, WHOLE_A_MINUTE, OTHERS_A_MINUTE = 600, 60, 120
GROWER = "legation.atlas.table.answering"
READER = "legation.atlas.table.document"
TOLD = ("TableDocumentError", "UploadError", "ForeignFileError", "PackageError")
"""The errors whose messages are meant for people."""


class SentDocument(msgspec.Struct, kw_only=True):
    """A document."""

    document: dict[str, Any]


class SentFiles(msgspec.Struct, kw_only=True):
    """Files by their names."""

    files: dict[str, str]


class Grow(SentDocument, kw_only=True):
    """A request to grow a document. ``kept`` names texts that were sent before, by file name and SHA-256."""

    stage: Literal["coarse", "full"] = "coarse"
    number: int = 0
    kept: dict[str, str] = {}


kept_texts = LatestUsed[str](24 * 1024 * 1024)
"""Texts by their SHA-256, so that a browser needn't send them again each time a board is grown."""


def json_answer(value: object, status: int = 200, caching: str = "no-store") -> Response:
    """Plain data as an answer."""
    content = value if isinstance(value, bytes) else msgspec.json.encode(value)
    return Response(content, status, media_type="application/json", headers={"cache-control": caching})


def need_libraries() -> None:
    """Refuse what cannot be done without the extra ``authoring`` (PageError: 501 where it is not installed)."""
    if not all(map(find_spec, ("numpy", "shapely"))):
        mend = "Its operator can install them: pip install 'legation[authoring]'."
        ways = [("Check a variant's files", "/designer")]
        raise PageError(501, "This site can't draw boards: the geometry libraries are missing.", mend=mend, ways=ways)


async def body_of(request: Request) -> bytes:
    """The body of a request (PageError: 413 when it is larger than a board may be)."""
    body = await read_body(request, LARGEST)
    if body is None:
        raise PageError(413, f"A board may take {LARGEST // 1024 // 1024} MB.", mend="Use a coarser coastline.")
    return body


Body = Annotated[bytes, Depends(body_of)]


def read_json(body: bytes, kind: type[T]) -> T:
    """Read a request's body (PageError: 422 where it does not fit)."""
    try:
        return decode_json(body, type=kind)
    except msgspec.DecodeError as error:
        raise PageError(422, f"This request could not be read: {error}.") from None


def call_child(pool: Children, returns: type[T], function: str, *arguments: object) -> T:
    """Run a task of the drawing table in a child process (PageError: 501 without the extra ``authoring``, 422 for a
    document that is none or takes too much, 503 where all children are busy)."""
    need_libraries()
    try:
        return pool.call(returns, function, *arguments)
    except ChildError as error:
        if error.reason == "away":
            raise PageError(503, "Other boards are being drawn right now.", mend="Try again in a moment.") from None
        if error.reason == "failed" and error.kind in TOLD:
            raise PageError(422, str(error)[:2000]) from None
        log.warning("not grown", reason=error.reason, error=error.kind)
        if error.reason == "failed":
            raise PageError(422, "This board can’t be grown yet.", mend="Undo the last step.") from None
        mend = "Take fewer points or a coarser coastline."
        raise PageError(422, f"Growing this board takes too much {error.reason}.", mend=mend) from None


@router.post("/grow")
def grow(request: Request, body: Body) -> Response:
    """Grow a document, coarse or whole."""
    wanted = read_json(body, Grow)
    whole = wanted.stage == "full"
    bound(request, f"table {wanted.stage}", WHOLE_A_MINUTE if whole else COARSE_A_MINUTE)
    files = wanted.document.setdefault("files", {})
    if not isinstance(files, dict) or not all(isinstance(text, str) for text in files.values()):
        raise PageError(422, "Board files are sent as text, by file name.")
    missing = []
    for name, key in wanted.kept.items():
        text = files.get(name) or kept_texts.get(key)
        if text is None:
            missing.append(name)
        else:
            files[name] = text
    if missing:
        return json_answer({"error": "Files are no longer kept here.", "missing": missing}, 409)
    kept = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in files.items()}
    for name, key in kept.items():
        kept_texts.put(key, files[name])
    more = {"number": wanted.number, "kept": kept}
    pool = WHOLE if whole else COARSE
    answer = json_answer(call_child(pool, bytes, f"{GROWER}:answer_json", wanted.document, wanted.stage, more))
    compress(answer, request)
    return answer


@router.post("/files")
def show_files(request: Request, body: Body) -> Response:
    """The files of a document."""
    bound(request, "table", OTHERS_A_MINUTE)
    return json_answer(
        {"files": call_child(COARSE, dict[str, str], f"{READER}:files_of", read_json(body, SentDocument).document)}
    )


@router.post("/read")
def read(request: Request, body: Body) -> Response:
    """The document of files."""
    bound(request, "table", OTHERS_A_MINUTE)
    return json_answer(call_child(COARSE, dict[str, Any], f"{READER}:document_of", read_json(body, SentFiles).files))


@router.post("/open")
def open_pack(request: Request, files: Annotated[list[UploadFile], File()]) -> Response:
    """The document of files or a zip archive, as they are sent from a disk."""
    bound(request, "table", OTHERS_A_MINUTE)
    uploads = [(file.filename or "", file.file.read(MOST_BYTES + 1)) for file in files]
    if sum(len(content) for _, content in uploads) > MOST_BYTES:
        raise PageError(413, f"Together more than {MOST_BYTES // 1024 // 1024} MB.")
    return json_answer(call_child(COARSE, dict[str, Any], f"{__name__}:document_of_uploads", uploads))


def document_of_uploads(uploads: list[tuple[str, bytes]]) -> dict[str, Any]:
    """Return what :func:`~legation.atlas.table.document.document_of` does, for packed files; run in a child."""
    return document_of(unpack(uploads))


@router.post("/try")
def try_out(request: Request, body: Body) -> Response:
    """Keep a document as an uploaded variant for a while, so that the sandbox and bots can play it."""
    bound(request, "designer", 20)
    wanted = read_json(body, SentDocument)
    files = call_child(WHOLE, dict[str, str], f"{GROWER}:grown_files", wanted.document)
    variant_uploads: VariantUploads = request.app.state.variant_uploads
    try:
        name = variant_uploads.put(files)
    except DocumentTooLargeError as error:
        raise PageError(413, sentence(str(error))) from None
    variant = f"{PREFIX}{name}"
    links = {"sandbox": f"/sandbox/new?variant={variant}", "designer": f"/designer/{name}"}
    return json_answer({"variant": variant, "links": links, "findings": variant_uploads.uploaded(name).findings})


# The pack that another office installs

Line = Annotated[str, msgspec.Meta(max_length=300)]


class Tag(msgspec.Struct, frozen=True, kw_only=True):
    """Label of a pack: ``package.json``."""

    version: Line = "1.0"
    license: Line = ""


class SentPack(SentDocument, kw_only=True):
    """A document and what stands on its pack."""

    tag: Tag = Tag()


@router.post("/pack")
def pack(request: Request, body: Body) -> Response:
    """Pack a document."""
    bound(request, "designer", 20)
    sent = read_json(body, SentPack)
    name, content = call_child(
        WHOLE, tuple[str, bytes], f"{__name__}:packed", sent.document, sent.tag.version, sent.tag.license
    )
    return file_answer(content, "application/zip", f"{name}.legation", "no-store")


def packed(value: object, version: str, license: str) -> tuple[str, bytes]:
    """Return a document's name and its pack: the board's folder, the variant and its editions beside it, and
    ``package.json``. The same document gives the same bytes. Run in a child (DocumentError: when it isn't a
    document)."""
    from legation.atlas.table.answering import grown_files  # needs the extra authoring

    document = read_document(value)
    files = grown_files(value, every=True)
    about = About(
        name=document.name,
        title=document.variant.get("title") or document.board.get("title", ""),
        version=version,
        license=license,
        credits=document.board.get("credits", ""),
    )
    beside = {name for name in files if name.endswith(".toml") and name != "board.toml"}
    paths = {name if name in beside else f"{document.name}/{name}": text for name, text in files.items()}
    return document.name, write_package(about, paths)


# The rules, each as a form, and the rulebook as players will read it

BORDERS = ("borders.csv", "touching.csv")


class SentRules(SentDocument, kw_only=True):
    """A document, and its borders as they were grown last."""

    grown: dict[str, str] = {}


@router.get("/rules")
def rules(request: Request) -> Response:
    """List all rules as forms, and the variants whose rules can be built on."""
    variants = known_to(request)
    basis = []
    for name in variants.names():
        calendar = variants.facts(name).get("rules", {}).get("calendar")
        basis.append({"name": name, "title": variants.load(name).title, "calendar": calendar})
    return json_answer({"rules": rule_forms(variants.rules()), "basis": basis}, caching="private, max-age=600")


@router.post("/rulebook")
def show_rulebook(request: Request, body: Body) -> Response:
    """Show the rulebook of a document's variant, or what is wrong with its rules."""
    bound(request, "table", OTHERS_A_MINUTE)
    sent = read_json(body, SentRules)
    return json_answer(call_child(COARSE, dict[str, Any], f"{__name__}:book_of", sent.document, sent.grown))


def book_of(value: object, grown: dict[str, str]) -> dict[str, Any]:
    """Return a document's rulebook (``sections``, each with ``title`` and ``paragraphs``), or the ``findings`` that say
    why there is none yet; run in a child (DocumentError: when it isn't a document)."""
    document = read_document(value)
    if not document.shown_variant:
        return {"sections": [], "findings": ["There are no powers yet: add them under Powers."]}
    files = write_files(document)
    if document.borders == "picture":
        files |= {name: text for name, text in grown.items() if name in BORDERS}
    with tempfile.TemporaryDirectory(prefix="legation-table-") as scratch:
        folder = Path(scratch)
        write_folder(files, folder / document.name)
        write_folder(variants := variant_files(document), folder)
        variant = folder / next(iter(variants))
        try:
            registry = Registry(installed=False)
            made = registry.load(registry.add_file(variant))
        except VariantError as error:
            faults = [fault.removeprefix(f"{variant.name}: ") for fault in error.faults]
            return {"sections": [], "findings": faults}
        book = rulebook(made, registry.facts(made.name), registry.load(STANDARD))
    parts = [("Powers", [f"{p['name']}: {', '.join(p['units']) or 'no units'}" for p in book["powers"]])]
    parts += [(rule["module"].replace("_", " ").capitalize(), rule["text"]) for rule in book["rules"]]
    parts += [(part["title"], [part["text"]]) for part in book["basics"]]
    return {"sections": [{"title": title, "paragraphs": texts} for title, texts in parts], "findings": []}
