"""The catalog: the variants that an office adds to the built-in ones, with their versions.

Anybody who is signed in may propose one; an administrator takes it in, or refuses it with a reason. What is listed can
be played at once, by every process of the office. A game keeps the version it was begun with, whatever becomes of the
variant.
"""

from __future__ import annotations

from legation.office.context import CommandContext, command, query
from legation.office.errors import ConflictError, InvalidInputError, LimitExceededError, NotFoundError
from legation.office.hosting.package_checks import MOST_BYTES, CheckedPackage, check_package
from legation.office.permissions import Call
from legation.office.records import CatalogEntry, CatalogState, record_of
from legation.office.store.packing import pack, unpack_facts
from legation.office.store.rows import CatalogPackageRow, CatalogRow, DeskRow, PersonRow

MOST_WAITING = 5  # proposals of one person
MOST_A_DAY = 10
MOST_WAITING_IN_ALL = 200
MOST_LISTED = 2000  # variants
DAY = 24 * 3_600_000_000
SHOWN = ("listed", "earlier")
TASK = "variant proposed"
FACTS = ("title", "summary", "powers", "centers", "provinces")
SAID = ("license", "authors", "source", "credits", "notes")
PACKAGE = Call(body="package", reads=check_package, largest=MOST_BYTES, creates=True)


# Proposals


@command("coordinate", "POST /proposals", PACKAGE, person="any")
def propose(act: CommandContext, package: CheckedPackage) -> CatalogEntry:
    """Propose a variant, or a new version of one. Somebody else's proposal of the same rules is no obstacle: who took a
    variant from its author and was first would keep the author out. The administrator chooses.

    :raises ConflictError: for a name that is taken, a version that is not new, or what one has proposed already.
    :raises LimitExceededError: for more than one may propose.
    """
    person = act.allow()
    own = act.tx.all(CatalogRow, person=person)
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
    row = _keep(act, package, "proposed", person or None)
    _log(act, "proposed", row)
    act.add_task(TASK, None, proposal=row.id, title=package.title, version=row.version)
    return _entry(act, row)


@query("read", "GET /proposals", person="any", administrator="any", console="any")
def proposals(act: CommandContext) -> list[CatalogEntry]:
    """Return proposals, latest first: one's own; an administrator's are all that wait, too."""
    person = act.allow()
    rows = {row.id: row for row in act.tx.all(CatalogRow, person=person)} if person else {}
    if _decides(act):
        rows |= {row.id: row for row in act.tx.all(CatalogRow, state="proposed")}
    return [_entry(act, row) for _, row in sorted(rows.items(), reverse=True)]


@query("read", "GET /proposals/{number}", person="any", administrator="any", console="any")
def proposal(act: CommandContext, number: int) -> CatalogEntry:
    """Return a proposal, to its author or an administrator."""
    return _entry(act, _proposal(act, number))


@query(
    "read",
    "GET /proposals/{number}/package",
    Call(media="application/zip"),
    person="any",
    administrator="any",
    console="any",
)
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
    _settle(act, row, "taken in")
    _answer(act, row)
    return _entry(act, row)


@command("coordinate", "POST /proposals/{number}/refuse", administrator="any", console="any")
def refuse(act: CommandContext, number: int, reason: str) -> CatalogEntry:
    """Reject a proposed variant, with a reason that is mailed to the proposer. Its files are not kept.

    :raises InvalidInputError: without a reason.
    """
    row = _waiting(act, number)
    reason = _line(reason)
    row = _drop(act, row, "refused", reason)
    _answer(act, row)
    return _entry(act, row)


# The list


@command("coordinate", "POST /catalog", PACKAGE, administrator="any", console="any")
def add(act: CommandContext, package: CheckedPackage) -> CatalogEntry:
    """Add a variant to the catalog; it replaces an earlier version.

    :raises ConflictError: for a name that is taken, or a version that is not new.
    """
    person = act.allow()
    _refuse_taken(act, package.about.name, package.about.version, package.address)
    row = _list(act, _keep(act, package, "listed", person or None))
    return _entry(act, row)


@command("coordinate", "POST /catalog/{name}/remove", administrator="any", console="any")
def remove(act: CommandContext, name: str, reason: str) -> CatalogEntry:
    """Remove a variant from the catalog. Its games continue; no new ones can start.

    :raises InvalidInputError: without a reason, which the office's log keeps.
    """
    act.allow()
    rows = act.tx.all(CatalogRow, name=name, state=list(SHOWN), lock=True)
    listed = next((row for row in rows if row.state == "listed"), None)
    if listed is None:
        raise NotFoundError(f"The catalog doesn't list {name[:60]!r}.")
    reason = _line(reason)
    for row in rows:
        act.tx.change(row, state="removed", decided=act.at, reason=reason)
        _forget(act, row)
    _log(act, "removed", listed, reason)
    act.tx.afterwards("catalog", act.office.catalog.look)
    return _entry(act, act.tx.get(CatalogRow, listed.id))


