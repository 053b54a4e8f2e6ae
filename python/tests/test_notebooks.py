"""The notebooks run from the first cell to the last, and are kept without outputs."""

from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).resolve().parents[1] / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    notebook = nbformat.read(path, as_version=4)
    assert all(cell.get("outputs", []) == [] for cell in notebook.cells), "clear the outputs"
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
