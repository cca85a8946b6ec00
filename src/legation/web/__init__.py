"""The web pages: those over the office, and those that need no office (variants, rules, moves, sandbox, designer)."""

from legation.web.app import create_app
from legation.web.serving.bounds import painting
from legation.web.serving.sessions import actor_of
from legation.web.settings import WebSettings

__all__ = ["WebSettings", "actor_of", "create_app", "painting"]
