"""Counting, solving and matches on several ranks that mpirun starts. Without MPI: how to get it."""

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
HAS_MPI = shutil.which("mpirun") and (pathlib.Path(ZERMELO).parent / "zermelo_mpi.so").exists()
# More ranks than cores, and root in containers.
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_hwloc_base_binding_policy="none")


def contents(folder):
    return {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}


def children_of(process, name):
    """The ranks of a job, which are children of its mpirun."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text()
        except OSError:
            continue
        command, rest = fields[fields.index("(") + 1:fields.rindex(")")], fields[fields.rindex(")") + 2:].split()
        if int(rest[1]) == process.pid and command == name and rest[0] != "Z":
            found.append(int(entry.name))
    return sorted(found)


class Folder(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def generate(self, *family):
        rules = self.folder / ("-".join(family) + ".kif")
        rules.write_bytes(subprocess.run([ZERMELO, "generate", *family], capture_output=True, check=True).stdout)
        return str(rules)

    def start(self, ranks, *command):
        return subprocess.Popen(["mpirun", "-n", str(ranks), ZERMELO, *command], env=ENVIRONMENT, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def on_ranks(self, ranks, *command):
        process = self.start(ranks, *command)
        try:
            out, err = process.communicate(timeout=240)
        finally:
            process.kill()
        return process.returncode, out, err

    def alone(self, *command):
        return json.loads(subprocess.run([ZERMELO, *command, "--json"], capture_output=True, check=True).stdout)


@unittest.skipIf(HAS_MPI, "Open MPI is installed")
class WithoutMpi(Folder):
    def test_the_message_says_how_to_get_it(self):
        rules = self.generate("nim", "1", "2")
        done = subprocess.run([ZERMELO, "count", rules, "--cluster", "hash"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 4)
        self.assertIn("libopenmpi-dev openmpi-bin", done.stderr)


@unittest.skipUnless(HAS_MPI, "Open MPI is not installed")
class Ranks(Folder):
    def test_count_has_the_numbers_of_one_process(self):
        for family in (["tic-tac-toe", "3", "3", "3"], ["connect-four", "5", "4"], ["goofspiel", "3"]):
            rules = self.generate(*family)
            expected = self.alone("count", rules, "--engine", "explicit")
            for ranks in (2, 3, 4):
                code, out, err = self.on_ranks(ranks, "count", rules, "--cluster", "hash", "--json")
                self.assertEqual((code, err), (0, ""))
                found = json.loads(out)
                self.assertEqual(found["states"], expected["states"])
                counts = [[(layer["states"], layer["terminal"]) for layer in count["layers"]]
                          for count in (found, expected)]
                self.assertEqual(counts[0], counts[1])
                self.assertEqual(sum(rank["states"] for rank in found["ranks"]), int(expected["states"]))
                self.assertEqual(len(found["ranks"]), ranks)

    def test_solve_writes_the_folder_of_one_process(self):
        for family in (["tic-tac-toe", "3", "3", "3"], ["hanoi", "5", "3", "unlimited"], ["nim", "3", "4", "5"],
                       ["breakthrough", "3", "5"]):
            rules = self.generate(*family)
            one = self.folder / "one"
            self.alone("solve", rules, "--engine", "explicit", "--out", str(one))
            for ranks in (2, 3, 4):
                several = self.folder / f"of-{ranks}"
                code, out, err = self.on_ranks(ranks, "solve", rules, "--cluster", "hash", "--out", str(several))
                self.assertEqual((code, err), (0, ""))
                self.assertEqual(out.count("best play"), 1)  # only rank 0 prints
                self.assertEqual(contents(several), contents(one))
                again = self.on_ranks(ranks, "solve", rules, "--cluster", "hash", "--out", str(several))
                self.assertEqual(again[0], 0)  # the finished folder is read
                shutil.rmtree(several)
            shutil.rmtree(one)

    def test_memory_per_rank_falls(self):
        rules = self.generate("connect-four", "5", "4")
        peaks = []
        for ranks in (1, 4):
            count = json.loads(self.on_ranks(ranks, "count", rules, "--cluster", "hash", "--json")[1])
            peaks.append(max(rank["peak_bytes"] for rank in count["ranks"]))
        self.assertLess(peaks[1], peaks[0])

    def test_errors_are_printed_once_and_have_their_exit_codes(self):
        rules = self.generate("tic-tac-toe", "3", "3", "3")
        broken = self.folder / "broken.kif"
        broken.write_text("(role x")
        for code, command in ((2, ["count", rules, "--cluster", "hash", "--engine", "symbolic"]),
                              (3, ["count", str(self.folder / "missing"), "--cluster", "hash"]),
                              (2, ["match", rules, "--cluster", "tree", "--player", "random"])):
            found, out, err = self.on_ranks(3, *command)
            self.assertEqual((found, out), (code, ""), err)
            self.assertEqual(err.count("zermelo: "), 1, err)
        self.assertEqual(self.on_ranks(2, "count", str(broken), "--cluster", "hash")[0], 3)

    def test_matches_use_all_ranks(self):
        rules = self.generate("breakthrough", "5", "5")
        for mode in ("root", "tree"):
            code, out, err = self.on_ranks(3, "match", rules, "--cluster", mode, "--games", "2", "--json",
                                           "--player", "cluster:simulations=3000", "--player", "random")
            self.assertEqual((code, err), (0, ""))
            match = json.loads(out)
            self.assertEqual(match["completed"], 2)
            self.assertEqual(match["mean_goals"][0], 100)
            if mode == "tree":
                self.assertEqual(len(match["ranks"]), 3)
                for rank in match["ranks"]:
                    self.assertGreater(rank["playouts"], 0)

    def test_a_count_resumes_after_a_rank_was_killed(self):
        rules = self.generate("connect-four", "5", "5")
        out = self.folder / "count"
        process = self.start(4, "count", rules, "--cluster", "hash", "--out", str(out))
        manifest = out / "count.json"
        name = pathlib.Path(ZERMELO).name[:15]
        try:
            while not (manifest.exists() and len(json.loads(manifest.read_text())["layers"]) >= 9):
                time.sleep(0.02)
            os.kill(children_of(process, name)[-1], signal.SIGKILL)
            self.assertNotEqual(process.wait(timeout=60), 0)
            errors = process.stderr.read()
        finally:
            process.kill()
            process.communicate()
        self.assertIn("signal 9", errors)
        done = len(json.loads(manifest.read_text())["layers"])
        self.assertGreaterEqual(done, 9)
        code, text, _ = self.on_ranks(3, "count", rules, "--cluster", "hash", "--out", str(out), "--json")
        self.assertEqual(code, 0)
        self.assertEqual(json.loads(text)["states"], "69763700")


if __name__ == "__main__":
    unittest.main()
