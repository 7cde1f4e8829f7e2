"""`python -m cloakboard` is the command `cloakboard`."""

import sys

from cloakboard.cli import main

sys.exit(main())
