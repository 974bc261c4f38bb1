"""The interpreter of the core: slow and plain, for comparing what the core means with the reference engine."""
