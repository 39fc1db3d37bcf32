#!/usr/bin/env python3
"""Counts games whose number of reachable states is known, from generated rules, with both engines.

    bench/known_counts.py                              # up to 30 million states, a few minutes
    bench/known_counts.py --most 200000000 --engines symbolic peg
    bench/known_counts.py connect-four clobber

Prints time and memory of each engine, with one thread by default. Exit code 1 if a number differs
from the known one. Sources: tic-tac-toe and clobber (including the player to move) from Edelkamp and
Kissmann, "Symbolic exploration for general game playing in PDDL"; Connect Four as counted by other
programs, 7x6 as published by the same authors; 9!/2 positions of the 8-puzzle; 3^n for the Towers of
Hanoi; peg solitaire by enumeration with a separate program.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

from grounding import Limits, Run, built_program

KNOWN = {
    "tic-tac-toe 3 3 3": 5_478,
    "clobber 1 6": 28,
    "clobber 3 4": 13_343,
    "clobber 4 5": 26_787_440,
    "sliding-tiles 3 3 unlimited": 181_440,
    "hanoi 5 3 unlimited": 243,
    "hanoi 12 3 unlimited": 531_441,
    "connect-four 4 4": 161_029,
    "connect-four 4 5": 1_706_255,
    "connect-four 5 4": 3_945_711,
    "connect-four 4 6": 15_835_683,
    "connect-four 5 5": 69_763_700,
    "connect-four 6 4": 94_910_577,
    "peg english": 187_636_299,
    "connect-four 5 6": 1_044_334_437,
    "connect-four 7 4": 2_265_792_710,
    "connect-four 6 5": 2_818_972_642,
    "connect-four 6 6": 69_173_028_785,
    "connect-four 7 6": 4_531_985_219_092,
}
LIMITS = Limits(seconds=24 * 3600, gibibytes=1024)


def count(zermelo, rules, engine, threads):
    command = [zermelo, "count", rules, "--engine", engine, "--json", "--threads", str(threads)]
    run = Run(command, LIMITS, keep_output=True)
    return run, json.loads(run.output) if run.exit == 0 else {"states": f"exit code {run.exit}"}


def compare(zermelo, game, folder, arguments):
    """Prints a line per engine. Returns whether all numbers are right."""
    rules = pathlib.Path(folder) / "game.kif"
    with rules.open("w") as file:
        subprocess.run([zermelo, "generate", *game.split()], stdout=file, check=True)
    right = True
    for engine in arguments.engines.split(","):
        run, answer = count(zermelo, str(rules), engine, arguments.threads)
        right &= answer["states"] == str(KNOWN[game])
        nodes = answer.get("peak_nodes") or "-"
        print(f"| {game} | {KNOWN[game]} | {engine} | {answer['states']} | {run.processor_seconds:.2f} "
              f"| {run.megabytes:.0f} | {nodes} |", flush=True)
    return right


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("families", nargs="*", help="only these families")
    parser.add_argument("--zermelo", help="the executable (default: build it)")
    parser.add_argument("--engines", default="symbolic,explicit")
    parser.add_argument("--most", type=int, default=30_000_000, help="maximum number of states")
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    zermelo = str(arguments.zermelo or built_program())
    print("| game | known | engine | states | processor s | peak MB | peak nodes |")
    print("|---|---|---|---|---|---|---|")
    right = True
    with tempfile.TemporaryDirectory() as folder:
        for game, states in KNOWN.items():
            selected = not arguments.families or game.split()[0] in arguments.families
            if selected and states <= arguments.most:
                right &= compare(zermelo, game, folder, arguments)
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
