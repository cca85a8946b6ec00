"""The catalog: variants that an office adds to the built-in ones. Anybody who is signed in may propose one; an
administrator takes it in, or refuses it. A game keeps the version that it was begun with."""

import hashlib
import re
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from importlib.resources.abc import Traversable
from pathlib import Path

import msgspec

from legation.atlas import Atlas
from legation.atlas.shapes import PictureFileError, read_shapes
from legation.board import BoardFileError
from legation.board.files import NOTES
from legation.board.folders import write_folder
from legation.board.lint import lint
from legation.children import ChildError, Children
from legation.judge import Ruleset
from legation.office.context import DAY, CommandContext, command, given_reason, query
from legation.office.desk.tasks import close_about
from legation.office.errors import ConflictError, InvalidInputError, LimitExceededError, NotFoundError, UnavailableError
from legation.office.permissions import Call
from legation.office.records import CatalogEntry, CatalogState, record_of
from legation.office.store.packing import pack, unpack_facts
from legation.office.store.rows import CatalogPackageRow, CatalogRow, PersonRow
from legation.variants import Registry, VariantError, find_boards, findings
from legation.variants.packages import About, Package, PackageError, read_package

CHECKERS = Children(most=1, seconds=20, megabytes=1200, nice=10, patience=20)
MOST_BYTES = 6 * 1024 * 1024  # of a package, as it comes
MOST_PROVINCES = 1200
LARGEST_SHAPES = 2 * 1024 * 1024
MOST_FAULTS = 8
NAMES = re.compile(r"[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?")
RESERVED = ("bench-",)  # how names begin that pages give to other things
PARAGRAPHS = {"summary": 1000, "credits": 2000, "notes": 2000}
LONGEST = {"title": 120, "version": 40, "license": 120, "authors": 300, "source": 300, **PARAGRAPHS}  # characters
SAID = ("license", "authors", "source", "credits", "notes")  # by a package of itself


class CheckedPackage(msgspec.Struct, frozen=True):
    """A package that can be used: what it says of itself, a few facts, and its rules, packed, with their address."""

    about: About
    title: str
    summary: str
    powers: int
    centers: int
    provinces: int
    address: str
    rules: bytes
    content: bytes

    @property
    def digest(self) -> str:
        """The SHA-256 of the package as it came."""
        return hashlib.sha256(self.content).hexdigest()


def check_package(content: bytes) -> CheckedPackage:
    """Return what is known of a usable package; InvalidInputError tells faults, UnavailableError a queue."""
    if len(content) > MOST_BYTES:
        raise LimitExceededError(f"A package for the catalog has at most {MOST_BYTES // 1024 // 1024} MB.")
    try:
        return CHECKERS.call(CheckedPackage, f"{__name__}:read_and_try", content)
    except ChildError as error:
        if error.reason == "away":
            raise UnavailableError("Other variants are being read right now. Try again in a minute.") from None
        faults = ["it takes too long, or too much memory"]
        if error.reason == "failed":
            known = error.kind == PackageError.__name__
            faults = str(error).splitlines() if known else [f"it cannot be read ({error.kind})"]
        message = f"This package can’t be used: {'; '.join(faults[:MOST_FAULTS])}."
        raise InvalidInputError(message, faults=faults) from None


def read_and_try(content: bytes) -> CheckedPackage:
    """Read a package, load its variant and draw its map; run in a child. Raises PackageError with all that is wrong."""
    package = read_package(content)
    if package.programs:
        raise PackageError(
            f"brings Python that is run: {', '.join(package.programs)}. It can be taken in only at the terminal, by "
            "who runs the office: 'legation catalog add FILE --trust'"
        )
    if faults := about_faults(package.about):
        raise PackageError(*faults)
    with tempfile.TemporaryDirectory(prefix="legation-catalog-") as made:
        stage = Path(made) / "variants"
        write_folder(package.files, stage)
        try:
            return _tried(package, stage, content)
        except VariantError as error:
            raise PackageError(*(fault.replace(f"{stage}/", "") for fault in error.faults)) from None
        except BoardFileError as error:
            raise PackageError(*map(str, error.faults)) from None


