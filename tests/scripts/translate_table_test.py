"""The table of translations: which games it takes, and what it says of refusals."""

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

import translate_table  # noqa: E402

WITHOUT_REWARD = """(role r) ; (role another) is a comment
(init a) (legal r go) (<= (next b) (does r go)) (<= terminal (true b)) (<= (goal r 0) (true b))"""


class TranslateTable(unittest.TestCase):
    def run_table(self, *arguments):
        out = io.StringIO()
        command = ["", "--zermelo", os.environ["ZERMELO"], *map(str, arguments)]
        with contextlib.redirect_stdout(out), mock.patch.object(sys, "argv", command):
            self.assertEqual(translate_table.main(), 0)
        return out.getvalue()

    def test_takes_games_of_one_role_and_reports_refusals(self):
        with tempfile.TemporaryDirectory() as name:
            game = pathlib.Path(name) / "hopeless.kif"
            game.write_text(WITHOUT_REWARD)
            text = self.run_table(game, ROOT / "games/buttons.kif", ROOT / "games/nim.kif")
        self.assertIn("1 of 2 games: translated in faithful, direct, sas, gddl", text)
        self.assertRegex(text, r"hopeless \(faithful, direct, sas\): .*no goal value above 0")
        self.assertNotIn("nim", text)
        self.assertRegex(text, r"(?m)^buttons( +[0-9.]+){2} +[0-9]+k ")

    def test_quick_writes_sas_only(self):
        text = self.run_table("--quick", ROOT / "games/buttons.kif")
        self.assertIn("1 of 1 games: translated in sas", text)
        self.assertNotIn("gddl", text)


if __name__ == "__main__":
    unittest.main()
