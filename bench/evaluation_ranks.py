#!/usr/bin/env python3
"""Prints how well each evaluator orders the positions of solved two-player games.

    bench/evaluation_ranks.py --folder solved --truth build/release/bench/evaluation_truth

Solves the games into --folder and keeps the solutions. Then takes positions of random games and prints Spearman's rank
correlation between their exact values and those of every evaluator (`evaluation_truth.cc`), as a table.
"""

import argparse
import pathlib
import subprocess
import sys

from grounding import built_program
from strength import solved

GAMES = ["tic tac toe", "connect four 4x4", "connect four 5x4", "breakthrough 3x5", "breakthrough 4x5", "clobber 4x4",
         "chomp 4x4", "nim 3x4x5", "sheep and wolf", "tic-tac-toe 4x3x3", "cubi-cup 3"]
EVALUATORS = ["basic", "distance", "fuzzy", "fuzzy:norm=yager", "fuzzy:cardinality=disjunction", "linear", "patterns"]


def ranks(folder, arguments):
    command = [arguments.truth, "ranks", str(arguments.positions), folder, *arguments.evaluators.split(",")]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout.split("\t")[1:] if done.returncode == 0 else None


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--zermelo", help="the executable (default: build it)")
    parser.add_argument("--truth", required=True, help="the program evaluation_truth")
    parser.add_argument("--folder", type=pathlib.Path, required=True, help="for solutions")
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--evaluators", default=",".join(EVALUATORS))
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--solve-seconds", type=float, default=60)
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    arguments.zermelo = arguments.zermelo or built_program()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    names = arguments.evaluators.split(",")
    print("| game | positions |", " | ".join(f"`{name}`" for name in names), "|")
    print("|---" * (len(names) + 2) + "|")
    for game in arguments.games.split(","):
        folder = solved(game, arguments)
        row = ranks(folder, arguments) if folder else None
        print(f"| {game} |", " | ".join(row).strip() if row else "not solved", "|", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
