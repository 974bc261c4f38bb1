"""The core: a small language between the checked tree and the machine."""
