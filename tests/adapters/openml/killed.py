"""Start the command again and again, and kill it at random moments; then let it end.

The client takes seconds to import, so this process imports it once, and what is killed are its
children. Nothing of Winodds is imported before they are born.

Usage: ``python killed.py TIMES SEED LONGEST WORD…``, the words of the command after its name.
Prints how many of the children were killed before they came to their end.

``python killed.py together JSON`` starts several commands at once, and lets all of them end.
"""

import json
import os
import random
import signal
import sys
import time

import openml  # noqa: F401


def start(words: list[str]) -> int:
    """The process of a new child that runs the command."""
    child = os.fork()
    if child == 0:
        from winodds.cli.main import run

        os._exit(run(words))
    return child


def main(times: int, seed: int, longest: float, words: list[str]) -> int:
    """The exit code of the last child, which nobody killed."""
    moments, killed = random.Random(seed), 0
    for _ in range(times):
        child = start(words)
        time.sleep(moments.uniform(0.0, longest))
        os.kill(child, signal.SIGKILL)
        killed += os.WIFSIGNALED(os.waitpid(child, 0)[1])
    print(killed)
    return os.waitstatus_to_exitcode(os.waitpid(start(words), 0)[1])


def together(commands: list[list[str]]) -> int:
    """The largest exit code of commands that run side by side."""
    children = [start(words) for words in commands]
    return max(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children)


if __name__ == "__main__":
    if sys.argv[1] == "together":
        sys.exit(together(json.loads(sys.argv[2])))
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), sys.argv[4:]))
