#!/usr/bin/env python3
"""Compares single-player games with the planning tasks made from them, along random games.

    bench/plan_twins.py ../shared/games/games              50 random games of each game in each style
    bench/plan_twins.py --seconds 60 --out long.tsv GAME   up to 60 s per style
    bench/plan_twins.py --report

Runs the program `planning_twins`, which is built with the tests: interpreters of the emitted PDDL and SAS+
are stepped beside the rules, and fluents, applicable actions, the end, rewards and derived atoms are
compared after every move. A line is appended to the file after each game, so an interrupted comparison is
resumed by the same command. Exit code 1 if there is a difference.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import time

from grounding import ROOT
from table_file import add_row, add_table_options, read_rows
from translate_table import rulesheets

STYLES = ("faithful", "ground", "sas")
FIELDS = ["game", *STYLES]
GROUNDING = 60  # seconds that a game may take beside the comparisons


def compare(program, game, playouts, seconds):
    """Maps the styles to what planning_twins reports."""
    command = [program, str(playouts), str(seconds), str(game)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=len(STYLES) * seconds + GROUNDING)
    except subprocess.TimeoutExpired as late:
        done = subprocess.CompletedProcess(command, 0, (late.stdout or b"").decode(), "")
    cells = dict(cell.split(" ", 1) for cell in done.stdout.strip().split("\t")[1:] if " " in cell)
    missing = "not translated in time" if done.returncode == 0 else f"exit code {done.returncode}"
    return {style: cells.get(style, missing).strip() for style in STYLES}


def report(rows, playouts):
    """Prints the counts; returns whether nothing differs."""
    same = True
    for style in STYLES:
        cells = {game: row[style] for game, row in rows.items()}
        found = {game: re.search(r"(\d+) playouts (\d+) states", cell) for game, cell in cells.items()}
        compared = {game: (int(m[1]), int(m[2])) for game, m in found.items() if m and int(m[2])}
        whole = sum(count >= playouts for count, _ in compared.values())
        states = sum(count for _, count in compared.values())
        print(f"{style:9} {len(compared)} of {len(cells)} games, {whole} with all {playouts} playouts, {states} states")
        for game, cell in cells.items():
            if game not in compared or cell.startswith("DIFFERENCE"):
                print(f"  {game}: {cell}")
        same = same and not any("DIFFERENCE" in cell or "exit code" in cell for cell in cells.values())
    return same


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    add_table_options(parser, "plan_twins.tsv")
    parser.add_argument("--twins", default=str(ROOT / "build/check/tests/planning_twins"), help="the program")
    parser.add_argument("--playouts", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=8, help="per game and style (default 8)")
    parser.add_argument("paths", nargs="*", type=pathlib.Path, metavar="GAME|FOLDER")
    arguments = parser.parse_args()
    if not arguments.report:
        rows = read_rows(arguments.out, "game")
        end = time.monotonic() + arguments.budget
        for game in rulesheets(arguments.paths):
            if game.stem in rows or time.monotonic() > end:
                continue
            row = {"game": game.stem, **compare(arguments.twins, game, arguments.playouts, arguments.seconds)}
            add_row(arguments.out, FIELDS, row)
            print(*row.values(), sep="\t", flush=True)
    sys.exit(0 if report(read_rows(arguments.out, "game"), arguments.playouts) else 1)


if __name__ == "__main__":
    main()
