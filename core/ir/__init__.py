"""IR text to tree: one small parser per language, each keeping line numbers."""
