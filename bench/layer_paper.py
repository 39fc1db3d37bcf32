#!/usr/bin/env python3
"""Solves the games of Table 1 of Kissmann and Edelkamp, "Layer-Abstraction for Symbolically Solving
General Two-Player Games" (ICAPS 2010 workshop on planning in games), and compares the results.

    bench/layer_paper.py --shared ../shared/games/games --time 120 --out layer_paper.tsv
    bench/layer_paper.py --out layer_paper.tsv --markdown

The times of the paper were measured on a 2.67 GHz Core i7 920. Ours are the processor time of one
thread, from the text of the rules to the stored folder, without distances. The last column describes
differences in the rules. One line per game is appended to the file when it finishes, so an
interrupted run can be resumed.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

from grounding import Limits, Run
from table_file import add_row, read_rows

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIELDS = ["game", "rules", "result", "paper", "states", "seconds", "paper_seconds", "megabytes", "algorithm", "note"]

# game, rules (a family with sizes, or a file), result and seconds of the paper, differences
GAMES = [
    ("Catch a Mouse", "shared:catcha_mouse", "100/0", 19.04, ""),
    ("Catch a Mouse", "games:catch_a_mouse", "100/0", 19.04, "23 cells; theirs has a larger board"),
    ("Chinese Checkers 2", "shared:chineseCheckers2", "50/50", 405.11, ""),
    ("Chinese Checkers 2", "shared:chineseCheckers2__v1", "50/50", 405.11, ""),
    ("Chinese Checkers 2", "games:chinese_checkers_2", "50/50", 405.11, "no step counter: ends when all pass"),
    ("Chomp 8x7", "chomp 8 7", "100/0", 4.21, ""),
    ("Chomp 10x10", "chomp 10 10", "100/0", 48.26, "8,498,776 states in layers, as published"),
    ("Clobber 4x5", "clobber 4 5", "30/0", 444.13, "win 100, loss 0"),
    ("Clobber 4x5", "clobber 4 5 tokens", "30/0", 444.13, "10 for each token of the winner that is left; theirs are not printed in full"),
    ("Connect Four 5x6", "connect-four 5 6", "50/50", 1827.85, ""),
    ("Connect Four 6x6", "connect-four 6 6", "0/100", 33828.46, ""),
    ("Cubi Cup 5", "cubi-cup 5", "100/0", 33936.74, "a cup of the other colour on top is a draw"),
    ("Cubi Cup", "shared:cubicup", "100/0", 33936.74, ""),
    ("Nim 4", "shared:nim4", "100/0", 4.15, "heaps 12, 12, 20, 20, states as published; the nim-sum is 0, so theory agrees with ours"),
    ("Number Tic-Tac-Toe", "shared:numbertictactoe", "100/0", 63.33, ""),
    ("Number Tic-Tac-Toe", "games:number_tic_tac_toe", "100/0", 63.33, ""),
    ("Sheep and Wolf", "shared:sheepAndWolf", "0/100", 12.90, ""),
    ("Sheep and Wolf", "games:sheep_and_wolf", "0/100", 12.90, ""),
    ("Tic-Tac-Toe", "tic-tac-toe 3 3 3", "50/50", 0.60, ""),
]


def write_rules(arguments, rules, path):
    """Returns whether the rules are available."""
    where, _, name = rules.partition(":")
    if name:
        source = (arguments.shared if where == "shared" else ROOT / "games") / f"{name}.kif"
        if not source.exists():
            return False
        path.write_bytes(source.read_bytes())
        return True
    command = [arguments.zermelo, "generate", *rules.split()]
    path.write_bytes(subprocess.run(command, capture_output=True, check=True).stdout)
    return True


def solve(arguments, rules, folder):
    out = pathlib.Path(folder) / "solution"
    command = [arguments.zermelo, "solve", str(rules), "--engine", "symbolic", "--no-distance", "--json"]
    command += ["--threads", "1", "--out", str(out), "--time", f"{arguments.time}s"]
    return Run(command, Limits(seconds=3 * arguments.time + 30, gibibytes=64), keep_output=True)


def measure(arguments, game, rules, paper, seconds, note):
    row = {"game": game, "rules": rules, "paper": paper, "paper_seconds": f"{seconds:.2f}", "note": note}
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "rules.kif"
        if not write_rules(arguments, rules, path):
            return None
        run = solve(arguments, path, folder)
    if run.exit != 0:
        row["result"] = {4: "refused", 5: "memory", 6: "time"}.get(run.exit, f"exit {run.exit}")
        return row
    answer = json.loads(run.output)
    row["result"] = "-" if answer["values"] is None else "/".join(map(str, answer["values"]))
    row["states"] = answer["states"]
    row["seconds"] = f"{run.processor_seconds:.2f}"
    row["megabytes"] = f"{run.megabytes:.0f}"
    row["algorithm"] = answer["algorithm"]
    return row


def markdown(rows):
    print("| game | rules | result | paper | states | s | paper's s | MB | |")
    print("|---|---|---|---|---|---|---|---|---|")
    for row in rows:
        states = f"{int(row['states']):,}" if row["states"] else ""
        print(
            f"| {row['game']} | `{row['rules']}` | {row['result']} | {row['paper']} | {states} | {row['seconds']} "
            f"| {row['paper_seconds']} | {row['megabytes']} | {row['note']} |"
        )


def main():
    parser = argparse.ArgumentParser(description="The games of Table 1 of the paper on layer abstraction.")
    parser.add_argument("--zermelo", default=str(ROOT / "zermelo"), help="the executable")
    parser.add_argument("--shared", type=pathlib.Path, default=ROOT / "../shared/games/games")
    parser.add_argument("--time", type=int, default=120, help="seconds per game")
    parser.add_argument("--only", default="", help="only rules whose name contains this")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("layer_paper.tsv"))
    parser.add_argument("--markdown", action="store_true", help="print the file as a table")
    arguments = parser.parse_args()
    done = read_rows(arguments.out, "rules")
    if arguments.markdown:
        markdown([done[rules] for _, rules, *_ in GAMES if rules in done])
        return 0
    for game in GAMES:
        if game[1] in done or arguments.only not in game[1]:
            continue
        row = measure(arguments, *game)
        if row:
            add_row(arguments.out, FIELDS, row)
            print(*(row.get(field, "") for field in FIELDS[1:6]), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
