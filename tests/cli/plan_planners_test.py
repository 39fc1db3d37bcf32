"""plan with planners of others: exit codes, messages and Ctrl-C. The planners are small scripts."""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

ZERMELO = os.environ["ZERMELO"]
GAME = str(pathlib.Path(__file__).resolve().parents[2] / "games/blocks_world.kif")
PLAN = "printf '(move-a-table)\\n(move-b-a)\\n(move-c-b)\\n(move-d-c)\\n(reach-goal-100)\\n' > $3\n"


class Planners(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def script(self, commands):
        path = pathlib.Path(self.folder.name) / "planner"
        path.write_text("#!/bin/sh\n" + commands)
        path.chmod(0o755)
        return str(path)

    def plan(self, commands, *options, limit="60s"):
        command = [ZERMELO, "plan", GAME, "--planner", self.script(commands), "--time", limit, *options]
        return subprocess.run(command, capture_output=True, text=True, timeout=120)

    def test_a_plan_is_printed(self):
        done = self.plan(PLAN)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("4  (move d c)", done.stdout)
        self.assertIn("100, proved to be the best", done.stdout)

    def test_a_lie_is_an_error(self):
        done = self.plan("echo '(move-a-b)' > $3")
        self.assertEqual(done.returncode, 4)
        self.assertEqual(done.stdout, "")
        self.assertIn("step 1: (move a b) is not legal", done.stderr)

    def test_no_plan_is_not_solved(self):
        done = self.plan("exit 0", "--json")
        self.assertEqual(done.returncode, 0)
        found = json.loads(done.stdout)
        self.assertFalse(found["solved"])
        self.assertFalse(found["optimal"])

    def test_a_time_limit_is_reported(self):
        done = self.plan("sleep 100", limit="1s")
        self.assertEqual(done.returncode, 6)
        self.assertIn("none found so far", done.stdout)

    def test_a_missing_planner_is_named(self):
        done = subprocess.run([ZERMELO, "plan", GAME, "--planner", "./none"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 3)
        self.assertIn("none: No such file or directory", done.stderr)

    def test_interruption_prints_the_best_so_far(self):
        started = pathlib.Path(self.folder.name) / "started"
        commands = f"{PLAN}touch {started}\nexec sleep 100\n"
        command = [ZERMELO, "plan", GAME, "--planner", self.script(commands), "--json"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
            for _ in range(500):
                if started.exists():
                    break
                time.sleep(0.02)
            process.send_signal(signal.SIGINT)
            answer, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGINT)
        found = json.loads(answer)
        self.assertEqual(found["reward"], 100)
        self.assertTrue(found["validated"])


if __name__ == "__main__":
    unittest.main()
