"""The command line of farsight: ``python -m farsight_fov COMMAND``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path


def program() -> str:
    """Return the program in the package, else the one in PATH."""
    packed = Path(__file__).parent / "_program" / ("farsight.exe" if os.name == "nt" else "farsight")
    found = str(packed) if packed.exists() else shutil.which("farsight")
    if found is None:
        sys.exit("farsight is neither in this package nor in PATH: install a wheel of a release, or run `cargo install --path app`")
    return found


def main() -> None:
    command = [program(), *sys.argv[1:]]
    if os.name == "nt":
        sys.exit(subprocess.call(command))
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
