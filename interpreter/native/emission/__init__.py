"""From the core to LLVM."""
