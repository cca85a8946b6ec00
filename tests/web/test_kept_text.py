"""What no database keeps is refused at every entrance, and what is nested without end isn't a failure of ours."""

from collections.abc import Callable

import pytest
from starlette.testclient import TestClient

from legation.children import Children
from legation.cli.serving import whole_site
from legation.office.context import Actor
from legation.office.errors import InvalidInputError
from legation.office.identity import people
from legation.office.office import Office
from legation.office.store.packing import is_kept
from legation.web.designer import uploads
from legation.web.serving.forms import refuse_unkept
from tests.office.playing import begin, person
from tests.web.clients import OURS, client_of


@pytest.mark.long
def test_each_entrance_refuses_nul_and_half_surrogates(make_office: Callable[..., Office], database: str) -> None:
    office = make_office(database=database)
    begin(office)
    ann = person(office, "Ann")
    site = client_of(whole_site(office), office, ann)
    secret = people.token_for(office, Actor.console(), ann.person or 0, "kept").secret
    token = {"authorization": f"Bearer {secret}"}
    for bad in ("%00", "a%00b"):
        for path in (f"/games/{bad}", f"/api/v1/games/{bad}", f"/games?search={bad}", f"/variants/{bad}"):
            assert site.get(path, headers=token).status_code in (404, 422), path
    for text in ('"a\\u0000"', '"\\ud800"'):
        for method, path, body in (
            ("POST", "/api/v1/games", f'{{"plan": {{"name": {text}, "variant": "hundred"}}}}'),
            ("PUT", "/api/v1/me/preferences", f'{{"preferences": {{"language": {text}}}}}'),
            ("POST", "/api/v1/sign-in", f'{{"email": {text}}}'),
        ):
            answer = site.request(method, path, content=body, headers=token)
            assert 400 <= answer.status_code < 500, (path, text, answer.status_code)
    answer = site.post("/games/new", data={"name": "a\0b", "variant": "hundred"})
    assert answer.status_code == 422
    deep = "[" * 100_000
    assert site.post("/sandbox", data={"text": "{" + deep}).status_code == 422
    assert site.post("/api/v1/games", content=deep, headers=token).status_code == 422


@pytest.mark.parametrize("value", ["a\0", "\ud800", ["x", "\udfff"], {"\0": 1}, {"a": {"b": ("\0",)}}])
def test_what_cannot_be_kept_is_found_wherever_it_is(value: object) -> None:
    with pytest.raises(InvalidInputError):
        refuse_unkept(value)
    refuse_unkept({"a": ["\U0001f600", "ä", 1, b"\0", None]})
    assert is_kept("\U0001f600") and is_kept("") and not is_kept("\0")


@pytest.mark.long
def test_a_variant_that_takes_too_long_to_read_is_refused_at_the_designer_s(
    make_office: Callable[..., Office], monkeypatch: pytest.MonkeyPatch
) -> None:
    """80 kB of TOML that would take gigabytes."""
    site = TestClient(whole_site(make_office()), raise_server_exceptions=False)
    for text in ("a." * 40_000 + "a = 1", "a = " + "[" * 40_000, "\n".join(f"[{'a.' * n}b]" for n in range(1, 400))):
        answer = site.post("/designer", data={"text": text}, headers=OURS)
        assert answer.status_code in (200, 422), answer.status_code
    monkeypatch.setattr(uploads, "BUILDERS", Children(most=1, seconds=5, megabytes=60))
    answer = site.post("/designer", data={"text": "a = [" + "1," * 90_000 + "]"}, headers=OURS)
    told = "was stopped" in answer.text or "cannot be read" in answer.text  # where a library had no room to be loaded
    assert answer.status_code == 422 and told
