"""The playout benchmark: its Prolog translation plays the same games, its multiples are right."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench"))

import gdl_to_prolog  # noqa: E402
import playouts  # noqa: E402
import playouts_report  # noqa: E402
from grounding import Limits  # noqa: E402

LIMITS = Limits(60, 4)


class Translation(unittest.TestCase):
    def lines(self, text):
        return gdl_to_prolog.translate(text).splitlines()

    def test_negation_waits_for_its_variables(self):
        rule = "(<= (p ?x) (not (q ?x)) (distinct ?x a) (r ?x) (s ?x))"
        expected = "p_p(V_x) :- p_r(V_x), \\+ p_q(V_x), V_x \\== c_a, p_s(V_x)."
        self.assertIn(expected, self.lines(rule))

    def test_order_stays_where_nothing_has_to_wait(self):
        self.assertIn("p_p(V_x) :- p_q(V_x), \\+ p_r.", self.lines("(<= (p ?x) (q ?x) (not r))"))

    def test_disjunction_waits_for_its_negations(self):
        rule = "(<= (p ?x) (or (not (q ?x)) (r ?x)) (s ?x))"
        expected = "p_p(V_x) :- p_s(V_x), ( \\+ p_q(V_x) ; p_r(V_x) )."
        self.assertIn(expected, self.lines(rule))

    def test_clauses_of_a_predicate_stand_together(self):
        clauses = [line for line in self.lines("(p a) (q a) (p b)") if not line.startswith(":-")]
        self.assertEqual(clauses, ["p_p(c_a).", "p_p(c_b).", "p_q(c_a)."])

    def test_only_endless_recursion_without_state_is_tabled(self):
        left = "(<= (less ?a ?c) (less ?a ?b) (succ ?b ?c))"
        right = "(<= (less ?a ?c) (succ ?a ?b) (less ?b ?c))"
        self.assertIn(":- table p_less/2.", self.lines(left))
        self.assertNotIn(":- table p_less/2.", self.lines(right))
        self.assertNotIn(":- table p_less/2.", self.lines(left + "(<= (less a b) (true x))"))

    def test_undefined_predicates_fail_instead_of_raising(self):
        self.assertIn(":- dynamic p_nowhere/1.", self.lines("(<= p (nowhere a))"))


class Playing(unittest.TestCase):
    def depth(self, text, seconds=0.3):
        with tempfile.NamedTemporaryFile("w", suffix=".kif") as file:
            file.write(text)
            file.flush()
            sample = playouts.play_prolog(pathlib.Path(file.name), seconds, 1, LIMITS)
        return sample.depth if sample else None

    def shipped(self, name):
        return (ROOT / f"games/{name}.kif").read_text()

    def test_prolog_and_zermelo_agree_on_mean_depth(self):
        for name in ("tic_tac_toe", "nim", "pancakes", "rock_paper_scissors"):
            game = ROOT / f"games/{name}.kif"
            options = [*playouts.ENGINES["sliced"], "--count", "20000"]
            _, said = playouts.zermelo(os.environ["ZERMELO"], game, options, LIMITS)
            self.assertAlmostEqual(self.depth(self.shipped(name)), said["mean_depth"], delta=0.8)

    def test_length_of_a_game_without_choice_is_exact(self):
        rules = """(role a) (role b) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3)
          (<= (legal ?r go) (role ?r)) (<= (next (at ?n)) (true (at ?m)) (succ ?m ?n))
          (<= terminal (true (at 3))) (<= (goal ?r 50) (role ?r))"""
        self.assertEqual(self.depth(rules, 0.01), 3)

    def test_stuck_games_are_no_playouts(self):
        rules = "(role a) (init x) (<= (legal a go) (true y)) (<= terminal (true y)) (goal a 0)"
        self.assertIsNone(self.depth(rules, 0.01))

    def test_the_script_prints_a_table(self):
        command = [sys.executable, ROOT / "bench/playouts.py", "--program", os.environ["ZERMELO"]]
        command += ["--seconds", "0.05", "--rounds", "1", ROOT / "games/tic_tac_toe.kif"]
        run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
        rows = [line for line in run.stdout.splitlines() if line.startswith("| tic_tac_toe |")]
        self.assertEqual(len(rows), 2, run.stdout)
        self.assertNotIn("| - | - |", rows[0])
        self.assertRegex(rows[1], r"\| [0-9.]+ \| [0-9a-f]{16} \|$")


class Report(unittest.TestCase):
    PEERS = {
        "one": {"ggplib": 100, "swi": 10, "rbg": 50, "depth": 5},
        "two": {"ggplib": 100},
        "three": {"ggplib": 100, "swi": 10},
    }

    def row(self, game, sliced, swi):
        return {"game": game, "sliced": sliced, "swi": swi}

    def test_cited_figures_are_scaled_by_prolog(self):
        rows = [self.row("one", 30000, 20), self.row("two", 30000, None),
                self.row("three", 30000, 40)]  # fmt: skip
        multiples = playouts_report.Multiples(rows, self.PEERS)
        self.assertEqual(multiples.ratios, {"one": 2, "three": 4})
        own = [multiples.of(row, "ggplib", multiples.own_ratio(row)) for row in rows]
        self.assertEqual(own, [150, 100, 75])
        self.assertEqual(multiples.of(rows[0], "rbg", 2), 300)
        self.assertIsNone(multiples.of(rows[1], "rbg", 2))

    def test_cited_figures_are_read(self):
        peers = playouts.read_peers()
        self.assertEqual(len(peers), 17)
        self.assertEqual(peers["breakthrough"]["ggplib"], 24271)
        self.assertNotIn("swi", peers["reversi"])
        for name in ("ticTacToe", "breakthrough", "reversi"):
            self.assertIn("rbg", peers[name])


if __name__ == "__main__":
    unittest.main()