@query("read", "GET /catalog", visitor="any")
def entries(act: CommandContext) -> list[CatalogEntry]:
    """Return what the catalog lists, by name."""
    act.allow()
    rows = act.tx.all(CatalogRow, state="listed", order="name")
    return [_entry(act, row) for row in rows]


@query("read", "GET /catalog/{name}", visitor="any")
def versions(act: CommandContext, name: str) -> list[CatalogEntry]:
    """Return the versions of a variant in the catalog, latest first; none for one that it does not list."""
    act.allow()
    rows = act.tx.all(CatalogRow, name=name, state=list(SHOWN), order="-id")
    return [_entry(act, row) for row in sorted(rows, key=lambda row: row.state != "listed")]


@query("read", "GET /catalog/{name}/package", Call(media="application/zip"), visitor="any")
def package(act: CommandContext, name: str, version: str = "") -> tuple[str, str, bytes]:
    """Return the package of a variant in the catalog: its file name, media type and content."""
    act.allow()
    rows = [row for row in act.tx.all(CatalogRow, name=name, order="-id") if row.state in SHOWN]
    row = next((row for row in rows if (row.version == version if version else row.state == "listed")), None)
    if row is None:
        raise NotFoundError(f"The catalog doesn't list this version of {name[:60]!r}.")
    return _file(act, row)


# What they share


def _keep(act: CommandContext, package: CheckedPackage, state: CatalogState, person: int | None) -> CatalogRow:
    about = package.about
    facts = {name: getattr(package, name) for name in FACTS} | {name: getattr(about, name) for name in SAID}
    if act.tx.find(CatalogPackageRow, digest=package.digest) is None:
        act.tx.add(CatalogPackageRow(digest=package.digest, content=package.content, rules=package.rules))
    return act.tx.add(
        CatalogRow(
            name=about.name,
            version=about.version,
            state=state,
            address=package.address,
            package=package.digest,
            facts=pack(facts),
            person=person,
            made=act.at,
        )
    )


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
    _settle(act, row, state)
    return row


def _forget(act: CommandContext, row: CatalogRow) -> None:
    if not act.tx.count(CatalogRow, package=row.package, state=["proposed", *SHOWN]):
        act.tx.remove(CatalogPackageRow, digest=row.package)


def forget_proposer(act: CommandContext, person: int) -> None:
    """Withdraw an erased person's proposals and clear their name from the rest."""
    for row in act.tx.all(CatalogRow, person=person, state="proposed"):
        _drop(act, row, "withdrawn", "withdrawn")
    act.tx.change_where(CatalogRow, {"person": None}, person=person)


def _settle(act: CommandContext, row: CatalogRow, note: str) -> None:
    for task in act.tx.all(DeskRow, kind=TASK, done=None):
        if unpack_facts(task.facts).get("proposal") == row.id:
            act.tx.change(task, done=act.at, person=act.actor.person, note=note)


def _answer(act: CommandContext, row: CatalogRow) -> None:
    if row.person is not None:
        act.mail(
            "proposal answered",
            act.tx.get(PersonRow, row.person),
            title=unpack_facts(row.facts).get("title", row.name),
            name=row.name,
            version=row.version,
            taken=row.state == "listed",
            reason=row.reason,
        )


def _proposal(act: CommandContext, number: int) -> CatalogRow:
    person = act.allow()
    row = act.tx.find(CatalogRow, id=act.office.numbers.row("proposal", number), lock=True)
    if row is None or (not _decides(act) and (row.person is None or row.person != person)):
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


def _decides(act: CommandContext) -> bool:
    return bool(act.roles() & {"administrator", "console"})


def _line(reason: str) -> str:
    plain = " ".join(reason.split())
    if not plain:
        raise InvalidInputError("Say why.", faults=["reason: empty"])
    return plain[:500]


def _file(act: CommandContext, row: CatalogRow) -> tuple[str, str, bytes]:
    kept = act.tx.find(CatalogPackageRow, digest=row.package)
    if kept is None:
        raise NotFoundError("Its files have been deleted.")
    return f"{row.name}-{row.version}.legation", "application/zip", kept.content


def _log(act: CommandContext, what: str, row: CatalogRow, reason: str = "") -> None:
    act.append_journal(
        f"variant {what}",
        seen_by="office",
        name=row.name,
        version=row.version,
        address=row.address,
        number=row.id,
        reason=reason,
    )


def _entry(act: CommandContext, row: CatalogRow) -> CatalogEntry:
    facts = unpack_facts(row.facts)
    known = {name: facts[name] for name in (*FACTS, *SAID) if name in facts}
    whole = _decides(act) or (row.person is not None and row.person == act.actor.person)
    person = act.tx.find(PersonRow, id=row.person) if row.person is not None and whole else None
    return record_of(
        CatalogEntry,
        row,
        number=act.office.numbers.shown("proposal", row.id),
        reason=row.reason if whole else "",
        proposer=person.name if person is not None else "",
        own=row.person is not None and row.person == act.actor.person,
        **known,
    )
