"""The table of planners: what it prints, and that it resumes."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench"))

import plan_table  # noqa: E402

# In place of `zermelo`: plans get 100 and are the best, except those of the faithful translation.
PROGRAM = """#!/bin/sh
echo "$@" >> {log}
case "$*" in
  translate*) ;;
  *faithful*) echo "cannot be grounded" >&2; exit 6;;
  *) echo '{{"reward": 100, "optimal": true, "moves": ["a"], "planner": "native"}}';;
esac
"""


class PlanTable(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.log = self.folder / "log"
        self.program = self.folder / "program"
        self.program.write_text(PROGRAM.format(log=self.log))
        self.program.chmod(0o755)

    def run_table(self, *arguments):
        out = io.StringIO()
        command = ["", "--zermelo", self.program, "--out", self.folder / "table.tsv", *arguments]
        with contextlib.redirect_stdout(out), mock.patch.object(sys, "argv", list(map(str, command))):
            plan_table.main()
        return out.getvalue()

    def test_measures_and_resumes(self):
        games = self.folder / "games"
        games.mkdir()
        for name in ("maze", "peg", "notInTheTable"):
            (games / f"{name}.kif").write_text("")
        text = self.run_table(games)
        self.assertIn("best, of 2", text)
        self.assertNotIn("notInTheTable", text)
        maze, peg = (next(line for line in text.splitlines() if line.startswith(f"{name}  ")) for name in ("maze", "peg"))
        self.assertEqual(maze.count("100*"), 5)
        self.assertEqual(peg.count("100*"), 4)  # its step counter is not removed in the paper
        runs = self.log.read_text().count("\n")
        self.run_table(games)
        self.assertEqual(self.log.read_text().count("\n"), runs)


if __name__ == "__main__":
    unittest.main()