def about_faults(about: About) -> list[str]:
    """Return the faults of a package's description."""
    faults = list(_text_faults((field, getattr(about, field)) for field in ("title", "version", *SAID)))
    if not NAMES.fullmatch(about.name) or about.name.startswith(RESERVED):
        faults.append(
            f"name: {about.name[:60]!r} isn't a name for the catalog: small letters, digits and hyphens, at most 40"
        )
    return faults


def _text_faults(told: Iterable[tuple[str, str]]) -> Iterator[str]:
    for what, text in told:
        if len(text) > LONGEST.get(what, len(text)):
            yield f"{what}: longer than {LONGEST[what]} characters"
        if not (text.replace("\n", " ") if what in PARAGRAPHS else text).isprintable():
            yield f"{what}: {text[:40]!r} has characters that cannot be shown"


def _tried(package: Package, stage: Path, content: bytes) -> CheckedPackage:
    name = package.about.name
    registry = Registry(stage, installed=False)
    rules = registry.load(name)
    faults = [f"{name}: {finding}" for finding in findings(rules)]
    folder = registry.folder_of(name)
    if folder not in find_boards().values():
        faults += [str(fault) for fault in lint(folder)]
    summary = str(registry.facts(name).get("summary", ""))
    faults += _text_faults(
        [
            ("title", rules.title),
            ("summary", summary),
            *(("power", power.name) for power in rules.powers.values()),
            *(("province", province.name) for province in rules.board.provinces.values()),
        ]
    )
    faults += _picture_faults(rules, folder)
    if faults:
        raise PackageError(*faults)
    kept = registry.as_it_is(name)
    notes = {file.name: file.read_text("utf-8") for file in folder.iterdir() if NOTES.fullmatch(file.name)}
    kept = msgspec.structs.replace(kept, board=kept.board | notes)
    return CheckedPackage(
        about=package.about,
        title=rules.title,
        summary=summary,
        powers=len(rules.powers),
        centers=len(rules.board.centers),
        provinces=len(rules.board.provinces),
        address=kept.address,
        rules=zlib.compress(kept.content(), 6),
        content=content,
    )


def _picture_faults(rules: Ruleset, folder: Traversable) -> list[str]:
    if len(rules.board.provinces) > MOST_PROVINCES:
        return [f"the board has more than {MOST_PROVINCES} provinces"]
    drawn = folder / "shapes.json"
    if drawn.is_file() and len(drawn.read_bytes()) > LARGEST_SHAPES:
        return [f"shapes.json is larger than {LARGEST_SHAPES // 1024 // 1024} MB"]
    try:
        if (shapes := read_shapes(folder)) is None:
            return ["shapes.json is missing: the catalog shows every variant on its map"]
        atlas = Atlas(rules.board, shapes, tuple(rules.powers.values()), rules.title, None, rules.kinds.values())
        atlas.svg(rules.opening(), interactive=False)
    except (PictureFileError, ValueError, ZeroDivisionError, IndexError, KeyError) as error:
        return [f"the board cannot be drawn: {error}"]
    return []


MOST_WAITING = 5  # proposals of one person
MOST_A_DAY = 10
MOST_WAITING_IN_ALL = 200
MOST_LISTED = 2000  # variants
SHOWN = ("listed", "earlier")
TASK = "variant proposed"
FACTS = ("title", "summary", "powers", "centers", "provinces")
PACKAGE = Call(body="package", reads=check_package, largest=MOST_BYTES, creates=True)
ZIP = Call(media="application/zip")


# Proposals


