"""The measurement of bench/python_speed.py works, and nothing has become slow by a factor. The promised ratios
themselves are for an idle machine: bench/python_speed.py --strict."""

import argparse
import importlib.util
import pathlib

import pytest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "bench/python_speed.py"


@pytest.mark.parametrize("name", ["tic_tac_toe", "breakthrough"])
def test_arrays_are_much_faster_than_open_spiel(name):
    pytest.importorskip("pyspiel")
    spec = importlib.util.spec_from_file_location("python_speed", SCRIPT)
    speed = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(speed)
    options = argparse.Namespace(seconds=0.05, rounds=4, batch=4096)
    measured = speed.measure(name, speed.COMPARED[name], options)
    base = measured["OpenSpiel"].best
    assert measured["batch"].best > 20 * base
    assert measured["single"].best > 0.5 * base
    lengths = [measured[title].length for title in ("OpenSpiel", "single", "playouts")]
    assert max(lengths) < 1.1 * min(lengths)
    if name == "tic_tac_toe":
        assert measured["playouts"].best > 1_000_000
