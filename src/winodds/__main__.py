"""``python -m winodds``: the command line."""

from winodds.cli.main import main

if __name__ == "__main__":
    main()
