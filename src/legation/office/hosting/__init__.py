"""What the host of a game does: create, deadlines, absences, roster, export, move to another office, erase."""
