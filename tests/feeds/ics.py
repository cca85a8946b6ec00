"""A small reader of iCalendar that shares nothing with the one that writes: lines unfolded by hand, times by the
standard library and dateutil."""

import io
import re
from datetime import UTC, date, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from dateutil.tz import tzical


class Property(NamedTuple):
    """``DTSTART;TZID=Europe/London:20261203T070000``."""

    name: str
    parameters: dict[str, str]
    value: str

    @property
    def text(self) -> str:
        """A TEXT value, escapes taken off."""
        return re.sub(r"\\(.)", lambda m: "\n" if m[1] in "nN" else m[1], self.value)

    @property
    def moment(self) -> datetime:
        """A DATE-TIME value with its zone."""
        assert self.parameters.get("VALUE") != "DATE"
        plain = datetime.strptime(self.value.removesuffix("Z"), "%Y%m%dT%H%M%S")
        if self.value.endswith("Z"):
            return plain.replace(tzinfo=UTC)
        return plain.replace(tzinfo=ZoneInfo(self.parameters["TZID"]))

    @property
    def day(self) -> date:
        """A DATE value."""
        assert self.parameters["VALUE"] == "DATE"
        return datetime.strptime(self.value, "%Y%m%d").date()


Component = dict[str, Property]


def read(document: bytes) -> tuple[Component, list[Component]]:
    """The calendar's own properties, and its events. Anything that breaks the grammar fails."""
    text = document.decode("utf-8")
    assert text.endswith("\r\n")
    assert "\n" not in text.replace("\r\n", "")
    assert all(len(line) <= 75 for line in document.split(b"\r\n"))
    own: Component = {}
    events: list[Component] = []
    stack: list[str] = []
    for line in text.replace("\r\n ", "").replace("\r\n\t", "").split("\r\n")[:-1]:
        match = re.fullmatch(r"([A-Z0-9-]+)((?:;[A-Z0-9-]+=(?:\"[^\"]*\"|[^\";:,]*))*):(.*)", line)
        assert match, line
        parameters = {k: v.strip('"') for k, v in re.findall(r";([A-Z0-9-]+)=(\"[^\"]*\"|[^;:]*)", match[2])}
        found = Property(match[1], parameters, match[3])
        if found.name == "BEGIN":
            stack.append(found.value)
            if found.value == "VEVENT":
                events.append({})
        elif found.name == "END":
            assert stack.pop() == found.value
        elif stack == ["VCALENDAR"]:
            own[found.name] = found
        elif stack[-1] == "VEVENT":
            assert found.name not in events[-1], found.name
            events[-1][found.name] = found
    assert not stack
    return own, events


def zone_in(document: bytes, name: str) -> tzical:
    """A zone as the document itself defines it (its VTIMEZONE)."""
    return tzical(io.StringIO(document.decode().replace("\r\n", "\n"))).get(name)
