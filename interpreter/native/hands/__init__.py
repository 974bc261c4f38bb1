"""Compiled evaluators of rankings, totals and melds."""
