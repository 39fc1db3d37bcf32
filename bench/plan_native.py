#!/usr/bin/env python3
"""Measures the native planner on the single-player games of a folder or on single files.

Each game is planned once by `zermelo plan --json`. Printed are the reward, whether it is proved to be the
best, the number of moves and the seconds, and at the end how many plans are proved. Files that are not
single-player games are left out. With --jobs 1 on an idle machine the seconds can be compared.

    bench/plan_native.py --time 60 games
    bench/plan_native.py --time 10 --jobs 2 --table1 ../shared/games/games

--table1 keeps only the games of Table 1 of "Translating Single-Player GDL into PDDL" (2013), found by
their names without case and underscores.
"""

import argparse
import concurrent.futures
import json
import pathlib
import re
import subprocess

from grounding import built_program

TABLE_1 = """8puzzle asteroids asteroidsparallel asteroidsserial blocks blocksworldparallel blocksworldserial
brain_teaser_extended buttons circlesolitaire cube_2x2x2 duplicatestatesmall duplicatestatemedium
duplicatestatelarge firefighter frogs_and_toads god hanoi hanoi_6_disks hitori incredible
kitten_escapes_from_fire knightmove knightstour lightsout lightsout2 max_knights maze mimikry oisters_farm
pancakes pancakes6 pancakes88 peg queens ruledepthlinear ruledepthquadratic statespacesmall
statespacemedium statespacelarge tpeg troublemaker01 troublemaker02 twisty-passages walkingman
wargame01""".split()

NOT_APPLICABLE = 4


def plain(name):
    return re.sub("[_-]", "", name.lower())


def rulesheets(paths, only_table1):
    wanted = {plain(name) for name in TABLE_1}
    for path in paths:
        files = sorted(path.glob("*.kif")) if path.is_dir() else [path]
        yield from (f for f in files if not only_table1 or plain(f.stem) in wanted)


def plan(program, game, arguments):
    command = [program, "plan", str(game), "--json", "--seed", str(arguments.seed)]
    command += ["--time", f"{arguments.time}s", "--memory", arguments.memory]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == NOT_APPLICABLE or not done.stdout:
        return None
    return json.loads(done.stdout)


def row(game, found):
    if "reward" not in found:
        return f"{game.stem:36} {found['error']['kind']}"
    seconds = found["seconds"]
    proved = "proved" if found["optimal"] else ""
    reward = "-" if found["reward"] is None else found["reward"]
    times = f"{seconds['translate']:7.2f} {seconds['planner']:7.2f}"
    return f"{game.stem:36} {reward:>6} {proved:6} {len(found['moves']):>5} {times}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--time", type=float, default=60, help="seconds a game (default 60)")
    parser.add_argument("--memory", default="4G")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="games at the same time (default 1)")
    parser.add_argument("--table1", action="store_true", help="only the games of the paper's Table 1")
    parser.add_argument("--program", help="the executable (default: built from this checkout)")
    parser.add_argument("paths", nargs="+", type=pathlib.Path, metavar="GAME|FOLDER")
    arguments = parser.parse_args()
    program = arguments.program or built_program()
    games = list(rulesheets(arguments.paths, arguments.table1))
    print(f"{'game':36} {'reward':>6} {'':6} {'moves':>5} {'rules s':>7} {'plan s':>7}")
    best = planned = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for game, found in zip(games, pool.map(lambda g: plan(program, g, arguments), games)):
            if found is None:
                continue
            planned += 1
            best += found.get("optimal", False)
            print(row(game, found), flush=True)
    print(f"\n{best} of {planned} games: proved to be the best")


if __name__ == "__main__":
    main()
