"""`python -m trionfi`."""

from trionfi.cli import main

main()
