"""Make the pictures of README and the manual anew: ``python -m tests.pictures [NAME ...]``, or ``make pictures``.

Each is taken from games that are played here with seeded orders, so that it shows the maps and pages as they are. The
five of the first board are taken by the test that follows that page."""

import base64
import contextlib
import io
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path
from random import Random
from typing import Any

import pypdfium2
from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import Browser, Page, sync_playwright

import legation
from legation.atlas import pictures
from legation.bots import bot
from legation.mail.mail_service import MailService
from legation.notation import write
from legation.office.clock import SeededRandomSource, SimulatedClock
from legation.office.context import Actor
from legation.office.desk import desk
from legation.office.game import seats
from legation.office.game.turns import position_from
from legation.office.hosting import games
from legation.office.identity import people
from legation.office.office import Office, open_office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.settings import Settings
from legation.position import Phase
from legation.print.enclosures import enclosures
from legation.print.games import GamePapers
from legation.print.serving import routes as paper_routes
from legation.variants import load
from legation.web import actor_of, create_app
from tests.browser import SHELL, chromium
from tests.mail.conftest import Outbox
from tests.office.playing import person
from tests.serving import served
from tests.web.visiting import PHONE, Visit, until

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "pictures"
SEED = "pictures"
PLAYERS = ("Ben", "Cleo")
LETTER = """Crown, Summer 1642

A Oxon - Berks
A Wilts S A Oxon - Berks
A Glouc - Herefrd
F Bristol converts to A
A Worcs H
F Rouen - Seine Bay"""
READ = """A oxon - berks
A wilts S A oxon - berks
A glouc - herefrd
F bristl converts to A
A worcs H
F rouen - bay of the seine"""


PAPER = "#fcf7eb"


def keep(name: str, image: Image.Image, width: int = 0, quality: int = 82) -> None:
    """Write a picture, of a width if one is given; what lets the page through stands on paper."""
    if width:
        image = image.resize((width, round(image.height * width / image.width)), Image.Resampling.LANCZOS)
    paper = Image.new("RGBA", image.size, PAPER)
    paper.alpha_composite(image.convert("RGBA"))
    paper.convert("RGB").save(FOLDER / f"{name}.webp", quality=quality, method=6)


def opened(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png))


def shot(page: Page, name: str, **settings: Any) -> None:
    """Save a screenshot of a page once it has loaded, its map is drawn, and it stands still."""
    page.mouse.move(0, 0)
    until(page, "() => !window.legation?.chart || legation.chart.painted")
    page.evaluate("window.legation?.chart?.relief")
    page.wait_for_timeout(600)
    keep(name, opened(page.screenshot(**settings)))


# Maps


def standard(browser: Browser) -> None:
    """The second turn of the standard game, with all orders."""
    keep("standard", opened(pictures.png(legation.draw(_played("standard", 2)), 1100)))


def three_kingdoms(browser: Browser) -> None:
    """The opening of the Three Kingdoms."""
    keep("three-kingdoms", opened(pictures.png(legation.draw("three-kingdoms"), 1000)))


def _played(variant: str, turns: int) -> legation.Game:
    """A game of some movement turns, between bots."""
    game = legation.Game(variant, seed="pictures")
    while turns:
        turns -= game.position.turn.phase is Phase.MOVEMENT
        game.play([bot("dumbbot")(game.rules, game.position, power, Random(SEED)) for power in game.rules.powers])
    return game