@command("coordinate", "POST /proposals", PACKAGE, person="any")
def propose(act: CommandContext, package: CheckedPackage) -> CatalogEntry:
    """Propose a variant, or a new version of one. Somebody else's proposal of the same rules is no obstacle: who took a
    variant from its author and was first would keep the author out. The administrator chooses.

    :raises ConflictError: for a name that is taken, a version that is not new, or what one has proposed already.
    :raises LimitExceededError: for more than one may propose."""
    own = act.tx.all(CatalogRow, person=act.person)
    if sum(row.state == "proposed" for row in own) >= MOST_WAITING:
        raise LimitExceededError(
            f"{MOST_WAITING} of your proposals are waiting for review. Withdraw one of them first."
        )
    if sum(row.made > act.at - DAY for row in own) >= MOST_A_DAY:
        raise LimitExceededError(f"You’ve proposed {MOST_A_DAY} variants in a day. Try again tomorrow.")
    if act.tx.count(CatalogRow, state="proposed") >= MOST_WAITING_IN_ALL:
        raise LimitExceededError("Many proposals are waiting for review. Try again later.")
    if any(row.state == "proposed" and row.address == package.address for row in own):
        raise ConflictError("You’ve proposed this variant already. To change your proposal, withdraw it first.")
    _refuse_taken(act, package.about.name, package.about.version, package.address)
    row = _keep(act, package, "proposed", act.person or None)
    _log(act, "proposed", row)
    act.add_task(TASK, None, proposal=row.id, title=package.title, version=row.version)
    return _entry(act, row)


@query("read", "GET /proposals", person="any", administrator="any", console="any")
def proposals(act: CommandContext) -> list[CatalogEntry]:
    """Return proposals, latest first: one's own; an administrator's are all that wait, too."""
    rows = act.tx.all(CatalogRow, person=act.person) if act.person else []
    rows += act.tx.all(CatalogRow, state="proposed") if act.administers else []
    return [_entry(act, row) for _, row in sorted({row.id: row for row in rows}.items(), reverse=True)]


@query("read", "GET /proposals/{number}", person="any", administrator="any", console="any")
def proposal(act: CommandContext, number: int) -> CatalogEntry:
    """Return a proposal, to its author or an administrator."""
    return _entry(act, _proposal(act, number))


@query("read", "GET /proposals/{number}/package", ZIP, person="any", administrator="any", console="any")
def proposed_package(act: CommandContext, number: int) -> tuple[str, str, bytes]:
    """The package of a proposal that waits, for who made it and for administrators: name, media type, content."""
    return _file(act, _proposal(act, number))


@command("coordinate", "DELETE /proposals/{number}", person="any")
def withdraw(act: CommandContext, number: int) -> CatalogEntry:
    """Withdraw one's own proposal."""
    row = _waiting(act, number)
    if row.person != act.actor.person:
        raise NotFoundError("There is no such proposal.")
    return _entry(act, _drop(act, row, "withdrawn", "withdrawn"))


@command("coordinate", "POST /proposals/{number}/take-in", administrator="any", console="any")
def take_in(act: CommandContext, number: int) -> CatalogEntry:
    """Accept a proposed variant; it replaces an earlier version."""
    row = _waiting(act, number)
    _refuse_taken(act, row.name, row.version, row.address)
    row = act.tx.change(_list(act, row), decided=act.at)
    close_about(act, TASK, "taken in", proposal=row.id)
    _answer(act, row)
    return _entry(act, row)


@command("coordinate", "POST /proposals/{number}/refuse", administrator="any", console="any")
def refuse(act: CommandContext, number: int, reason: str) -> CatalogEntry:
    """Reject a proposed variant, with a reason that is mailed to the proposer. Its files are not kept.

    :raises InvalidInputError: without a reason."""
    why = given_reason(" ".join(reason.split()), "who proposed it gets it by mail")
    row = _drop(act, _waiting(act, number), "refused", why)
    _answer(act, row)
    return _entry(act, row)


