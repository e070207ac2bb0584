"""Run the `baccarat` command as `python -m baccarat`."""

import sys

from baccarat.cli import main

sys.exit(main())
