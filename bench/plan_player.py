#!/usr/bin/env python3
"""Plays single-player games by `zermelo player` under `zermelo referee`, and prints the rewards.

    bench/plan_player.py ../shared/games/games          the nine games below, clocks of 20 s and 3 s
    bench/plan_player.py --games lightsOut,hanoi_6_disks ../shared/games/games
    bench/plan_player.py --report

The player has one thread. A new one is started for each game. A line is appended to the file after each game, so
an interrupted measurement is resumed by the same command. The load of the machine is recorded with each
game. Exit code 1 if a reward is below 100, or if a move was late or illegal.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

from grounding import built_program
from soak import FAULTS, Player
from table_file import add_row, add_table_options, read_rows

GAMES = """asteroidsParallel asteroidsSerial lightsOut eightPuzzle 8puzzle knightsTour incredible hanoi_6_disks
sudokuGrade1""".split()
FIELDS = ["game", "reward", "moves", "faults", "seconds", "load"]


def play(program, game, arguments):
    player = Player(program, 1)
    begin = time.monotonic()
    try:
        command = [program, "referee", str(game), "--player", player.address, "--json"]
        command += ["--start-clock", str(arguments.start_clock), "--play-clock", str(arguments.play_clock)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    finally:
        player.end()
    answer = json.loads(done.stdout)
    record = answer["records"][0]
    return {
        "reward": record["goalValues"][0],
        "moves": len(record["moves"]),
        "faults": sum(answer["faults"][name] for name in FAULTS),
        "seconds": f"{time.monotonic() - begin:.1f}",
        "load": f"{os.getloadavg()[0]:.1f}",
    }


def report(rows):
    print(f"{'game':24}" + "".join(f"{field:>8}" for field in FIELDS[1:]))
    for row in rows.values():
        print(f"{row['game']:24}" + "".join(f"{row[field]:>8}" for field in FIELDS[1:]))
    return all(row["reward"] == "100" and row["faults"] == "0" for row in rows.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    add_table_options(parser, "plan_player.tsv")
    parser.add_argument("--games", default=",".join(GAMES), help="names, separated by commas")
    parser.add_argument("--start-clock", type=int, default=20)
    parser.add_argument("--play-clock", type=int, default=3)
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    arguments = parser.parse_args()
    if not arguments.report:
        program = arguments.zermelo or built_program()
        rows = read_rows(arguments.out, "game")
        end = time.monotonic() + arguments.budget
        for name in arguments.games.split(","):
            if name in rows or time.monotonic() > end:
                continue
            row = {"game": name, **play(program, arguments.folder / f"{name}.kif", arguments)}
            add_row(arguments.out, FIELDS, row)
            print(*row.values(), flush=True)
    sys.exit(0 if report(read_rows(arguments.out, "game")) else 1)


if __name__ == "__main__":
    main()
