"""The states of what the office keeps, and the ways by which orders come: one name for each list."""

from __future__ import annotations

from typing import Literal, TypeAlias

GameState: TypeAlias = Literal["gathering", "running", "paused", "ended", "cancelled", "moved"]
"""``moved``: it goes on in another office."""
PlayedState: TypeAlias = Literal["running", "paused", "ended", "cancelled", "moved"]
SeatState: TypeAlias = Literal["open", "held", "bot", "left", "civil disorder"]
TurnState: TypeAlias = Literal["open", "waiting", "closed", "opened", "judged", "draft", "final", "aside", "lost"]
"""``waiting``: past the deadline, for orders that are awaited. ``aside``: opened after draft results that were taken
back. ``lost``: its key is, and it was opened anew as another row."""
PublishedState: TypeAlias = Literal["draft", "final"]
WorkState: TypeAlias = Literal["waiting", "failed"]
MailingState: TypeAlias = Literal["waiting", "again", "sent", "bounced", "failed", "done"]
ArrivalState: TypeAlias = Literal["taken", "waits", "released", "unmatched", "ignored", "aside"]
"""Of a mail that came in. ``waits``: for its sender's word; ``released``: the sender has confirmed it; ``aside``: it
could not be read."""
Readers: TypeAlias = Literal["all", "coordinator", "seat", "office"]
"""Who reads a line of the journal; ``seat``: its holder and nobody else."""
CatalogState: TypeAlias = Literal["proposed", "listed", "earlier", "refused", "withdrawn", "removed"]
"""Of a version in the catalog. ``earlier``: a later one is listed in its place; ``withdrawn``: by who proposed it;
``removed``: from the catalog, by an administrator."""
