"""The version of the project, which saved games carry."""

VERSION = "0.1.0"
