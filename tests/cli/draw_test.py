"""Pictures of all shipped games: well-formed SVG in which every cell and token has a name."""

import os
import pathlib
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

ZERMELO = os.environ["ZERMELO"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
SVG = "{http://www.w3.org/2000/svg}"


def draw(*arguments):
    run = subprocess.run([ZERMELO, "draw", *arguments, "-o", "-"], capture_output=True, text=True)
    return run.returncode, run.stdout, run.stderr


class Draw(unittest.TestCase):
    def test_shipped_games_are_well_formed(self):
        for game in sorted((ROOT / "games").glob("*.kif")):
            with self.subTest(game=game.stem):
                code, text, _ = draw(str(game), "--random", "5")
                self.assertEqual(code, 0)
                tree = xml.etree.ElementTree.fromstring(text)
                groups = list(tree.iter(SVG + "g"))
                cells = [g for g in groups if g.get("class") == "cell"]
                names = [cell.get("data-cell") for cell in cells]
                self.assertEqual(len(names), len(set(names)))
                for cell in cells:
                    self.assertTrue(cell.get("data-cell").startswith("b"))
                    self.assertTrue(cell.find(SVG + "title").text)
                for token in (g for g in groups if g.get("class") == "token"):
                    self.assertTrue(token.get("data-token"))

    def test_the_same_position_gives_the_same_picture(self):
        game = str(ROOT / "games/breakthrough.kif")
        self.assertEqual(draw(game, "--random", "9"), draw(game, "--random", "9"))
        self.assertNotEqual(draw(game, "--random", "9"), draw(game, "--random", "9", "--seed", "2"))

    def test_a_solution_folder_is_drawn_like_its_game(self):
        game = str(ROOT / "games/tic_tac_toe.kif")
        moves = ["--moves", "(mark 2 2) (mark 1 2)"]
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "solution")
            subprocess.run([ZERMELO, "solve", game, "--out", out], capture_output=True, check=True)
            self.assertEqual(draw(out, *moves), draw(game, *moves))

    def test_names_are_escaped(self):
        with tempfile.TemporaryDirectory() as folder:
            game = pathlib.Path(folder) / "game.kif"
            game.write_text(
                "(role a) (init (cell 1 1 <&)) (init (cell 1 2 \"q\")) (init (cell 2 1 o))"
                "(init (cell 2 2 o)) (<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)))"
                "(legal a wait) (goal a 100) (<= terminal (true (cell 1 1 o)))")
            code, text, error = draw(str(game))
            self.assertEqual(code, 0, error)
            xml.etree.ElementTree.fromstring(text)


if __name__ == "__main__":
    unittest.main()
