"""Forms of pages, read from their HTML and sent as a browser would send them."""

from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Any

from starlette.testclient import TestClient

File = tuple[str, bytes, str]


class PageForm:
    """A form: where it goes, what its fields hold, its buttons as (name, value, words, other address)."""

    def __init__(self, attributes: Mapping[str, str | None], page: str) -> None:
        self.id = attributes.get("id") or ""
        self.action = attributes.get("action") or page
        self.method = attributes.get("method") or "get"
        self.fields: dict[str, list[str]] = {}
        self.open: set[str] = set()  # names of fields that may take any value
        self.choices: dict[str, set[str]] = {}
        self.files: set[str] = set()
        self.buttons: list[list[str]] = []


class Reader(HTMLParser):
    """Reads the forms of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.page = page
        self.forms: list[PageForm] = []
        self.now: PageForm | None = None
        self.outside: list[tuple[str, str, list[str]]] = []
        self.select = self.option = self.area = ""
        self.words: list[str] | None = None

    def handle_starttag(self, tag: str, given: list[tuple[str, str | None]]) -> None:
        attributes = dict(given)
        name, value = attributes.get("name") or "", attributes.get("value") or ""
        if tag == "form":
            self.now = PageForm(attributes, self.page)
            self.forms.append(self.now)
        if "form" in attributes:
            words = [name, value, "", attributes.get("formaction") or ""]
            self.outside.append((tag, attributes["form"] or "", words))
            self.words = words if tag == "button" else None
        form = None if "form" in attributes else self.now
        if form is None:
            return
        if tag == "input":
            self.add_input(form, attributes, name, value)
        elif tag == "button":
            self.words = [name, value, "", attributes.get("formaction") or ""]
            form.buttons.append(self.words)
        elif tag == "select":
            self.select = name
            form.choices[name] = set()
        elif tag == "option" and self.select:
            self.option = value if "value" in attributes else "?"
            if "value" in attributes:
                form.choices[self.select].add(value)
                if "selected" in attributes or self.select not in form.fields:
                    form.fields[self.select] = [value]
        elif tag == "textarea":
            self.area = name
            form.open.add(name)
            form.fields[name] = [""]

    def add_input(self, form: PageForm, attributes: Mapping[str, str | None], name: str, value: str) -> None:
        kind = attributes.get("type") or "text"
        if kind == "file":
            form.files.add(name)
        elif kind in ("checkbox", "radio"):
            form.choices.setdefault(name, set()).add(value or "on")
            if "checked" in attributes:
                form.fields.setdefault(name, []).append(value or "on")
        elif name and "readonly" not in attributes:
            form.fields[name] = [value]
            if kind != "hidden":
                form.open.add(name)

    def handle_data(self, data: str) -> None:
        if self.words is not None:
            self.words[2] += data
        form = self.now
        if form is not None and self.area:
            form.fields[self.area][0] += data
        if form is not None and self.select and self.option == "?":
            form.choices[self.select].add(data.strip())
            form.fields.setdefault(self.select, [data.strip()])

    def handle_endtag(self, tag: str) -> None:
        if tag == "button":
            self.words = None
        elif tag in ("option", "select"):
            self.option = ""
            self.select = "" if tag == "select" else self.select
        elif tag == "textarea":
            self.area = ""
        elif tag == "form":
            self.now = None


def forms_of(html: str, page: str) -> list[PageForm]:
    """The forms of a page, with fields and buttons that stand elsewhere on it."""
    reader = Reader(page)
    reader.feed(html)
    known = {form.id: form for form in reader.forms}
    for tag, form, words in reader.outside:
        if tag == "button":
            known[form].buttons.append(words)
        else:
            known[form].files.add(words[0])
    return reader.forms


def press(
    site: TestClient,
    page: str,
    button: str,
    fields: Mapping[str, str] | None = None,
    *,
    action: str = "",
    power: str = "",
    files: Mapping[str, list[File]] | None = None,
) -> Any:
    """Open a page, fill the one form that has this button (words, or the value), and press it.

    ``action``: how the form's address ends, and ``power``: what its hidden field says, where several forms are alike.
    """
    shown = site.get(page)
    assert shown.status_code == 200, (page, shown.status_code, shown.text[-400:])
    found = [
        (form, b)
        for form in forms_of(shown.text, page)
        for b in form.buttons
        if button in (" ".join(b[2].split()), b[1])
        and (b[3] or form.action).endswith(action)
        and (not power or form.fields.get("power") == [power])
    ]
    assert len(found) == 1, f"{len(found)} buttons {button!r} on {page}"
    form, (name, value, _, elsewhere) = found[0]
    data: dict[str, str | list[str]] = dict(form.fields.items())
    for field, given in (fields or {}).items():
        wanted = [given]
        offered = form.choices.get(field)
        assert field in form.open or (offered is not None and set(wanted) <= offered), f"no {field}={given} on {page}"
        data[field] = wanted
    assert set(files or {}) <= form.files, f"no such file on {page}"
    if name:
        data[name] = value
    sent = [(field, file) for field, given in (files or {}).items() for file in given]
    return site.post(elsewhere or form.action, data=data, files=sent or None)
