"""The office's commands and questions over HTTP, for programs: ``/api/v1``, described at ``/openapi.json``."""

from legation.web.api.application import add_api

__all__ = ["add_api"]
