"""What every command promises: help with an example, one JSON object, and its diagnostics tested."""

import json
import os
import pathlib
import re
import shlex
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ZERMELO = os.environ["ZERMELO"]


def run(*arguments, folder=ROOT):
    return subprocess.run(
        [ZERMELO, *arguments], capture_output=True, text=True, timeout=120, cwd=folder, input=""
    )


def commands():
    listed = run("--help").stdout.split("Subcommands:")[1]
    return re.findall(r"^  (\w+)", listed, re.MULTILINE)


def example_of(command):
    return shlex.split(run(command, "--help").stdout.split("Example:\n  zermelo ")[1])


# What examples read must have been written before.
BEFORE = {
    "query": ["solve", "games/tic_tac_toe.kif", "--out", "tic_tac_toe"],
    "verify": ["solve", "games/tic_tac_toe.kif", "--out", "tic_tac_toe"],
    "replay": ["match", "games/tic_tac_toe.kif", "--records", "records"],
}


def run_example(command, *more):
    """Runs the example in a folder with the games and what it reads: examples may write files."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "games").symlink_to(ROOT / "games")
        if command in BEFORE:
            run(*BEFORE[command], folder=folder)
        return run(*example_of(command), *more, folder=folder)


ENDLESS = ("player", "serve")  # commands whose example runs until it is killed


class CommandLine(unittest.TestCase):
    def test_there_are_commands(self):
        self.assertIn("check", commands())

    def test_help_fits_the_screen(self):
        for command in commands():
            done = run(command, "--help")
            self.assertEqual((done.returncode, done.stderr), (0, ""), command)
            self.assertLessEqual(max(map(len, done.stdout.splitlines())), 100, command)

    def test_every_example_works(self):
        for command in set(commands()) - set(ENDLESS):
            done = run_example(command)
            self.assertEqual((done.returncode, done.stderr), (0, ""), command)
            if command != "toss":  # a formula is one line, so that it can be copied
                self.assertLessEqual(max(map(len, done.stdout.splitlines()), default=0), 100, command)

    def test_json_is_one_object_on_one_line(self):
        for command in commands():
            if command in ("compile", "draw", "generate", "play", "print", "translate", *ENDLESS):
                continue
            done = run_example(command, "--json")
            self.assertEqual((done.returncode, done.stderr), (0, ""), command)
            self.assertEqual(done.stdout.count("\n"), 1, command)
            self.assertIsInstance(json.loads(done.stdout), dict, command)

    def test_the_reference_has_a_section_for_every_command(self):
        reference = (ROOT / "docs" / "reference" / "commands.md").read_text()
        for command in commands():
            self.assertIn(f"\n## {command}\n", reference)

    def test_the_reference_names_every_option(self):
        reference = (ROOT / "docs" / "reference" / "commands.md").read_text()
        for command in commands():
            for option in re.findall(r"--[a-z-]+", run(command, "--help").stdout):
                self.assertIn(option, reference, command)


class Documents(unittest.TestCase):
    def test_every_diagnostic_is_recorded_by_a_golden_test(self):
        lines = (ROOT / "docs" / "reference" / "diagnostics.md").read_text().splitlines()
        first_cells = [line.split("|")[1] for line in lines if line.startswith("| `")]
        codes = {code for cell in first_cells for code in re.findall(r"`([a-z0-9-]+)`", cell)}
        golden = [path.read_text() for path in (ROOT / "tests/golden").glob("*/*")
                  if path.name in ("out", "err")]
        recorded = set(re.findall(r"\[([a-z0-9-]+)\]$", "\n".join(golden), re.MULTILINE))
        self.assertGreater(len(codes), 40)
        self.assertEqual(codes - recorded, set())
        self.assertEqual(recorded - codes, set())

    def test_every_exit_code_is_recorded_by_a_golden_test(self):
        documented = set(re.findall(r"^\| (\d+) \|", (ROOT / "docs/reference/exit-codes.md").read_text(),
                                    re.MULTILINE))
        self.assertEqual(documented, {"0", "1", "2", "3", "4", "5", "6", "7", "70", "130"})
        for code in documented - {"70", "130"}:  # no command is known to show a defect; 130: interrupt_test
            cases = list((ROOT / "tests/golden").glob(f"exit_{code}_*"))
            self.assertTrue(cases, code)
            for case in cases:
                exit_file = case / "exit"
                recorded = exit_file.read_text().strip() if exit_file.exists() else "0"
                self.assertEqual(recorded, code, case.name)


if __name__ == "__main__":
    unittest.main()
