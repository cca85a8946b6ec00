"""Coordinators' tasks: the desk, and mails that need a decision."""
