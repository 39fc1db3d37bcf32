"""Tests of bench/networks.py: the report on resolution."""

import contextlib
import io
import math
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import networks  # noqa: E402


def row(original, generalised, distinct=(1, 1), note="", rules="3"):
    return {"game": "g", "note": note, "rules": rules, "original": str(original), "generalised": str(generalised),
            "original_distinct": str(distinct[0]), "generalised_distinct": str(distinct[1]), "tested": "10", "wrong": "1"}


class Report(unittest.TestCase):
    def lines(self, *rows):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            networks.report_resolution(dict(enumerate(rows)))
        cells = [line.split("|")[1:-1] for line in out.getvalue().splitlines()[2:]]
        return {name.strip(): value.strip() for name, _, value in cells}

    def test_means_of_logarithms(self):
        lines = self.lines(row(1e-4, 1e-2, (2, 5)), row(0, 0), row(1e-6, 1e-7, (3, 2)), row(9, 9, rules="0"),
                           row(9, 9, note="too slow"))
        self.assertEqual(lines["games with a goal that is not trivial"], "3 of 5")
        self.assertAlmostEqual(networks.logarithm("0"), 53 * -math.log10(2))
        self.assertEqual(lines["mean logarithm, original"], f"{(-4 - 6 - 15.9546) / 3:.2f}")
        self.assertEqual(lines["without machine precision, original"], "-5.00")
        self.assertEqual(lines["without machine precision, generalised"], "-4.50")
        self.assertEqual([lines[f"{size} interval"] for size in ("larger", "equal", "smaller")], ["1", "1", "1"])
        self.assertEqual((lines["more distinct states"], lines["fewer distinct states"]), ("1", "1"))
        self.assertEqual(lines["of these represented wrongly"], "3")


if __name__ == "__main__":
    unittest.main()
