"""An office that lies about where a game went, or about its keys."""

from legation.proofs import chain, kinds
from legation.proofs.signing import public_key, sign
from legation.variants import load
from tests.proofs.building import Office
from tests.proofs.tampering import first_check
from tests.proofs.test_lies import found, over

RULES = load("standard")


def played() -> Office:
    """A game between two turns."""
    office = Office(RULES, "moves")
    office.open_turn(RULES.opening())
    office.send("France", "A par - bur")
    over(office)
    return office


def noticed(office: Office, what: str) -> None:
    """Both verifiers notice it, the first with these words."""
    assert what in found(office).failures[0].what


def test_only_the_office_to_which_a_game_was_given_writes_on() -> None:
    office = played()
    old = office.office
    office.transfer()
    office.lines.pop()
    office.heads = {n: head for n, head in office.heads.items() if n <= len(office.lines)}
    office.office = old
    office.offices.pop()
    assert first_check(office, office.file()).holds, "so far it is honest"
    office.line("told", text="The game stays.")
    noticed(office, "the game went to another office")
    # an office to which nothing was given takes over
    office = played()
    office.line("told", text="Nothing is given.")
    office.office = b"\x07" * 32
    office.offices.append((len(office.lines) + 1, office.office))
    office.line("taken over")
    noticed(office, "no office gave the game away")


def test_a_game_leaves_in_the_middle_of_a_turn() -> None:
    amid = Office(RULES, "amid")
    amid.open_turn(RULES.opening())
    amid.send("France", "A par - bur")
    amid.transfer()
    noticed(amid, "games change their office between turns")


def test_a_keeper_that_the_one_before_did_not_sign_is_noticed() -> None:
    office = played()
    n, other = len(office.lines) + 1, b"\x08" * 32
    statement = chain.succession_statement(office.game, n, public_key(other))
    keeper = kinds.KeeperKey(key=public_key(other), elsewhere=True)
    office.line("keeper", keeper=keeper, signature=sign(other, "key", statement))
    noticed(office, "the keeper before did not sign this")
