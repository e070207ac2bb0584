"""`python -m baccarat` is the `baccarat` command."""

import sys

from baccarat.cli import main

sys.exit(main())
