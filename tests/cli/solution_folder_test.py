"""What solve makes of the folder of --out: whose it is, what is taken up, what is refused."""

import fcntl
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

ZERMELO = os.environ["ZERMELO"]

# A token goes round a ring of places until its owner stops it.
RING = """
(role a) (init (at 1)) (legal a go)
(<= (legal a stop) (true (at 5)))
(after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 1)
(<= (next (at ?y)) (does a go) (true (at ?x)) (after ?x ?y))
(<= (next over) (does a stop))
(<= terminal (true over)) (goal a 100)
"""
REPEATS = "not layered: states can repeat, so there is no last layer"
AS_BEGUN = "the folder was started with it"


def contents(folder):
    return {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}


class SolutionFolder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.out = self.folder / "out"

    def rules(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def generated(self, *family):
        done = subprocess.run([ZERMELO, "generate", *family], capture_output=True, check=True, text=True)
        return self.rules("_".join(family) + ".kif", done.stdout)

    def command(self, rules, *more, out=None):
        return [ZERMELO, "solve", str(rules), "--out", str(out or self.out), "--json", *more]

    def solve(self, rules, *more, out=None, **keywords):
        """The exit code, and the answer or the error."""
        done = subprocess.run(self.command(rules, *more, out=out), capture_output=True, text=True, **keywords)
        return done.returncode, json.loads(done.stdout)

    def assert_refused(self, message, rules, *more):
        before = contents(self.out)
        code, answer = self.solve(rules, *more)
        self.assertEqual(code, 4, answer)
        self.assertIn(message, answer["error"]["message"])
        self.assertEqual(contents(self.out), before)

    def begin_layered(self, rules):
        """What a run by layers leaves that is killed in its first one."""
        solved = self.folder / "solved"
        code, _ = self.solve(rules, "--engine", "symbolic", out=solved)
        self.assertEqual(code, 0)
        self.out.mkdir(exist_ok=True)
        shutil.copy(solved / "rules.kif", self.out)
        description = json.loads((solved / "description.json").read_text())
        description.update(algorithm="layered", layers="plies", distances=False, outcomes=[])
        (self.out / "description.json").write_text(json.dumps(description, indent=1) + "\n")
        (self.out / "layer-0000.states").write_text("not noted yet")

    def test_of_two_runs_at_once_the_second_is_refused(self):
        rules = self.generated("connect-four", "4", "4")
        with subprocess.Popen(self.command(rules, "--engine", "symbolic"), stdout=subprocess.DEVNULL) as first:
            while not (self.out / "layer-0000.states").exists():
                time.sleep(0.01)
            first.send_signal(signal.SIGSTOP)
            for engine in ("symbolic", "explicit", "auto"):
                code, answer = self.solve(rules, "--engine", engine)
                self.assertEqual(code, 4, answer)
                self.assertIn("another run writes to", answer["error"]["message"])
            first.send_signal(signal.SIGCONT)
            self.assertEqual(first.wait(), 0)
        code, _ = self.solve(rules, "--engine", "symbolic", out=self.folder / "expected")
        self.assertEqual(code, 0)
        self.assertEqual(contents(self.out), contents(self.folder / "expected"))

    def test_a_locked_empty_folder_is_refused_before_the_work(self):
        rules = self.generated("connect-four", "7", "6")  # which takes hours
        self.out.mkdir()
        held = os.open(self.out, os.O_RDONLY)
        self.addCleanup(os.close, held)
        fcntl.flock(held, fcntl.LOCK_EX)
        for engine in ("symbolic", "explicit", "auto"):
            self.assert_refused("another run writes to", rules, "--engine", engine)

    def test_layers_of_a_game_that_repeats_make_way(self):
        rules = self.rules("ring.kif", RING)
        expected = self.folder / "expected"
        code, answer = self.solve(rules, "--engine", "symbolic", out=expected)
        self.assertEqual((code, answer["reason"]), (0, REPEATS))
        for engine in ("symbolic", "auto"):
            self.begin_layered(rules)
            code, answer = self.solve(rules, "--engine", engine)
            self.assertEqual((code, answer["algorithm"], answer["reason"]), (0, "retrograde", REPEATS))
            self.assertEqual(contents(self.out), contents(expected))
            code, answer = self.solve(rules, "--engine", engine)
            self.assertEqual((code, answer["algorithm"], answer["reason"]), (0, "retrograde", AS_BEGUN))
            for path in self.out.iterdir():
                path.unlink()

    def test_layers_that_were_asked_for_do_not_make_way(self):
        rules = self.rules("ring.kif", RING)
        code, answer = self.solve(rules, "--algorithm", "layered")
        self.assertEqual(code, 4)
        self.assertIn("states can repeat", answer["error"]["message"])
        self.assertEqual(contents(self.out), {})

    def test_other_options_are_refused(self):
        rules = self.generated("nim", "1", "2", "2")
        self.begin_layered(rules)
        for more, begun in (
            (["--algorithm", "retrograde"], "the algorithm layered"),
            (["--algorithm", "matrix"], "the algorithm layered"),
            (["--engine", "explicit"], "the symbolic engine"),
            (["--model", "difference"], "--model own"),
        ):
            self.assert_refused("was started with " + begun, rules, *more)
        code, answer = self.solve(rules)
        self.assertEqual((code, answer["algorithm"], answer["reason"]), (0, "layered", AS_BEGUN))
        self.assert_refused("was started with distances", rules, "--no-distance")
        self.assert_refused("was started with the algorithm layered", rules, "--algorithm", "retrograde")

    def count(self, rules, *more):
        command = [ZERMELO, "count", str(rules), "--out", str(self.out), *more]
        subprocess.run(command, capture_output=True, check=True)

    def test_counted_layers_are_continued(self):
        rules = self.generated("connect-four", "4", "3", "3")
        code, expected = self.solve(rules, "--engine", "symbolic", out=self.folder / "expected")
        self.assertEqual(code, 0)
        for engine in ("auto", "symbolic"):
            self.count(rules)
            code, answer = self.solve(rules, "--engine", engine)
            self.assertEqual((code, answer["algorithm"]), (0, "layered"), answer)
            self.assertEqual(answer["reason"], "the folder holds layers of `count`")
            self.assertEqual(answer["states"], expected["states"])
            verified = subprocess.run([ZERMELO, "verify", str(self.out)], capture_output=True)
            self.assertEqual(verified.returncode, 0, verified)
            self.assertEqual(set(contents(self.out)), set(contents(self.folder / "expected")))
            shutil.rmtree(self.out)

    def test_counted_layers_that_do_not_fit_are_refused(self):
        rules = self.generated("chomp", "3", "3")
        self.count(rules)
        self.assert_refused("without the states of earlier layers", rules)
        self.assert_refused("only the symbolic algorithm layered", rules, "--engine", "explicit")
        self.assert_refused("only the symbolic algorithm layered", rules, "--algorithm", "retrograde")
        self.assert_refused("of other rules", self.generated("nim", "1", "2"))
        shutil.rmtree(self.out)
        self.count(rules, "--no-duplicate-detection")
        _, expected = self.solve(rules, "--engine", "explicit", out=self.folder / "expected")
        code, answer = self.solve(rules)
        self.assertEqual((code, answer["states"], answer["algorithm"]), (0, expected["states"], "layered"), answer)

    def test_a_folder_of_an_earlier_version_is_refused(self):
        rules = self.generated("nim", "1", "2")
        self.assertEqual(self.solve(rules)[0], 0)
        (self.out / "manifest.json").unlink()
        description = self.out / "description.json"
        description.write_text(description.read_text().replace('"version": 3', '"version": 2'))
        code, answer = self.solve(rules)
        self.assertEqual(code, 3)
        self.assertIn("this program reads versions 3 and 4", answer["error"]["message"])

    def test_engines_count_every_state_once(self):
        rules = self.generated("chomp", "4", "4")
        counts = []
        for engine, layer_states in (("explicit", "138"), ("symbolic", "490")):
            code, answer = self.solve(rules, "--engine", engine, out=self.folder / engine)
            self.assertEqual((code, answer["states"], answer["layer_states"]), (0, "138", layer_states))
            counts.append(answer["by_value"])
        self.assertEqual(counts[0], counts[1])

    def test_a_position_that_contradicts_its_moves_is_damage(self):
        rules = self.generated("nim", "1", "2", "2")
        code, _ = self.solve(rules, "--engine", "symbolic")
        self.assertEqual(code, 0)
        first, second = self.out / "layer-0000.values", self.out / "layer-0001.values"
        query = [ZERMELO, "query", str(self.out), "--json"]
        self.assertEqual(subprocess.run(query, capture_output=True).returncode, 0)
        shutil.copy(first, self.folder / "kept")
        shutil.copy(second, first)
        shutil.copy(self.folder / "kept", second)
        self.assertEqual(subprocess.run(query, capture_output=True).returncode, 3)

    def test_empty_names_are_usage_errors(self):
        rules = self.generated("nim", "1", "2", "2")
        for option in ("--out", "--plot"):
            command = [ZERMELO, "solve", str(rules), option, ""]
            self.assertEqual(subprocess.run(command, capture_output=True).returncode, 2)
        self.solve(rules)
        command = [ZERMELO, "query", str(self.out), "--state", ""]
        self.assertEqual(subprocess.run(command, capture_output=True).returncode, 4)

    def test_a_limit_says_that_the_command_goes_on(self):
        rules = self.generated("connect-four", "7", "6")  # which takes hours
        with subprocess.Popen(self.command(rules, "--engine", "symbolic"), stdout=subprocess.DEVNULL) as first:
            while not (self.out / "layer-0000.states").exists():
                time.sleep(0.01)
            first.kill()
        code, answer = self.solve(rules, "--engine", "symbolic", "--time", "2s")
        self.assertEqual(code, 6)
        self.assertIn("time limit reached", answer["error"]["message"])
        self.assertIn("run the same command again to resume", answer["error"]["message"])

    def test_the_answer_is_told_where_the_plot_cannot_be_written(self):
        code, answer = self.solve(self.generated("nim", "1", "2"), "--plot", str(self.folder / "none" / "plot.svg"))
        self.assertEqual(code, 7)
        self.assertEqual(answer["values"], [100, 0])

    def test_another_game_is_refused_before_the_work(self):
        code, _ = self.solve(self.generated("nim", "1", "2"), "--engine", "symbolic")
        self.assertEqual(code, 0)
        long = self.generated("connect-four", "7", "6")
        for engine in ("symbolic", "explicit", "auto"):
            self.assert_refused("rules.kif differs", long, "--engine", engine)

    def test_decisions_at_the_same_time_leave_nothing(self):
        rules = pathlib.Path(__file__).parents[2] / "games" / "rock_paper_scissors.kif"
        for more in (["--engine", "symbolic"], ["--algorithm", "layered"], ["--distance"]):
            code, answer = self.solve(rules, *more)
            self.assertEqual(code, 4)
            self.assertIn("decide at the same time", answer["error"]["message"])
            self.assertEqual(contents(self.out), {})

    def test_a_name_that_is_too_long(self):
        for engine in ("symbolic", "explicit"):
            code, answer = self.solve(self.generated("nim", "1", "2"), "--engine", engine, out="x" * 300)
            self.assertEqual(code, 7)
            self.assertIn("cannot write", answer["error"]["message"])

    def test_signals_leave_no_temporary_folder(self):
        rules = self.generated("connect-four", "6", "5")
        temporary = self.folder / "temporary"
        temporary.mkdir()
        command = [ZERMELO, "solve", str(rules), "--engine", "symbolic"]
        for number in (signal.SIGINT, signal.SIGTERM):
            with subprocess.Popen(
                command, env={**os.environ, "TMPDIR": str(temporary)}, stdout=subprocess.DEVNULL,
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            ) as process:
                while not list(temporary.glob("*/layer-0003.states")):
                    time.sleep(0.01)
                process.send_signal(number)
                self.assertEqual(process.wait(), -number)
            self.assertEqual(list(temporary.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
