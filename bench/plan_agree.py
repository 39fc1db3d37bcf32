#!/usr/bin/env python3
"""Compares the best rewards of single-player games that Fast Downward, SymK, the native planner and `solve` prove.

    bench/plan_agree.py ../shared/games/games           20 s a run
    bench/plan_agree.py --every 2 ../shared/games/games  every second game
    bench/plan_agree.py --report

A line is appended to the file after each run, so an interrupted comparison is resumed by the same command.
Exit code 1 if two proved rewards of a game differ.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import time

from grounding import built_program
from plan_table import is_single_player, plan
from table_file import add_row, add_table_options, read_rows

COLUMNS = {
    "fast-downward": ["--planner", "fast-downward"],
    "symk": ["--planner", "symk"],
    "native": [],
    "solve": None,
}
FIELDS = ["game", "column", "reward", "optimal", "moves", "seconds", "note"]


def solve(program, game, limit, memory):
    begin = time.monotonic()
    command = [program, "solve", str(game), "--json", "--time", f"{limit}s", "--memory", memory]
    done = subprocess.run(command, capture_output=True, text=True)
    values = json.loads(done.stdout).get("values") if done.stdout else None
    row = {"seconds": f"{time.monotonic() - begin:.2f}", "optimal": bool(values)}
    return {**row, "reward": values[0]} if values else {**row, "note": f"exit code {done.returncode}"}


def measure(program, game, column, arguments):
    if column == "solve":
        return solve(program, game, arguments.time, arguments.memory)
    return plan(program, game, COLUMNS[column], arguments.time, arguments.memory)


def proved(rows, game):
    """Maps the columns that proved the best reward of the game to it."""
    found = {column: rows.get((game, column)) for column in COLUMNS}
    return {c: row["reward"] for c, row in found.items() if row and row["optimal"] == "True"}


def report(rows):
    found = {game: proved(rows, game) for game in sorted({game for game, _ in rows})}
    compared = {game: rewards for game, rewards in found.items() if len(rewards) > 1}
    differing = {game: rewards for game, rewards in compared.items() if len(set(rewards.values())) > 1}
    for game, rewards in differing.items():
        print(game, rewards)
    counts = ", ".join(f"{c} {sum(c in rewards for rewards in found.values())}" for c in COLUMNS)
    print(f"{len(found)} games; proved by {counts}; by two or more {len(compared)}; {len(differing)} differ")
    return not differing


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    add_table_options(parser, "plan_agree.tsv")
    parser.add_argument("--time", type=float, default=20, help="seconds a run")
    parser.add_argument("--memory", default="8G")
    parser.add_argument("--every", type=int, default=1, help="only every n-th game")
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    arguments = parser.parse_args()
    if not arguments.report:
        program = arguments.zermelo or built_program()
        rows = read_rows(arguments.out, "game", "column")
        end = time.monotonic() + arguments.budget
        single = [game for game in sorted(arguments.folder.glob("*.kif")) if is_single_player(game)]
        for game in single[:: arguments.every]:
            for column in COLUMNS:
                if (game.stem, column) in rows or time.monotonic() > end:
                    continue
                row = {"game": game.stem, "column": column, **measure(program, game, column, arguments)}
                add_row(arguments.out, FIELDS, row)
                print(game.stem, column, row.get("reward", ""), row["seconds"], flush=True)
    sys.exit(0 if report(read_rows(arguments.out, "game", "column")) else 1)


if __name__ == "__main__":
    main()
