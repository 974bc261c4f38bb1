"""The native engine: the checked tree, lowered and compiled."""
