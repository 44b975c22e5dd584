"""The dashboard: one thin file a page, and what they share in the files with an underscore."""
