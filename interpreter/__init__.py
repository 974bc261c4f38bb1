"""Runs checked rulesets: engines, games, simulation, players."""