# The list


@command("coordinate", "POST /catalog", PACKAGE, administrator="any", console="any")
def add(act: CommandContext, package: CheckedPackage) -> CatalogEntry:
    """Add a variant to the catalog; it replaces an earlier version.

    :raises ConflictError: for a name that is taken, or a version that is not new."""
    _refuse_taken(act, package.about.name, package.about.version, package.address)
    row = _list(act, _keep(act, package, "listed", act.person or None))
    return _entry(act, row)


@command("coordinate", "POST /catalog/{name}/remove", administrator="any", console="any")
def remove(act: CommandContext, name: str, reason: str) -> CatalogEntry:
    """Remove a variant from the catalog. Its games continue; no new ones can start.

    :raises InvalidInputError: without a reason, which the office's log keeps."""
    rows = act.tx.all(CatalogRow, name=name, state=list(SHOWN), lock=True)
    listed = next((row for row in rows if row.state == "listed"), None)
    if listed is None:
        raise NotFoundError(f"The catalog doesn't list {name[:60]!r}.")
    reason = given_reason(" ".join(reason.split()), "the office's log keeps it")
    for row in rows:
        act.tx.change(row, state="removed", decided=act.at, reason=reason)
        _forget(act, row)
    _log(act, "removed", listed, reason)
    act.tx.afterwards("catalog", act.office.catalog.look)
    return _entry(act, act.tx.get(CatalogRow, listed.id))


@query("read", "GET /catalog", visitor="any")
def entries(act: CommandContext) -> list[CatalogEntry]:
    """Return what the catalog lists, by name."""
    rows = act.tx.all(CatalogRow, state="listed", order="name")
    return [_entry(act, row) for row in rows]


@query("read", "GET /catalog/{name}", visitor="any")
def versions(act: CommandContext, name: str) -> list[CatalogEntry]:
    """Return the versions of a variant in the catalog, latest first; none for one that it does not list."""
    rows = act.tx.all(CatalogRow, name=name, state=list(SHOWN), order="-id")
    return [_entry(act, row) for row in sorted(rows, key=lambda row: row.state != "listed")]


@query("read", "GET /catalog/{name}/package", ZIP, visitor="any")
def package(act: CommandContext, name: str, version: str = "") -> tuple[str, str, bytes]:
    """Return the package of a variant in the catalog: its file name, media type and content."""
    rows = [row for row in act.tx.all(CatalogRow, name=name, order="-id") if row.state in SHOWN]
    row = next((row for row in rows if (row.version == version if version else row.state == "listed")), None)
    if row is None:
        raise NotFoundError(f"The catalog doesn't list this version of {name[:60]!r}.")
    return _file(act, row)


def _keep(act: CommandContext, package: CheckedPackage, state: CatalogState, person: int | None) -> CatalogRow:
    about = package.about
    facts = {name: getattr(package, name) for name in FACTS} | {name: getattr(about, name) for name in SAID}
    if act.tx.find(CatalogPackageRow, digest=package.digest) is None:
        act.tx.add(CatalogPackageRow(digest=package.digest, content=package.content, rules=package.rules))
    kept = {"address": package.address, "package": package.digest, "facts": pack(facts)}
    return act.tx.add(record_of(CatalogRow, about, state=state, person=person, made=act.at, **kept))


def _refuse_taken(act: CommandContext, name: str, version: str, address: str) -> None:
    if act.office.variants.shared.finds(name):
        raise ConflictError(f"This installation already has a variant called {name!r}. Give yours another name.")
    listed = act.tx.find(CatalogRow, name=name, state="listed")
    if listed is None:
        if act.tx.count(CatalogRow, state="listed") >= MOST_LISTED:
            raise LimitExceededError(f"The catalog is full: it lists {MOST_LISTED} variants.")
        return
    if listed.address == address:
        raise ConflictError(f"This is already in the catalog, as {listed.name} {listed.version}.")
    if number_of(version) <= number_of(listed.version):
        raise ConflictError(
            f"{name} {listed.version} is listed; a new version has a higher number than that, not {version}."
        )


