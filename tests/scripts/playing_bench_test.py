"""The benchmarks of playing: what they conclude from results, and how they end."""

import contextlib
import io
import pathlib
import stat
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench"))

import matches  # noqa: E402
import soak  # noqa: E402
import strength  # noqa: E402

# In place of `zermelo`: suitable are games whose name begins with "good".
PROGRAM = """#!/bin/sh
case "$1 $2" in
  player*) echo "listening on port 1" >&2; exec sleep 60;;
  "playouts "*/good*) echo '{"mean_goals": [50, 50], "mean_depth": 10}';;
  playouts*) echo '{"mean_goals": [50, 50], "mean_depth": 1000}';;
  referee*) echo '{"records": [{"moves": [1, 2], "goalValues": [50, 50]}],
    "faults": {"late": 0, "illegal": 0, "unreachable": 0, "unprepared": 0}}';;
esac
"""


def said_by(function, *arguments):
    """Its exit code, and what it prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), mock.patch.object(sys, "argv", ["", *map(str, arguments)]):
        return function(), out.getvalue()


class Matches(unittest.TestCase):
    def report(self, wins, losses):
        row = {"player": "auto", "game": "clobber", "opponent": "random", "clock": "1", "choice": "uct: reason"}
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "matches.tsv"
            for seed, games, own in (("1", wins, "100"), ("2", losses, "0")):
                others = "0" if own == "100" else "100"
                matches.add_row(file, matches.FIELDS, {**row, "seed": seed, "own": " ".join([own] * games),
                                                       "others": " ".join([others] * games)})
            return said_by(matches.main, "--report", "--out", file)

    def test_every_losing_record_is_named_and_fails_beyond_chance(self):
        code, said = self.report(41, 59)
        self.assertEqual(code, 0)
        self.assertIn("clobber against random: 41 won, 59 lost, not significant", said)
        code, said = self.report(40, 60)
        self.assertEqual(code, 1)
        self.assertIn("clobber against random: 40 won, 60 lost, significant", said)

    def test_parts_are_added(self):
        _, said = self.report(30, 10)
        self.assertIn("| auto | clobber | random | 1 s | 40 | 75.0 ± 13.6 | 30 | 0 | 10 | uct 2 |", said)

    def test_goals_of_the_player_follow_its_role(self):
        answer = {"records": [{"isCompleted": True, "goalValues": [100, 0, 50]},
                              {"isCompleted": True, "goalValues": [10, 20, 30]},
                              {"isCompleted": False, "goalValues": []}]}
        self.assertEqual(matches.goals(answer), ([100, 20], [25, 20]))

    def test_others_are_not_named(self):
        for wins in (50, 90):
            code, said = self.report(wins, 50)
            self.assertEqual(code, 0)
            self.assertIn("no losing record", said)


class Strength(unittest.TestCase):
    def test_shares_are_rounded_once(self):
        share = 91 / 116  # 78.448%
        answer = {"decisive": 116, "players": [dict.fromkeys(strength.FIELDS, share)]}
        options = mock.Mock(zermelo="zermelo", positions=200)
        done = mock.Mock(stdout=strength.json.dumps(answer))
        with mock.patch.object(strength.subprocess, "run", return_value=done), \
                tempfile.TemporaryDirectory() as folder:
            row = strength.measure("sheep and wolf", "1", "default", folder, options)
            file = pathlib.Path(folder) / "strength.tsv"
            strength.add_row(file, strength.FIELDS, row)
            (read,) = strength.read_rows(file, *strength.KEY).values()
        self.assertEqual(strength.percent(read, "of all"), "78.4 (78.4 to 78.4)")


class Soak(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.program = self.folder / "program"
        self.write_program(PROGRAM)
        for name in ("good_a", "good_b", "long"):
            (self.folder / f"{name}.kif").touch()

    def write_program(self, text):
        self.program.write_text(text)
        self.program.chmod(stat.S_IRWXU)

    def soak(self, *options, memory=lambda players: [100, 100]):
        with mock.patch.object(soak, "settled_memory", memory):
            return said_by(soak.main, self.folder, "--program", self.program, *options)

    def test_games_and_memory_are_reported(self):
        code, said = self.soak("--games", "2", "--matches", "20")
        self.assertEqual(code, 0)
        self.assertIn("2 different games of 2 requested: good_a, good_b", said)
        self.assertIn("resident after 10 matches 100.0 MB, at the end 100.0 MB, +0.0%", said)

    def test_growing_memory_is_a_failure(self):
        sizes = iter(range(100, 120))
        code, said = self.soak("--games", "2", "--matches", "20", memory=lambda _: [next(sizes), 100])
        self.assertEqual(code, 1)
        self.assertIn("+9.2%", said)

    def test_few_matches_say_nothing_about_memory(self):
        sizes = iter(range(100, 2000, 100))
        code, said = self.soak("--games", "2", "--matches", "19", memory=lambda _: [next(sizes), 100])
        self.assertEqual(code, 0)
        self.assertIn("memory not checked: fewer than 20 matches", said)

    def test_fewer_games_than_asked_for_are_a_failure(self):
        for games, number in ((3, 6), (2, 1)):
            code, said = self.soak("--games", games, "--matches", number)
            self.assertEqual(code, 1)
            self.assertIn(f"{min(number, 2)} different games of {games} requested", said)

    def test_games_are_included_whatever_their_length(self):
        code, said = self.soak("--games", "1", "--matches", "2", "--include",
                               self.folder / "long.kif")
        self.assertEqual(code, 0)
        self.assertIn("2 different games of 2 requested: long, good_a", said)

    def test_no_suitable_game_is_said(self):
        for name in ("good_a", "good_b"):
            (self.folder / f"{name}.kif").unlink()
        with self.assertRaisesRegex(SystemExit, "has no game of two roles"):
            self.soak()

    def test_a_player_that_ends_is_said(self):
        self.write_program(PROGRAM.replace("exec sleep 60", "exit 7").replace("listening", "ending"))
        with self.assertRaisesRegex(SystemExit, "a player ended with exit code 7: ending"):
            self.soak("--games", "2")


if __name__ == "__main__":
    unittest.main()
