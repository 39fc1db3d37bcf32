"""The comparison of games with planning tasks: what it counts, that it fails at a difference, and that it resumes."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench"))

import plan_twins  # noqa: E402

# In place of planning_twins. Of the game `wrong` the last style differs.
PROGRAM = r"""#!/bin/sh
case "$3" in *wrong*) last='DIFFERENCE 0 playouts 7 states: terminal';; *) last='ok 50 playouts 20 states';; esac
printf '%s\tfaithful refused: no reward\tground slow 3 playouts 10 states\tsas %s\n' "$3" "$last"
"""


class PlanTwins(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.program = self.folder / "program"
        self.program.write_text(PROGRAM)
        self.program.chmod(0o755)

    def run_on(self, *names):
        games = [self.folder / f"{name}.kif" for name in names]
        for game in games:
            game.write_text("(role robot)")
        out = io.StringIO()
        command = ["", "--twins", self.program, "--out", self.folder / "table.tsv", *games]
        with contextlib.redirect_stdout(out), mock.patch.object(sys, "argv", list(map(str, command))):
            with self.assertRaises(SystemExit) as end:
                plan_twins.main()
        return out.getvalue(), end.exception.code

    def test_counts_and_resumes(self):
        text, code = self.run_on("maze")
        self.assertEqual(code, 0)
        self.assertIn("faithful  0 of 1 games, 0 with all 50 playouts, 0 states\n  maze: refused: no reward", text)
        self.assertIn("ground    1 of 1 games, 0 with all 50 playouts, 10 states", text)
        self.assertIn("sas       1 of 1 games, 1 with all 50 playouts, 20 states", text)
        self.program.unlink()
        self.assertEqual(self.run_on("maze")[1], 0)

    def test_fails_at_a_difference_and_at_a_crash(self):
        text, code = self.run_on("maze", "wrong")
        self.assertEqual(code, 1)
        self.assertIn("  wrong: DIFFERENCE", text)
        self.program.write_text("#!/bin/sh\nexit 134\n")
        self.assertIn("other: exit code 134", self.run_on("other")[0])


if __name__ == "__main__":
    unittest.main()
