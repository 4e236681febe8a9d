"""`python -m andornot` runs the command `andornot`."""

from andornot.cli import main

main()
