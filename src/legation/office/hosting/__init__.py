"""Hosts' commands: create, deadlines, absences, roster, export, move to another office, erase."""
