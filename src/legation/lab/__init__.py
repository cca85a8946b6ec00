"""The lab: compiled batch play for researchers. Needs the extra ``lab`` (numba, numpy)."""
