"""From the checked tree to the core: what each node means in terms of small operations."""
