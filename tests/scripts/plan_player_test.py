"""The match of the player on single-player games: a whole one with short clocks."""

import contextlib
import io
import os
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench"))

import plan_player  # noqa: E402


class PlanPlayer(unittest.TestCase):
    def test_plays_and_prints_the_reward(self):
        with tempfile.TemporaryDirectory() as name:
            table = pathlib.Path(name) / "table.tsv"
            command = ["", "--zermelo", os.environ["ZERMELO"], "--out", str(table), "--games", "buttons"]
            command += ["--start-clock", "2", "--play-clock", "1", str(ROOT / "games")]
            out = io.StringIO()
            with contextlib.redirect_stdout(out), mock.patch.object(sys, "argv", command):
                with self.assertRaises(SystemExit) as end:
                    plan_player.main()
        self.assertEqual(end.exception.code, 0, out.getvalue())
        self.assertRegex(out.getvalue(), r"(?m)^buttons +100 +6 +0 ")


if __name__ == "__main__":
    unittest.main()
