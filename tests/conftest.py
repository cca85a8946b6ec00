"""What holds for all tests: searches are never ended by a clock, since machines differ."""

from hypothesis import settings

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

pytest_plugins = ["tests.office.fixtures"]  # an office for every test that asks for one
