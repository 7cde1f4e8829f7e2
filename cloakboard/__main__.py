"""`python -m cloakboard`: the same as the command `cloakboard`."""

import sys

from cloakboard.cli import main

if __name__ == "__main__":
    sys.exit(main())
