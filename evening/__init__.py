"""A whole evening at the table: games kept as they go and gone on with, who sits where, choices taken back, statistics.

No terminal is known here: whoever shows a table asks, and does what these functions say.
"""
