"""``python -m checkwise`` is ``checkwise``."""

from checkwise.cli import main

if __name__ == "__main__":
    main()
