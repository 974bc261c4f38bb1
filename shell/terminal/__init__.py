"""The table in a terminal, drawn by Textual."""
