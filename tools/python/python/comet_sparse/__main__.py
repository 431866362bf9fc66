"""`python -m comet_sparse` is the command `comet`."""

from ._command import main

main()
