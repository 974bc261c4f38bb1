"""The reference engine: walks the checked tree; the executable specification."""