def learning(browser: Browser) -> None:
    """The curve of the learner and what it would order: the notebook's own, in a minute or two."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, str(ROOT / "docs/examples/learning.py"), "40", folder]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        keep("learning-map", opened(pictures.png(Path(folder, "learning-map.svg").read_text(encoding="utf-8"), 900)))
        keep("learning", opened(pictures.png(Path(folder, "learning.svg").read_text(encoding="utf-8"), 940)))


# Pages


class Place:
    """An office on a simulated clock, and its site."""

    def __init__(self, folder: Path) -> None:
        self.clock = SimulatedClock(datetime.now(UTC).replace(minute=0, second=0, microsecond=0))
        settings = Settings(settling=0, address="https://play.example.org")
        self.office = open_office(folder, settings, self.clock, SeededRandomSource(SEED))

    def close(self, key: str) -> None:
        """Let a turn's deadline pass."""
        turn = games.game(self.office, Actor.console(), key).turn
        assert turn is not None and turn.deadline is not None
        self.clock.set(turn.deadline)
        work.run_due(self.office)

    def begin(self, you: Actor, name: str, variant: str, *, plays: int = 1, **settings: Any) -> str:
        """A game whose first powers are played by people, and the others by bots; its key."""
        own, *others = load(variant).powers
        bots = dict.fromkeys(others[plays - 1 :], "bot:dumbbot")
        key = games.create(
            self.office, you, {"name": name, "variant": variant, "seats": bots, "settings": settings}
        ).key
        seats.sign_up(self.office, person(self.office, "Ann") if settings.get("coordinated") else you, key, [own])
        for power, player in zip(others[: plays - 1], PLAYERS, strict=False):
            seats.sign_up(self.office, person(self.office, player), key, [power])
        if settings.get("coordinated"):
            games.start(self.office, you, key)
        work.run_due(self.office)
        return key

    def order(self, who: Actor, key: str) -> None:
        """A bot orders for a person, where the turn asks for it, and the turn's deadline passes."""
        game = games.game(self.office, who, key)
        rules = self.office.variants.load(game.variant)
        for seat in game.seats:
            if seat.power in game.powers and seat.sent is False and game.position is not None:
                sheet = bot("dumbbot")(rules, position_from(rules, game.position), seat.power, Random(SEED))
                submissions.submit(self.office, who, key, seat.power, "\n".join(map(write, sheet.orders)))
        self.close(key)

    @contextlib.contextmanager
    def visit(self, browser: Browser, who: Actor, **settings: Any) -> Iterator[Visit]:
        """A person's browser while the block runs."""
        assert who.person is not None
        secret = people.start_session(self.office, Actor.clock(), who.person, "pictures").secret
        app = create_app(self.office)  # a site is served once: its followers belong to one event loop
        app.router.routes[:0] = paper_routes(self.office, actor_of)
        with served(app, log_level="critical") as address:
            visit = Visit(browser, address, reduced_motion="reduce", **settings)
            visit.context.add_cookies([{"name": "session", "value": secret or "", "url": address}])
            yield visit
            visit.context.close()


@contextlib.contextmanager
def place() -> Iterator[Place]:
    """An office in a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        made = Place(Path(folder))
        yield made
        made.office.close()


def pages(browser: Browser) -> None:
    """A game of the standard game at a desk and on a phone by night, and its results a year later."""
    with place() as here:
        you = person(here.office, "Ann")
        key = here.begin(you, "Congress of Oxford", "standard", plays=1, ready_ends=False)
        night = {
            "viewport": PHONE,
            "has_touch": True,
            "is_mobile": True,
            "device_scale_factor": 2,
            "color_scheme": "dark",
        }
        for name, settings in (("game", {}), ("phone", night)):
            with here.visit(browser, you, **settings) as visit:
                page = visit.go(f"/games/{key}")
                page.locator("#text").fill("A vie - gal\nA bud S A vie - gal\nF tri - alb")
                page.get_by_text("Army Budapest supports Army Vienna to Galicia").first.wait_for()
                if name == "phone":
                    page.evaluate("scrollTo(0, 0)")
                    page.touchscreen.tap(*visit.spot("bud"))
                    page.get_by_role("button", name="Support…").first.wait_for()
                shot(page, name)
        while not (fall := _published(here.office, you, key, "Fall 1901 Movement")):
            here.order(you, key)
        with here.visit(browser, you) as visit:
            page = visit.go(f"/games/{key}/{fall}")
            page.locator("tr[data-order]", has_text="bounced").first.click()
            shot(page, "results")


def _published(office: Office, who: Actor, key: str, name: str) -> str:
    """The key of a turn whose results are out; empty while they are not."""
    known = [turn for turn in games.turns(office, who, key) if turn.published is not None and turn.name == name]
    return known[0].key if known else ""


def sandbox(browser: Browser) -> None:
    """The sandbox by night: orders of three powers, and a unit that is chosen."""
    with place() as here, here.visit(browser, person(here.office, "Ann"), color_scheme="dark") as visit:
        page = visit.go("/sandbox/new?variant=hundred")
        page.wait_for_selector("html[data-ready]")
        text = "France\nA par - dij\nA dau S A par - dij\n\nEngland\nA cal - fla\n\nBurgundy\nA lux S A fla"
        page.locator("#text").fill(text)
        page.get_by_text("Army Luxembourg supports Army Flanders").first.wait_for()
        page.mouse.click(*visit.spot("dij"))
        page.get_by_role("button", name="Support…").first.wait_for()
        shot(page, "sandbox")


# Mail and paper


def mail(browser: Browser) -> None:
    """The results of a first turn of Hundred, as a player's mail program shows them."""
    with place() as here:
        you, outbox = person(here.office, "Ann"), Outbox()
        key = here.begin(you, "Powick Bridge", "hundred", ready_ends=False)
        here.order(you, key)
        MailService(here.office, outbox, papers=enclosures).send_waiting(100)
        message = next(m for m, _ in outbox.sent if "results" in str(m["subject"]))
        written = message.get_body(("html",))
        assert isinstance(written, EmailMessage)
        html = str(written.get_content())
        for part in message.walk():
            if part.get_content_maintype() == "image":
                data = base64.b64encode(part.get_payload(decode=True)).decode()  # type: ignore[arg-type]
                html = html.replace(
                    f"cid:{part['content-id'].strip('<>')}", f"data:{part.get_content_type()};base64,{data}"
                )
        page = browser.new_page(viewport={"width": 720, "height": 900})
        page.set_content(html)
        shot(page, "mail", full_page=True, clip={"x": 0, "y": 0, "width": 720, "height": 1690})
        page.close()


