"""Input that is no rulesheet ends in a clear message and a documented exit code, whatever it is."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ZERMELO = os.environ["ZERMELO"]
COMMANDS = (
    ["check"],
    ["print"],
    ["info"],
    ["perft", "--depth", "1"],
    ["playouts", "--count", "1"],
)


class HostileInput(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, content):
        path = self.folder / "game.kif"
        path.write_bytes(content)
        return str(path)

    def run_zermelo(self, *arguments, **options):
        return subprocess.run(
            [ZERMELO, *arguments], capture_output=True, timeout=120, **options
        )

    def assert_refused(self, path, word, check_exit=3):
        for command in COMMANDS:
            done = self.run_zermelo(*command, path, stdin=subprocess.DEVNULL)
            expected = check_exit if command[0] == "check" else 3
            message = done.stderr.decode()
            self.assertEqual(done.returncode, expected, (command, message))
            self.assertIn(word, message, command)
            self.assertLess(len(message), 5000, command)
            if command[0] != "check":
                self.assertEqual(done.stdout, b"", command)

    def test_a_missing_file(self):
        self.assert_refused(str(self.folder / "missing.kif"), "No such file")

    def test_a_directory(self):
        self.assert_refused(str(self.folder), "directory")

    def test_a_file_that_may_not_be_read(self):
        if os.geteuid() == 0:
            path = "/proc/self/mem"
            self.assert_refused(path, path)
            return
        path = self.file(b"(role player)")
        os.chmod(path, 0)
        self.assert_refused(path, "denied")

    def test_an_empty_file(self):
        self.assert_refused(self.file(b""), "missing-rules", check_exit=1)

    def test_comments_alone(self):
        self.assert_refused(self.file(b"; nothing\n;; to see"), "missing-rules", check_exit=1)

    def test_nul_bytes(self):
        self.assert_refused(self.file(b"(role \0player)"), "not-text")
        self.assert_refused(self.file(b"\0" * 100000), "not-text")

    def test_invalid_utf8(self):
        self.assert_refused(self.file(b"(role pl\xffyer)"), "not-text")
        self.assert_refused(self.file(b"(role p\xc3)"), "not-text")
        self.assert_refused(self.file(b"(role \xed\xa0\x80)"), "not-text")

    def test_a_program(self):
        self.assert_refused(sys.executable, "not-text")

    def test_a_million_opening_parentheses(self):
        self.assert_refused(self.file(b"(" * 1_000_000), "too-deep", check_exit=1)

    def test_a_million_closing_parentheses(self):
        self.assert_refused(self.file(b")" * 1_000_000), "unmatched", check_exit=1)

    def test_a_million_opening_parentheses_in_infix(self):
        content = b"p :- " + b"(" * 1_000_000
        self.assert_refused(self.file(content), "error", check_exit=1)

    def test_a_million_negations_in_infix(self):
        self.assert_refused(self.file(b"p :- " + b"~" * 1_000_000), "error", check_exit=1)

    def test_one_line_of_a_million_words(self):
        self.assert_refused(self.file(b"(role " + b"a " * 1_000_000), "error", check_exit=1)

    def test_200_megabytes(self):
        path = self.folder / "large.kif"
        with open(path, "wb") as file:
            file.truncate(200 << 20)
        self.assert_refused(str(path), "64 MiB")

    def test_200_megabytes_of_rules_on_standard_input(self):
        path = self.folder / "large.kif"
        with open(path, "wb") as file:
            for _ in range(200):
                file.write(b"(succ 1 2)\n" * (1 << 20 >> 3))
        for command in COMMANDS:
            with open(path, "rb") as file:
                done = self.run_zermelo(*command, "-", stdin=file)
            self.assertEqual(done.returncode, 3)
            self.assertIn(b"64 MiB", done.stderr)

    def test_an_endless_file(self):
        self.assert_refused("/dev/zero", "64 MiB")

    def test_standard_input_is_closed(self):
        done = subprocess.run(
            ["bash", "-c", '"$0" check - <&-', ZERMELO], capture_output=True, timeout=60
        )
        self.assertEqual(done.returncode, 3, done.stderr)

    def test_standard_output_is_closed(self):
        done = subprocess.run(
            ["bash", "-c", '"$0" generate --list >&-', ZERMELO], capture_output=True, timeout=60
        )
        self.assertEqual(done.returncode, 7, done.stderr)

    def test_the_reader_leaves(self):
        for signal_kills in (True, False):
            reader, writer = os.pipe()
            os.close(reader)
            done = subprocess.run(
                [ZERMELO, "generate", "--list"],
                stdout=writer,
                stderr=subprocess.PIPE,
                restore_signals=signal_kills,
                timeout=60,
            )
            os.close(writer)
            self.assertEqual(done.stderr, b"")
            self.assertNotEqual(done.returncode, 0)


if __name__ == "__main__":
    unittest.main()
