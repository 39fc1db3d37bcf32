#!/usr/bin/env python3
"""Compares counting the states of Connect Four, from the text of the rules, with a BDD package.

In every round each program counts a board once, one after the other: `zermelo count` with one and
with two threads, a program based on BuDDy (buddy_connect_four.cc, compiled by this script), and those
given as --baseline NAME=COMMAND, where {width} and {height} are replaced by the size of the board.
Printed are the medians of processor time, wall time and peak memory, and their ratios to Zermelo with
one thread. The wall time ratio of two threads to one needs an idle machine. Every program must print
the number of states. It is compared with known_counts.py if the board is listed there. The exit code
is 1 if a number is wrong or a program fails.

    bench/count.py --rounds 3 5x5 6x5
    bench/count.py --baseline 'other=./other {width} {height}' 5x5
"""

import argparse
import json
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile

from grounding import ROOT, Limits, Run, built_program
from known_counts import KNOWN

LIMITS = Limits(seconds=3600, gibibytes=64)
BUDDY = ROOT / "bench/buddy_connect_four.cc"


def compile_buddy(folder):
    program = pathlib.Path(folder) / "buddy_connect_four"
    command = ["c++", "-O2", "-std=c++20", "-o", str(program), str(BUDDY), "-lbdd"]
    subprocess.run(command, check=True)
    return f"{program} {{width}} {{height}}"


def commands(zermelo, rules, buddy, baselines, width, height):
    """Maps names to commands. The first is the baseline of the ratios."""
    count = [zermelo, "count", rules, "--engine", "symbolic", "--json", "--threads"]
    result = {"zermelo": [*count, "1"], "zermelo, 2 threads": [*count, "2"]}
    for name, command in {"BuDDy": buddy, **baselines}.items():
        result[name] = shlex.split(command.format(width=width, height=height))
    return result


def measure(to_run, rounds):
    samples = {name: [] for name in to_run}
    for _ in range(rounds):
        for name, command in to_run.items():
            samples[name].append(Run(command, LIMITS, keep_output=True))
    return samples


def median(samples, field):
    return statistics.median(getattr(sample, field) for sample in samples)


def states_of(sample):
    """Reads the number of states from the JSON of Zermelo or from a line with a number."""
    try:
        said = json.loads(sample.output)
        return said.get("states", "-") if isinstance(said, dict) else str(said)
    except ValueError:
        return "-"


def is_right(sample, known):
    """True if the program succeeded and printed the known number, if there is one."""
    return sample.exit == 0 and (known is None or states_of(sample) == str(known))


def verdict(of_program, known):
    """Returns the count of the first wrong round, or of any round, and whether it is right."""
    wrong = [sample for sample in of_program if not is_right(sample, known)]
    if not wrong:
        return states_of(of_program[0]), "yes" if known else "not known"
    reason = f"exit code {wrong[0].exit}" if wrong[0].exit else f"NO: {known}"
    return states_of(wrong[0]), reason


def report(board, samples, known):
    print(f"\n{board}\n")
    print("| program | states | as known | processor s | x | clock s | peak MB | x |")
    print("|---|---|---|---|---|---|---|---|")
    own = samples["zermelo"]
    for name, of_program in samples.items():
        processor, megabytes = median(of_program, "processor_seconds"), median(of_program, "megabytes")
        states, as_known = verdict(of_program, known)
        print(
            f"| {name} | {states} | {as_known} | {processor:.2f} "
            f"| {processor / median(own, 'processor_seconds'):.2f} | {median(of_program, 'seconds'):.2f} "
            f"| {megabytes:.0f} | {megabytes / median(own, 'megabytes'):.2f} |"
        )
    speedup = median(own, "seconds") / median(samples["zermelo, 2 threads"], "seconds")
    print(f"\ntwo threads to one, wall time: {speedup:.2f}x")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("boards", nargs="*", default=["5x5", "6x5"], help="WIDTHxHEIGHT")
    parser.add_argument("--zermelo", help="the executable (default: build it)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--baseline", action="append", default=[], metavar="NAME=COMMAND")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    zermelo = arguments.zermelo or built_program()
    baselines = dict(text.split("=", 1) for text in arguments.baseline)
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        buddy = compile_buddy(folder)
        for board in arguments.boards:
            width, height = board.split("x")
            rules = str(pathlib.Path(folder) / f"{board}.kif")
            with open(rules, "w") as file:
                generate = [zermelo, "generate", "connect-four", width, height]
                subprocess.run(generate, stdout=file, check=True)
            to_run = commands(str(zermelo), rules, buddy, baselines, width, height)
            samples = measure(to_run, arguments.rounds)
            known = KNOWN.get(f"connect-four {width} {height}")
            report(board, samples, known)
            failed |= not all(is_right(s, known) for of_program in samples.values() for s in of_program)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
