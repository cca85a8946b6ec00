"""Maps of the DPjudge and of MILA: their lines, boards, powers, calendars and starting positions."""
