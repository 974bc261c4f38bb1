"""The rules of a game as English: one renderer for each kind of node of the checked tree, and no game's own words."""
