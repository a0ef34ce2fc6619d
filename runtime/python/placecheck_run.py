"""Starts placecheck-run from a source tree."""

import sys

from placecheck.run import main

sys.exit(main())
