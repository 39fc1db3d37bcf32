"""Records of match and referee are written game by game: what comes later does not cost them."""

import json
import os
import pathlib
import socket
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ZERMELO = os.environ["ZERMELO"]
TIC_TAC_TOE = str(ROOT / "games" / "tic_tac_toe.kif")
PLAYERS = ["--player", "random", "--player", "random"]


def command(name, *arguments):
    return [ZERMELO, name, TIC_TAC_TOE, *PLAYERS, *arguments]


class Records(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def records(self):
        return list(self.folder.glob("*.json"))

    def test_a_run_that_is_killed_keeps_the_games_that_have_ended(self):
        for name in ("match", "referee"):
            known = len(self.records())
            endless = command(name, "--games", "1000000", "--records", str(self.folder))
            with subprocess.Popen(endless, stdout=subprocess.DEVNULL) as process:
                end = time.monotonic() + 60
                while len(self.records()) < known + 3 and time.monotonic() < end:
                    time.sleep(0.01)
                process.kill()
            self.assertGreaterEqual(len(self.records()), known + 3, name)
        for path in self.records():
            self.assertTrue(json.loads(path.read_text())["isCompleted"], path)

    def test_a_record_that_cannot_be_written_does_not_cost_the_answer(self):
        for name, more, prefix in (("match", [], "zermelo.1"), ("referee", ["--match-id", "m"], "m")):
            (self.folder / f"{prefix}.1.json").mkdir()
            some = command(name, "--games", "3", "--records", str(self.folder), "--json", *more)
            done = subprocess.run(some, capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 7)
            self.assertIn(f"{prefix}.1.json': Is a directory", done.stderr)
            answer = json.loads(done.stdout)
            self.assertEqual((answer["games"], len(answer["records"])), (3, 3))
            for game in (0, 2):
                record = json.loads((self.folder / f"{prefix}.{game}.json").read_text())
                self.assertEqual(record, answer["records"][game])

    def test_no_game_begins_without_a_folder_for_its_record(self):
        file = self.folder / "file"
        file.write_text("")
        with socket.socket() as player:
            player.bind(("127.0.0.1", 0))
            player.listen()
            player.setblocking(False)
            address = f"127.0.0.1:{player.getsockname()[1]}"
            done = subprocess.run(
                [ZERMELO, "referee", TIC_TAC_TOE, "--player", address, "--player", "random",
                 "--records", str(file / "records"), "--json"],
                capture_output=True, text=True, timeout=60,
            )
            with self.assertRaises(BlockingIOError):  # nobody called
                player.accept()
        self.assertEqual(done.returncode, 7)
        self.assertEqual(json.loads(done.stdout)["error"]["kind"], "unwritable_output")

    def test_errors_have_a_row_for_the_start_and_one_for_each_step(self):
        for name in ("match", "referee"):
            done = subprocess.run(command(name, "--json"), check=True, capture_output=True)
            record = json.loads(done.stdout)["records"][0]
            self.assertEqual(record["errors"], [["", ""]] * len(record["states"]), name)


if __name__ == "__main__":
    unittest.main()
