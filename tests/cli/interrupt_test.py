"""Ctrl-C ends long commands with what was found so far; the program ends by the signal."""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
ZERMELO = os.environ["ZERMELO"]


def interrupted(*command, at=""):
    """Runs a command that gets SIGINT after its second progress line, or after the first with this text."""
    with subprocess.Popen([ZERMELO, *command, "--progress", "always"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, cwd=ROOT) as process:
        process.stderr.readline()
        while at not in process.stderr.readline():
            pass
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    return process.returncode, out, err


class Interrupt(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.large = str(self.folder / "connect_four.kif")
        text = subprocess.run([ZERMELO, "generate", "connect-four", "7", "6"], check=True, capture_output=True)
        pathlib.Path(self.large).write_bytes(text.stdout)

    def check_text(self, *command, expected, at=""):
        code, out, err = interrupted(*command, at=at)
        self.assertEqual(code, -signal.SIGINT, (command, err))
        self.assertRegex(err, "zermelo: .*interrupted")
        self.assertNotIn("time limit", err)
        self.assertIn(expected, out + err, command)

    def test_perft_shows_lower_bounds(self):
        self.check_text("perft", self.large, "--depth", "30", expected="sequences, at least")

    def test_playouts_show_the_games_so_far(self):
        for engine in ("sliced", "fast"):
            self.check_text("playouts", self.large, "--seconds", "300", "--engine", engine, expected="mean goals")

    def test_count_shows_the_layers_so_far(self):
        self.check_text("count", self.large, "--engine", "symbolic", expected="at least", at="layer")

    def test_match_shows_the_games_so_far(self):
        self.check_text("match", "games/tic_tac_toe.kif", "--games", "1000000", expected="mean goal")

    def test_experiment_shows_what_was_measured(self):
        code, out, err = interrupted("experiment", "position", "--trials", "1000000", "--out", str(self.folder))
        self.assertEqual(code, -signal.SIGINT, err)
        self.assertRegex(err, "zermelo: .*interrupted")

    def test_json_has_the_results_and_the_error(self):
        code, out, _ = interrupted("playouts", self.large, "--seconds", "300", "--json")
        self.assertEqual(code, -signal.SIGINT)
        self.assertGreater(json.loads(out)["playouts"], 0)
        self.assertIn("error", json.loads(out))

    def test_solve_says_how_far_it_came_and_resumes(self):
        out = str(self.folder / "solution")
        solve = ["solve", self.large, "--engine", "symbolic"]
        self.check_text(*solve, "--out", out, expected="run the same command again to resume; last: found layer", at="layer")
        self.assertTrue(pathlib.Path(out).is_dir())
        self.check_text(*solve, expected="; last: found layer", at="layer")

    def test_a_shell_sees_130(self):
        script = f'timeout --preserve-status -s INT 2 "{ZERMELO}" perft "{self.large}" --depth 30 >/dev/null 2>&1; echo $?'
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.stdout, "130\n")

    def test_a_second_signal_ends_the_program_at_once(self):
        command = [ZERMELO, "match", self.large, "--player", "uct:time=100s", "--player", "uct:time=100s"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT) as process:
            time.sleep(2)
            process.send_signal(signal.SIGINT)
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(10), -signal.SIGINT)


if __name__ == "__main__":
    unittest.main()
