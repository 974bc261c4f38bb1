"""What one seat is shown of a game, as values: the table, the hand, the news, the choices. No screen, no browser."""
