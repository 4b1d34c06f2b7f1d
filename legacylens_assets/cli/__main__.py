"""`python -m legacylens_assets.cli` is the same command line."""

import sys

from legacylens_assets.cli import main

sys.exit(main())
