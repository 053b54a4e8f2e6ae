"""The program: ``python -m anqi`` plays at the terminal, ``python -m anqi serve`` serves the page."""

import signal
import sys

from anqi._anqi import run_program


def main() -> None:
    """Runs the program with the words of the command line and ends the process."""
    # The program has handlers of its own; Python's would wait for it to return.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(run_program(["anqi", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
