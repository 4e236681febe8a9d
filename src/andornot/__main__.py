"""`python -m andornot` is the command `andornot`."""

from andornot.cli import main

main()
