"""The language: reads ruleset files, checks them, and gives the checked tree or diagnostics."""
