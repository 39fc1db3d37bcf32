"""The benchmark of features: what it counts, and that it resumes."""

import contextlib
import io
import os
import pathlib
import shutil
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench"))

import features  # noqa: E402


class Found(unittest.TestCase):
    def run_in(self, folder, *options):
        out = io.StringIO()
        arguments = ["", "found", str(folder), "--out", str(folder / "found.tsv"), *options]
        with contextlib.redirect_stdout(out), mock.patch.object(sys, "argv", arguments):
            self.assertEqual(features.main(), 0)
        return out.getvalue()

    def test_features_of_shipped_games_are_counted_once(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for game in ("tic_tac_toe", "breakthrough"):
                shutil.copy(ROOT / "games" / f"{game}.kif", folder)
            (folder / "broken.kif").write_text("(role")
            said = self.run_in(folder, "--zermelo", os.environ["ZERMELO"], "--time", "60")
            self.assertIn("3 games, evaluators made for 2", said)
            self.assertIn("| persistent_fluent | 1 |", said)
            rows = features.read_rows(folder / "found.tsv", "game")
            self.assertEqual(rows["tic_tac_toe"]["persistent_fluent"], "18")
            self.assertEqual(rows["broken"]["note"], "exit code 3")
            # Everything is there already, so no program is needed.
            self.assertEqual(self.run_in(folder, "--zermelo", "/nonexistent"), said)


if __name__ == "__main__":
    unittest.main()
