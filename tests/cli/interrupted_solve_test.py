"""A solution that was killed, or ran into a full disk, is completed to the same bytes."""

import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

ZERMELO = os.environ["ZERMELO"]
BOARD = ["connect-four", "4", "4"]


def solve_command(rules, out, *more):
    return [ZERMELO, "solve", str(rules), "--engine", "symbolic", "--threads", "2", "--out", str(out), *more]


def contents(folder):
    return {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}


def may_mount():
    probe = ["unshare", "-m", "sh", "-c", "mount -t tmpfs -o size=64k none /mnt"]
    return shutil.which("unshare") and subprocess.run(probe, capture_output=True).returncode == 0


class InterruptedSolve(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.rules = self.folder / "rules.kif"
        text = subprocess.run([ZERMELO, "generate", *BOARD], capture_output=True, check=True).stdout
        self.rules.write_bytes(text)
        self.expected = self.folder / "expected"
        begin = time.monotonic()
        subprocess.run(solve_command(self.rules, self.expected), capture_output=True, check=True)
        self.seconds = time.monotonic() - begin

    def assert_as_expected(self, out):
        self.assertEqual(contents(out), contents(self.expected))

    def solve_for(self, out, seconds):
        """Whether the command came to its end before it was killed."""
        process = subprocess.Popen(solve_command(self.rules, out), stdout=subprocess.DEVNULL)
        try:
            self.assertEqual(process.wait(timeout=seconds), 0)
            return True
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            return False

    def test_killed_at_random_moments(self):
        moments = random.Random(1)
        out = self.folder / "killed"
        kills = 0
        while kills == 0:  # where the machine became faster, the first run may come to its end
            shutil.rmtree(out, ignore_errors=True)
            while kills < 20 and not self.solve_for(out, moments.uniform(0.1, 0.6) * self.seconds):
                kills += 1
            self.seconds /= 2
        if kills == 20:
            subprocess.run(solve_command(self.rules, out), capture_output=True, check=True)
        self.assert_as_expected(out)

    def full_disk(self, kilobytes):
        """Solves on a file system of that size, then on the same with room; the first exit code."""
        out, kept = self.folder / "small", self.folder / f"kept{kilobytes}"
        out.mkdir(exist_ok=True)
        script = (
            'mount -t tmpfs -o size="$1"k none "$2" || exit 99; shift; out=$1; kept=$2; shift 2; '
            '"$@" --out "$out/solution"; code=$?; '
            'mount -o remount,size=64m "$out" && "$@" --out "$out/solution" && cp -r "$out/solution" "$kept"; '
            "exit $code"
        )
        command = solve_command(self.rules, "")[:-2]
        done = subprocess.run(
            ["unshare", "-m", "sh", "-c", script, "sh", str(kilobytes), str(out), str(kept), *command],
            capture_output=True, text=True,
        )
        return done.returncode, done.stderr, kept

    def full_disk_without_mounting(self, kilobytes):
        """As full_disk, by a limit on the size of files, where mounting is not permitted."""
        kept = self.folder / f"kept{kilobytes}"

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (kilobytes * 32, resource.RLIM_INFINITY))

        command = solve_command(self.rules, kept)
        done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit)
        subprocess.run(command, capture_output=True, check=True)
        return done.returncode, done.stderr, kept

    def test_a_full_disk(self):
        full = self.full_disk if may_mount() else self.full_disk_without_mounting
        failed = 0
        for kilobytes in (4, 32, 100, 250):
            code, message, kept = full(kilobytes)
            if code != 0:
                failed += 1
                self.assertEqual(code, 7, message)
                self.assertIn("cannot write", message)
            self.assert_as_expected(kept)
        self.assertGreaterEqual(failed, 3)


if __name__ == "__main__":
    unittest.main()
