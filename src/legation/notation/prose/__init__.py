"""Text on a sheet besides orders: headings, corrections, and sentences about orders."""
