"""The notebook runs and shows what it promises."""

import pathlib

import pytest

NOTEBOOK = pathlib.Path(__file__).resolve().parents[2] / "docs/notebooks/solve_and_plot.ipynb"


def test_the_notebook_runs(tmp_path):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "clear the outputs first"
    client = nbclient.NotebookClient(
        notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not any(output.output_type == "error" for output in outputs)
    data = [output.data for output in outputs if "data" in output]
    assert sum("image/png" in shown for shown in data) == 2, "the two plots"
    assert sum("image/svg+xml" in shown for shown in data) == 2, "a state and the layers"
    text = "".join(output.text for output in outputs if output.output_type == "stream")
    assert "states; with best play" in text
