"""The counter on the web: pages over the office, and those that need no office (variants, rules, moves, sandbox,
bench)."""

from legation.web.app import create_app
from legation.web.serving.sessions import actor_of
from legation.web.settings import Settings

__all__ = ["Settings", "actor_of", "create_app"]
