"""The checker: names, types and sections, from syntax to the checked tree."""
