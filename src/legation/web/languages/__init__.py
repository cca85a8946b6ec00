"""Pages in other languages: their messages come from catalogs, everything else from the one template in English."""

from legation.web.languages.catalogs import Catalog, catalog, chosen_language, languages

__all__ = ["Catalog", "catalog", "chosen_language", "languages"]
