"""``python -m roundel`` is the program ``roundel``."""

import sys

from ._program import main

sys.exit(main())
