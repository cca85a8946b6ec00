"""Hosts' commands: create, deadlines, absences, roster, proofs, export, move to another office, erase."""
