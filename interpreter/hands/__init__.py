"""Reference evaluators of rankings, totals and melds."""
