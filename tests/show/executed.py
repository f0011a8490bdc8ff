"""Executes a notebook where there is no network, and stores it with what its cells showed.

The kernel and this process talk through files, so that this works in a network without interfaces:

    unshare -rn python tests/show/executed.py notebook.ipynb executed.ipynb
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

TIMEOUT = 240


def execute(source: Path, target: Path) -> None:
    """Run every cell; an error in one ends this."""
    notebook = nbformat.read(source, as_version=4)  # type: ignore[no-untyped-call]
    with TemporaryDirectory(prefix="nb") as folder:
        kernel = AsyncKernelManager(
            kernel_name="python3", transport="ipc", connection_file=f"{folder}/kernel.json"
        )
        NotebookClient(notebook, km=kernel, timeout=TIMEOUT).execute()
    nbformat.write(notebook, target)  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    execute(Path(sys.argv[1]), Path(sys.argv[2]))
