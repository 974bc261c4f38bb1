"""What the command line is made of: arguments read, tables printed, a game played with plain text."""