def post(browser: Browser) -> None:
    """A player's packet of the Three Kingdoms, and the desk with the photograph of their sheet beside its lines."""
    with place() as here:
        boss = person(here.office, "Coordinator")
        usual: dict[str, Any] = {"coordinated": True, "approve": True, "drafts": True, "ready_ends": False, "press": ()}
        key = here.begin(boss, "Powick Bridge", "three-kingdoms", **usual, schedule="three-kingdoms")
        player = person(here.office, "Ann")
        packet = GamePapers(here.office, boss, key).packet("Crown")
        sheets = [p.render(scale=2.2).to_pil().convert("RGB") for p in pypdfium2.PdfDocument(packet)]
        whole = Image.new("RGB", (sum(s.width for s in sheets) + 8 * len(sheets), sheets[0].height + 8), "#8f8a7c")
        for number, sheet in enumerate(sheets):
            whole.paste(sheet, (4 + number * (sheet.width + 8), 4))
        keep("print", whole, 1600)
        submissions.submit_pictures(here.office, player, key, "Crown", [("orders.jpg", photograph(), "image/jpeg")])
        here.close(key)
        item = next(i for i in desk.items(here.office, boss) if i.kind == "transcribe")
        with here.visit(browser, boss) as visit:
            page = visit.go(f"/desk/{key}/{item.id}")
            page.locator("#text").fill(READ)
            page.get_by_text("Which do you mean?").first.wait_for()
            shot(page, "desk")


def photograph() -> bytes:
    """A sheet written by hand, photographed a little askew."""
    sheet = Image.new("RGB", (1000, 1300), (240, 233, 214))
    ink = ImageFont.truetype(str(ROOT / "src/legation/atlas/fonts/italic.ttf"), 58)
    ImageDraw.Draw(sheet).multiline_text((90, 90), LETTER, fill=(44, 42, 96), font=ink, spacing=26)
    made = io.BytesIO()
    sheet.rotate(1.6, Image.Resampling.BICUBIC, fillcolor=(196, 186, 164)).save(made, "JPEG", quality=88)
    return made.getvalue()


def first_board(browser: Browser) -> None:
    """The five of the first board."""
    test = "tests/web/test_first_board.py::test_the_first_board_of_the_manual"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", test]
    subprocess.run(command, check=True, cwd=ROOT, env={**os.environ, "TESTS_PICTURES": "1"})


MADE = (standard, three_kingdoms, learning, pages, sandbox, mail, post, first_board)


def main(names: list[str]) -> None:
    """Make all pictures, or those of some names."""
    known = {make.__name__: make for make in MADE}
    if strange := [name for name in names if name not in known]:
        sys.exit(f"there is no {strange[0]!r}; there are {', '.join(known)}")
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium(SHELL), args=["--no-sandbox"])
        for name in names or known:
            print(name, flush=True)
            known[name](browser)
        browser.close()
    print(f"{sum(path.stat().st_size for path in FOLDER.glob('*.webp')) // 1024} kB in {FOLDER}")


if __name__ == "__main__":
    main(sys.argv[1:])
