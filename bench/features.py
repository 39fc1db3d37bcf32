#!/usr/bin/env python3
"""Counts the features that the evaluator `fuzzy` finds in the goals of games, and plays them against each other.

    bench/features.py found ../shared/games/games        how many games have each feature
    bench/features.py matches ../shared/games/games      each feature, and distance, against a handicapped player
    bench/features.py found ../shared/games/games --report

`found` makes the evaluator of every game of the folder within --time and counts the kinds of its parts. `matches` lets
alpha-beta with `fuzzy` play against alpha-beta with `fuzzy` without one feature, and `distance` against `basic`. One line
per game, or per match, is appended to the file, so an interrupted run is resumed by the same command.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys
import time

from grounding import built_program
from table_file import add_row, add_table_options, read_rows

KINDS = ["cardinality", "expression_cardinality", "order", "distance_between", "number_distance", "graph_distance",
         "persistent_fluent"]
FOUND = ["game", "seconds", "note", *KINDS]
MATCHES = ["game", "player", "opponent", "games", "mean", "half_width"]
# Games in which the feature is found, three each, and six games of Figure 6 of the paper on distance features.
HANDICAPS = {
    "cardinality": ["breakthrough", "othello-comp2007", "ticTacToe"],
    "order": ["checkers", "othello-comp2007", "battle"],
    "distance_between": ["pacman3p", "pacman2p", "mummymaze2p"],
    "number_distance": ["breakthrough", "pawnWhopping", "racetrackcorridor"],
    "graph_distance": ["chineseCheckers2", "catcha_mouse", "chineseCheckers3"],
    "persistence": ["connectFour", "ticTacToe", "doubletictactoe"],
}
DISTANCE = ["pawnWhopping", "breakthrough", "knightThrough", "catcha_mouse", "breakthroughSuicide", "tictactoe"]


def kinds_of(parts, counts):
    for part in parts:
        if part["kind"] in KINDS:
            counts[part["kind"], part["name"]] += 1
        kinds_of(part["children"], counts)


def find(game, arguments):
    """Returns how many different parts of each kind the evaluator has."""
    command = [arguments.zermelo, "evaluate", str(game), "--evaluator", "fuzzy", "--json", "--time", f"{arguments.time}s",
               "--memory", "4G"]
    begin = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    row = {"game": game.stem, "seconds": f"{time.monotonic() - begin:.2f}"}
    if done.returncode != 0:
        return {**row, "note": f"exit code {done.returncode}"}
    counts = collections.Counter()
    kinds_of(json.loads(done.stdout)["parts"], counts)
    return {**row, **collections.Counter(kind for kind, _ in counts)}


def find_all(arguments):
    done, begin = read_rows(arguments.out, "game"), time.monotonic()
    for game in sorted(arguments.folder.glob("*.kif")):
        if game.stem in done:
            continue
        if time.monotonic() - begin > arguments.budget:
            return
        row = find(game, arguments)
        add_row(arguments.out, FOUND, row)


def report_found(rows):
    made = [row for row in rows.values() if not row["note"]]
    print(f"{len(rows)} games, evaluators made for {len(made)}\n\n| feature | games |\n|---|---|")
    for kind in KINDS:
        print(f"| {kind} | {sum(bool(row[kind]) for row in made)} |")
    print(f"| none | {sum(not any(row[kind] for kind in KINDS) for row in made)} |")


def pairings():
    for feature, games in HANDICAPS.items():
        for game in games:
            yield game, "fuzzy", f"fuzzy:without={feature}"
    for game in DISTANCE:
        yield game, "distance", "basic"


def play(game, player, opponent, arguments):
    command = [arguments.zermelo, "match", str(game), "--games", str(arguments.number), "--threads", "1", "--json",
               "--time", "10m"]
    for evaluator in (player, opponent):
        command += ["--player", f"alphabeta:time={arguments.clock}s,evaluator={evaluator}"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        return None
    of_player = json.loads(done.stdout)["players"][0]
    return {"games": arguments.number, "mean": of_player["mean"], "half_width": of_player["half_width"]}


def play_all(arguments):
    done, begin = read_rows(arguments.out, "game", "player", "opponent"), time.monotonic()
    for game, player, opponent in pairings():
        if (game, player, opponent) in done:
            continue
        if time.monotonic() - begin > arguments.budget:
            return
        result = play(arguments.folder / f"{game}.kif", player, opponent, arguments)
        row = {"game": game, "player": player, "opponent": opponent, **(result or {})}
        add_row(arguments.out, MATCHES, row)
        print(row, flush=True)


def report_matches(rows):
    print("| game | player | opponent | games | mean goal |\n|---|---|---|---|---|")
    for row in rows.values():
        mean = f"{float(row['mean']):.0f} ± {float(row['half_width']):.0f}" if row["mean"] else "–"
        print(f"| {row['game']} | `{row['player']}` | `{row['opponent']}` | {row['games']} | {mean} |")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("task", choices=["found", "matches"])
    parser.add_argument("folder", type=pathlib.Path, help="a folder of rulesheets")
    add_table_options(parser, "features.tsv")
    parser.add_argument("--time", type=float, default=10, help="seconds for the evaluator of a game")
    parser.add_argument("--number", type=int, default=30, help="number of games of a match")
    parser.add_argument("--clock", default="0.05", help="seconds per move")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    is_found = arguments.task == "found"
    if not arguments.report:
        arguments.zermelo = arguments.zermelo or built_program()
        find_all(arguments) if is_found else play_all(arguments)
    rows = read_rows(arguments.out, *(["game"] if is_found else ["game", "player", "opponent"]))
    if not rows:
        sys.exit(f"no results in {arguments.out}")
    report_found(rows) if is_found else report_matches(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