def number_of(version: str) -> tuple[int, ...]:
    """A version to compare with others: 1.0 is 1, and 1.10 is later than 1.9."""
    parts = [int(part) for part in version.split(".")]
    while parts and not parts[-1]:
        parts.pop()
    return tuple(parts)


def _list(act: CommandContext, row: CatalogRow) -> CatalogRow:
    act.tx.change_where(CatalogRow, {"state": "earlier"}, name=row.name, state="listed")
    row = act.tx.change(row, state="listed")
    _log(act, "listed", row)
    act.tx.afterwards("catalog", act.office.catalog.look)
    return row


def _drop(act: CommandContext, row: CatalogRow, state: CatalogState, reason: str) -> CatalogRow:
    row = act.tx.change(row, state=state, decided=act.at, reason=reason)
    _forget(act, row)
    _log(act, state, row, reason)
    close_about(act, TASK, state, proposal=row.id)
    return row


def _forget(act: CommandContext, row: CatalogRow) -> None:
    if not act.tx.count(CatalogRow, package=row.package, state=["proposed", *SHOWN]):
        act.tx.remove(CatalogPackageRow, digest=row.package)


def forget_proposer(act: CommandContext, person: int) -> None:
    """Withdraw an erased person's proposals and clear their name from the rest."""
    for row in act.tx.all(CatalogRow, person=person, state="proposed"):
        _drop(act, row, "withdrawn", "withdrawn")
    act.tx.change_where(CatalogRow, {"person": None}, person=person)


def _answer(act: CommandContext, row: CatalogRow) -> None:
    if row.person is not None:
        title, taken = unpack_facts(row.facts).get("title", row.name), row.state == "listed"
        told = {"title": title, "name": row.name, "version": row.version, "taken": taken, "reason": row.reason}
        act.mail("proposal answered", act.tx.get(PersonRow, row.person), **told)


def _proposal(act: CommandContext, number: int) -> CatalogRow:
    row = act.tx.find(CatalogRow, id=act.office.numbers.row("proposal", number), lock=True)
    if row is None or not (act.administers or row.person == act.person):
        raise NotFoundError("There is no such proposal.")
    return row


def _waiting(act: CommandContext, number: int) -> CatalogRow:
    row = _proposal(act, number)
    if row.state != "proposed":
        raise ConflictError(f"This proposal is closed: it was {_IN_WORDS[row.state]}.")
    return row


_IN_WORDS = {
    "listed": "taken in",
    "earlier": "taken in",
    "refused": "refused",
    "withdrawn": "withdrawn",
    "removed": "taken in, and removed later",
}


def _file(act: CommandContext, row: CatalogRow) -> tuple[str, str, bytes]:
    kept = act.wanted(CatalogPackageRow, "Its files have been deleted.", digest=row.package)
    return f"{row.name}-{row.version}.legation", "application/zip", kept.content


def _log(act: CommandContext, what: str, row: CatalogRow, reason: str = "") -> None:
    kind, number = f"variant {what}", row.id
    act.append_journal(
        kind, seen_by="office", name=row.name, version=row.version, address=row.address, number=number, reason=reason
    )


def _entry(act: CommandContext, row: CatalogRow) -> CatalogEntry:
    facts = unpack_facts(row.facts)
    known = {name: facts[name] for name in (*FACTS, *SAID) if name in facts}
    own = row.person == act.person
    shown = own or act.administers
    person = act.tx.find(PersonRow, id=row.person) if shown else None
    number, reason = act.office.numbers.shown("proposal", row.id), row.reason if shown else ""
    name = person.name if person else ""
    return record_of(CatalogEntry, row, number=number, reason=reason, proposer=name, own=own, **known)
