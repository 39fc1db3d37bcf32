"""Ctrl-C ends a plan with the best moves so far."""

import json
import os
import pathlib
import signal
import subprocess
import time
import unittest

ZERMELO = os.environ["ZERMELO"]
GAME = pathlib.Path(__file__).resolve().parents[2] / "games/fifteen_puzzle.kif"


class PlanInterrupted(unittest.TestCase):
    def test_shows_the_best_so_far(self):
        command = [ZERMELO, "plan", str(GAME), "--json", "--time", "120s"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
            time.sleep(5)
            process.send_signal(signal.SIGINT)
            answer, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGINT)
        found = json.loads(answer)
        self.assertFalse(found["optimal"])
        self.assertTrue(found["validated"])
        self.assertEqual(found["error"]["kind"], "time_limit")


if __name__ == "__main__":
    unittest.main()
