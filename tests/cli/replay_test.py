"""What `replay` calls a loss is what `query` does not call best, whatever the model of the solution."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ZERMELO = os.environ["ZERMELO"]

# The most for a is x, the most above b is y.
RULES = """
(role a) (role b) (init start) (legal a x) (legal a y) (legal b noop)
(<= (next (did ?move)) (does a ?move))
(<= terminal (true (did ?move)))
(<= (goal a 60) (true (did x))) (<= (goal b 40) (true (did x)))
(<= (goal a 50) (true (did y))) (<= (goal b 0) (true (did y)))
"""


def answer(*arguments):
    done = subprocess.run([ZERMELO, *map(str, arguments), "--json"], check=True, capture_output=True)
    return json.loads(done.stdout)


class Replay(unittest.TestCase):
    def test_losses_are_by_the_model_of_the_solution(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        rules, records = folder / "rules.kif", folder / "records"
        rules.write_text(RULES)
        answer("match", rules, "--player", "legal", "--player", "legal", "--games", 1, "--records", records)
        for model, lost in (("own", []), ("difference", ["a"])):
            solution = folder / model
            answer("solve", rules, "--model", model, "--out", solution)
            best = {move["move"]: move["best"] for move in answer("query", solution)["moves"]}
            self.assertEqual(best["x"], lost == [])
            replay = answer("replay", next(records.iterdir()), rules, "--values", solution)
            self.assertEqual(replay["steps"][1]["moves"], ["x", "noop"])
            self.assertEqual(replay["steps"][1]["lost_value"], lost)


if __name__ == "__main__":
    unittest.main()
