"""The fonts of the maps: EB Garamond (SIL Open Font License, see OFL.txt), cut down by
:mod:`legation.atlas.fonts.prepare`."""
