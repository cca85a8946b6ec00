"""Operators' tasks: due work, daily cleaning, backups, health, the doctor, the demo."""
