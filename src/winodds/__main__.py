"""``python -m winodds``, and the command ``winodds``: the command line.

Loading it takes a moment in which somebody may press Ctrl-C, and this module loads nothing before
it can answer.
"""

import os
import sys
from typing import NoReturn

INTERRUPTED = 130


def start() -> NoReturn:
    """Run a command; an interrupt while it is being loaded ends it without a traceback."""
    try:
        from winodds.cli.main import main

        main()
    except KeyboardInterrupt:
        # Half-loaded modules could complain while Python leaves.
        sys.stderr.write("Interrupted.\n")
        sys.stderr.flush()
        os._exit(INTERRUPTED)


if __name__ == "__main__":
    start()
