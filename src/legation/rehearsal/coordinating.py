"""What the coordinator of a rehearsal does: the work at the desk, with what the players wrote, and the papers."""

from collections.abc import Callable, Iterator, Mapping

from legation.atlas import NoMapError
from legation.atlas.pictures import PicturesMissingError
from legation.notation import listed
from legation.office.desk import desk, readings
from legation.office.errors import OfficeError
from legation.office.game import processing
from legation.office.hosting import games, roster
from legation.office.records import DeskItem
from legation.print.games import GamePapers
from legation.print.typesetting import UnprintableError
from legation.rehearsal.copying import GameCopy
from legation.rehearsal.players import Players
from legation.rehearsal.records import Paper

WHY = "as rehearsed"


class Coordinator:
    """The coordinator of a copied game, and its deputy."""

    def __init__(self, copy: GameCopy, players: Players) -> None:
        self.office = copy.office
        self.copy, self.players = copy, players
        self.actor = copy.coordinator
        self.closed: Mapping[str, Callable[[DeskItem], object]] = {
            "start": lambda item: games.start(self.office, self.actor, item.game),
            "choose": lambda item: readings.choose(self.office, self.actor, item.id, item.submissions[-1], WHY),
            "unposted": lambda item: readings.decide_unposted(self.office, self.actor, item.id, True, WHY),
            "transcribe": lambda item: readings.transcribe(self.office, self.actor, item.id, self._written(item)),
            "confirm": lambda item: readings.confirm(
                self.office, copy.deputy or self.actor, item.id, self._written(item)
            ),
            "publish": lambda item: processing.publish_draft(self.office, self.actor, item.game),
            "final": lambda item: processing.publish_final(self.office, self.actor, item.game),
            "wait": lambda item: processing.process_now(self.office, self.actor, item.game),
        }

    def items(self) -> list[DeskItem]:
        """Return what lies on the desk."""
        return desk.items(self.office, self.actor, self.copy.key)

    def close(self, number: int) -> None:
        """Do what an item asks for; any other is put away. Raises OfficeError where that cannot be done now."""
        item = desk.item(self.office, self.actor, number)
        if item.kind in self.closed:
            self.closed[item.kind](item)
        else:
            desk.settle(self.office, self.actor, item.id, WHY)

    def _written(self, item: DeskItem) -> str:
        """What the sheet says that is to be read."""
        return self.players.written.get((item.turn, item.power, item.facts["version"]), "")

    @property
    def papers(self) -> GamePapers:
        """The papers of the game as it stands."""
        return GamePapers(self.office, self.actor, self.copy.key)

    def lacking(self) -> Iterator[str]:
        """What a game by post lacks, in sentences."""
        papers = self.papers
        if not papers.settings.is_postal():
            return
        if roster.orders_address(self.office, self.actor, self.copy.key) is None:
            yield "The coordinator has no postal address, so players can't post orders."
        if without := papers.without_address():
            yield f"No postal address is known for {listed(without)}, so nothing is printed for them."

    def to_post(self, what: str) -> Iterator[Paper]:
        """Print what a game by post begins with beside what its first mails bring, the ``maps``, or each ``letter`` at
        the year's end; with envelopes and labels."""
        papers = self.papers
        if papers.settings.is_postal():
            yield from self._printed(what, papers.maps if what == "maps" else papers.letters)
            yield from self._printed("envelopes", lambda: {"": papers.envelopes()})
            yield from self._printed("labels", lambda: {"": papers.labels()})

    def _printed(self, what: str, make: Callable[[], Mapping[str, bytes]]) -> Iterator[Paper]:
        """Print papers; what cannot be printed stays out, as there will be none in the year itself."""
        try:
            for name, content in make().items():
                yield Paper("-".join(filter(None, (what, plain(name)))) + ".pdf", content)
        except (OfficeError, UnprintableError, NoMapError, PicturesMissingError):
            return


def plain(name: str) -> str:
    """A name as part of a file's name."""
    return "-".join("".join(c if c.isalnum() else " " for c in name).split())
