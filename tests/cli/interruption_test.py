"""A count that is killed goes on from the last whole layer and ends with the same result."""

import errno
import fcntl
import json
import os
import pathlib
import random
import subprocess
import tempfile
import unittest

ZERMELO = os.environ["ZERMELO"]
STATES = "69763700"  # Connect Four, five columns of five


def layers(folder):
    listed = folder / "layers.txt"
    return int(listed.read_text().split("\n")[1].split()[4]) if listed.exists() else 0


class Interruption(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.rules = self.folder / "rules.kif"
        command = [ZERMELO, "generate", "connect-four", "5", "5"]
        self.rules.write_text(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        self.out = self.folder / "layers"
        self.count = [ZERMELO, "count", str(self.rules), "--out", str(self.out), "--json"]

    def run_for(self, seconds):
        """Whether the count ended by itself before it was killed."""
        with subprocess.Popen(self.count, stdout=subprocess.DEVNULL) as process:
            try:
                return process.wait(seconds) == 0
            except subprocess.TimeoutExpired:
                process.kill()
                return False

    def test_killed_at_random_moments(self):
        moments = random.Random(1)
        known, killed = 0, 0
        for _ in range(12):
            if self.run_for(moments.uniform(0.05, 0.5)):
                break
            killed += 1
            self.assertGreaterEqual(layers(self.out), known)
            known = layers(self.out)
        self.assertGreater(killed, 0)
        done = subprocess.run(self.count, check=True, capture_output=True, text=True)
        self.assertEqual(json.loads(done.stdout)["states"], STATES)

    def test_with_another_limit_of_time(self):
        subprocess.run([*self.count, "--time", "0.4s"], capture_output=True)
        done = subprocess.run(self.count, check=True, capture_output=True, text=True)
        self.assertEqual(json.loads(done.stdout)["states"], STATES)

    def test_folders_of_something_else_are_refused(self):
        for name in ("description.json", "film.part", "letter.new"):
            self.out.mkdir()
            other = self.out / name
            other.write_text("{}")
            done = subprocess.run(self.count, capture_output=True, text=True)
            self.assertEqual(done.returncode, 4)
            self.assertIn("neither empty nor a folder of layers", json.loads(done.stdout)["error"]["message"])
            self.assertEqual(other.read_text(), "{}")
            self.assertEqual(list(self.out.iterdir()), [other])
            other.unlink()
            self.out.rmdir()

    def test_a_second_run_is_refused(self):
        self.out.mkdir()
        first = os.open(self.out, os.O_RDONLY)
        self.addCleanup(os.close, first)
        fcntl.flock(first, fcntl.LOCK_EX)
        done = subprocess.run(self.count, capture_output=True, text=True)
        self.assertEqual(done.returncode, 4)
        self.assertIn("another run writes to", json.loads(done.stdout)["error"]["message"])
        self.assertEqual(list(self.out.iterdir()), [])

    def test_an_edited_list_is_refused(self):
        subprocess.run(self.count, check=True, capture_output=True)
        listed = self.out / "layers.txt"
        listed.write_text(listed.read_text().replace("\n0 1 0 ", "\n0 2 0 "))
        done = subprocess.run(self.count, capture_output=True, text=True)
        self.assertEqual(done.returncode, 3)
        self.assertIn("layers.txt' is damaged; remove the folder", json.loads(done.stdout)["error"]["message"])

    def test_a_folder_that_cannot_be_made_has_a_reason(self):
        self.out.write_text("a file")
        done = subprocess.run([*self.count[:-2], f"{self.out}/layers", "--json"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 7)
        self.assertIn(os.strerror(errno.ENOTDIR), json.loads(done.stdout)["error"]["message"])


if __name__ == "__main__":
    unittest.main()
