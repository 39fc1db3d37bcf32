"""Questions to a stored solution name moves; whose moves they are follows from who decides."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ZERMELO = os.environ["ZERMELO"]

# Both roles always have two moves. The first time that of one role counts, then that of the other.
RULES = """
(role a) (role b) (init (step 1)) (choice left) (choice right)
(<= (legal ?role ?move) (role ?role) (choice ?move))
(<= (next (step 2)) (true (step 1)))
(<= (next (first ?move)) (true (step 1)) (does DECIDES ?move))
(<= (next (first ?move)) (true (first ?move)))
(<= (next (second ?move)) (true (step 2)) (does OTHER ?move))
(<= over (true (second ?move)))
(<= terminal over)
(<= (goal a 100) (true (first left)) (true (second left)))
(<= (goal a 50) (true (first left)) (true (second right)))
(<= (goal a 0) (true (first right)))
(<= (goal a 0) (not over))
(<= (goal b 0) (true (first left)) (true (second left)))
(<= (goal b 50) (true (first left)) (true (second right)))
(<= (goal b 100) (true (first right)))
(<= (goal b 0) (not over))
"""


class Query(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def values(self, decides, other):
        rules, out = self.folder / "rules.kif", self.folder / decides
        rules.write_text(RULES.replace("DECIDES", decides).replace("OTHER", other))
        solve = [ZERMELO, "solve", str(rules), "--engine", "explicit", "--out", str(out), "--json"]
        subprocess.run(solve, check=True, capture_output=True)
        for move in ("left", "right"):
            query = [ZERMELO, "query", str(out), "--moves", move, "--json"]
            yield json.loads(subprocess.run(query, check=True, capture_output=True).stdout)["values"]

    def test_the_named_move_is_of_the_role_that_decides(self):
        for decides, other in (("a", "b"), ("b", "a")):
            left, right = self.values(decides, other)
            self.assertEqual(right, [0, 100], decides)
            self.assertNotEqual(left, right, decides)


    def test_a_move_of_somebody_else_is_refused(self):
        out = self.folder / "tic_tac_toe"
        game = pathlib.Path(__file__).resolve().parent.parent.parent / "games" / "tic_tac_toe.kif"
        subprocess.run([ZERMELO, "solve", str(game), "--out", str(out)], check=True, capture_output=True)
        done = subprocess.run([ZERMELO, "query", str(out), "--moves", "noop"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 4)
        self.assertIn("noop is not legal after 0 moves", done.stderr)


if __name__ == "__main__":
    unittest.main()
