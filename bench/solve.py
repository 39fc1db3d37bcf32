#!/usr/bin/env python3
"""Measures the strong solution of Connect Four from the text of the rules.

In every round each program solves a board once, one after the other: `zermelo solve` into a folder,
without distances, with one thread and, with --threads, with two, and those given as --baseline
NAME=COMMAND, where {width} and {height} are replaced by the size of the board. Printed are the medians
of processor time, wall time and peak memory, the size of the folder, and the ratio of Zermelo with one
thread to each of the others. The wall time ratio of two threads to one needs an idle machine.

    bench/solve.py --rounds 3 5x5 6x4
    bench/solve.py --baseline 'other=./other {width} {height}' 5x5
"""

import argparse
import json
import pathlib
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile

from grounding import Limits, Run, built_program

LIMITS = Limits(seconds=6 * 3600, gibibytes=64)


class Program:
    def __init__(self, name, command, out=None):
        self.name = name
        self.command = command
        self.out = out  # the folder it writes
        self.runs = []
        self.folder_megabytes = 0

    def run(self):
        if self.out:
            shutil.rmtree(self.out, ignore_errors=True)
        self.runs.append(Run(self.command, LIMITS, keep_output=True))
        if self.out and self.out.exists():
            self.folder_megabytes = sum(f.stat().st_size for f in self.out.iterdir()) / 1e6

    def median(self, field):
        return statistics.median(getattr(run, field) for run in self.runs)

    def answer(self):
        """The value of the initial state and the number of states by value, from Zermelo's output."""
        try:
            said = json.loads(self.runs[0].output)
        except json.JSONDecodeError:
            return "-"
        counts = ", ".join(
            f"{'/'.join(map(str, entry['values']))} {int(entry['states']):,}" for entry in said["by_value"]
        )
        return f"{'/'.join(map(str, said['values']))} ({counts})"


def programs(arguments, zermelo, folder, rules, width, height):
    out = pathlib.Path(folder) / "solution"
    solve = [zermelo, "solve", rules, "--engine", "symbolic", "--no-distance", "--json", "--out", str(out)]
    yield Program("zermelo", [*solve, "--threads", "1"], out)
    if arguments.threads:
        yield Program("zermelo, 2 threads", [*solve, "--threads", "2"], out)
    for baseline in arguments.baseline:
        name, command = baseline.split("=", 1)
        yield Program(name, shlex.split(command.format(width=width, height=height)))


def report(board, measured):
    own = measured[0]
    print(f"\n{board}: {own.answer()}\n")
    print("| program | processor s | zermelo takes | clock s | peak MB | folder MB |")
    print("|---|---|---|---|---|---|")
    for program in measured:
        processor = program.median("processor_seconds")
        folder = f"{program.folder_megabytes:.1f}" if program.out else "-"
        print(
            f"| {program.name} | {processor:.2f} | {own.median('processor_seconds') / processor:.2f}x "
            f"| {program.median('seconds'):.2f} | {program.median('megabytes'):.0f} | {folder} |"
        )
    for program in measured[1:]:
        if program.out:
            speedup = own.median("seconds") / program.median("seconds")
            print(f"\n{program.name} to one thread, wall time: {speedup:.2f}x")


def measure_board(arguments, zermelo, folder, board):
    width, height = board.split("x")
    rules = str(pathlib.Path(folder) / f"{board}.kif")
    with open(rules, "w") as file:
        subprocess.run([zermelo, "generate", "connect-four", width, height], stdout=file, check=True)
    measured = list(programs(arguments, zermelo, folder, rules, width, height))
    for _ in range(arguments.rounds):
        for program in measured:
            program.run()
    report(board, measured)
    return all(run.exit == 0 for program in measured for run in program.runs)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("boards", nargs="*", default=["5x5", "6x4"], help="WIDTHxHEIGHT")
    parser.add_argument("--zermelo", help="the executable (default: build it)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", action="store_true", help="also measure two threads")
    parser.add_argument("--baseline", action="append", default=[], metavar="NAME=COMMAND")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    zermelo = str(arguments.zermelo or built_program())
    with tempfile.TemporaryDirectory() as folder:
        ok = [measure_board(arguments, zermelo, folder, board) for board in arguments.boards]
    return 0 if all(ok) else 1


if __name__ == "__main__":
    sys.exit(main())
