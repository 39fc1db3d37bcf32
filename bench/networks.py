#!/usr/bin/env python3
"""Measures the networks that evaluate states: their resolution, what training improves, and how they play.

    bench/networks.py resolution --games-folder ../shared/games/games --resolution build/release/bench/resolution
    bench/networks.py training --truth build/release/bench/evaluation_truth
    bench/networks.py starts --truth build/release/bench/evaluation_truth
    bench/networks.py matches
    bench/networks.py training --report

`resolution` compares the original C-IL2P with the generalised version on the states at depth 1 of every game
(`resolution.cc`). `training` solves games, trains a network for --train seconds by self-play, and measures before and after:
Spearman's rank correlation with the exact values (`evaluation_truth.cc`), and how often one-ply search and alpha-beta keep
the value of random positions. `starts` trains one network from the correct weights and one from noise and prints the rank
correlation after so many games. `matches` plays alpha-beta with a trained network against alpha-beta with `fuzzy`. One row
is appended to the file (--out) per game, so that the same command resumes an interrupted run.
"""

import argparse
import json
import math
import pathlib
import subprocess
import sys
import time

from grounding import built_program
from strength import rules_of, solved
from table_file import add_row, add_table_options, read_rows

SOLVED = ["tic tac toe", "connect four 4x4", "connect four 5x4", "breakthrough 3x5", "breakthrough 4x5", "clobber 4x4",
          "sheep and wolf", "tic-tac-toe 4x3x3", "nim 3x4x5", "chomp 4x4"]
PLAYED = ["breakthrough", "connect four", "othello", "checkers", "clobber", "chinese checkers 2"]
PRECISION = -53 * math.log10(2)  # the logarithm that stands for an interval of size 0, as in the paper
FIELDS = {
    "resolution": ["game", "note", "inputs", "rules", "states", "original", "original_distinct", "generalised",
                   "generalised_distinct", "tested", "wrong"],
    "training": ["game", "seconds", "positions", "rank_before", "rank_after", "ply_before", "ply_after", "deep_before",
                 "deep_after"],
    "starts": ["game", "games", "correct", "noise"],
    "matches": ["game", "seconds", "games", "mean", "half_width"],
}


def run(command, seconds):
    """Returns the output of a command, or None if it fails or takes too long."""
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None
    return done.stdout if done.returncode == 0 else None


def resolution_rows(arguments, done):
    for game in sorted(arguments.games_folder.glob("*.kif")):
        if game.stem in done:
            continue
        output = run([arguments.resolution, game], 30)
        row = {"game": game.stem, "note": ""}
        cells = output.strip().split("\t")[1:] if output else ["too slow"]
        if len(cells) == 1:
            row["note"] = cells[0]
        else:
            row |= dict(zip(FIELDS["resolution"][2:], cells))
        yield row


def logarithm(size):
    return math.log10(float(size)) if float(size) > 0 else PRECISION


def report_resolution(rows):
    made = [row for row in rows.values() if not row["note"] and int(row["rules"]) > 0]
    sizes = [(logarithm(row["original"]), logarithm(row["generalised"])) for row in made]
    seen = [pair for pair in sizes if max(pair) > PRECISION]
    distinct = [(int(row["original_distinct"]), int(row["generalised_distinct"])) for row in made]

    def mean(values):
        values = list(values)
        return f"{sum(values) / len(values):.2f}" if values else "-"

    print("| | paper | here |\n|---|---|---|")
    print(f"| games with a goal that is not trivial | 161 | {len(made)} of {len(rows)} |")
    print(f"| mean logarithm, original | -12.92 | {mean(a for a, _ in sizes)} |")
    print(f"| mean logarithm, generalised | -10.13 | {mean(b for _, b in sizes)} |")
    print(f"| without machine precision, original | -9.91 | {mean(a for a, _ in seen)} |")
    print(f"| without machine precision, generalised | -4.38 | {mean(b for _, b in seen)} |")
    print(f"| larger interval | 81 | {sum(b > a for a, b in sizes)} |")
    print(f"| equal interval | 77 | {sum(a == b for a, b in sizes)} |")
    print(f"| smaller interval | 3 | {sum(a > b for a, b in sizes)} |")
    print(f"| more distinct states | 41 | {sum(b > a for a, b in distinct)} |")
    print(f"| fewer distinct states | 0 | {sum(b < a for a, b in distinct)} |")
    print(f"| tested sets of inputs | | {sum(int(row['tested']) for row in made)} |")
    print(f"| of these represented wrongly | | {sum(int(row['wrong']) for row in made)} |")


def train(game, file, arguments, *options):
    rules = rules_of(game, arguments)
    output = run([arguments.zermelo, "train", rules, "--out", file, "--json", "--progress", "never", *options], 3600)
    return json.loads(output) if output else None


def rank_correlations(folder, evaluators, arguments):
    output = run([arguments.truth, "ranks", arguments.positions, folder, *evaluators], 600)
    return output.strip().split("\t")[2:] if output else []


def shares_kept(game, folder, players, arguments):
    """For each player: the share of positions in which it keeps the value, with its 95% interval, as percent."""
    command = [arguments.zermelo, "experiment", "strength", "--game", rules_of(game, arguments), "--values", folder,
               "--positions", arguments.strength_positions, "--progress", "never", "--json"]
    for player in players:
        command += ["--player", player]
    output = run(command, 3600)
    return ["{:.0f} ({:.0f}-{:.0f})".format(*(100 * of[x] for x in ("kept", "low", "high")))
            for of in json.loads(output)["players"]]


def training_rows(arguments, done):
    for game in arguments.games or SOLVED:
        if game in done:
            continue
        folder = solved(game, arguments)
        if not folder:
            continue
        file = arguments.folder / f"{game.replace(' ', '_')}.network"
        file.unlink(missing_ok=True)
        trained = train(game, file, arguments, "--time", f"{arguments.train}s")
        evaluators = ["network", f"network:{file}"]
        ranks = rank_correlations(folder, evaluators, arguments)
        players = [f"alphabeta:{limit},evaluator={e}" for limit in ("depth=1", "time=0.1s") for e in evaluators]
        row = {"game": game, "seconds": arguments.train, "positions": trained["positions"]}
        yield row | dict(zip(FIELDS["training"][3:], [*ranks, *shares_kept(game, folder, players, arguments)]))


def starts_rows(arguments, done):
    for game in arguments.games or SOLVED:
        folder = solved(game, arguments) if not any(key[0] == game for key in done) else None
        files = {start: arguments.folder / f"{game.replace(' ', '_')}-{start}.network" for start in ("correct", "noise")}
        for file in files.values():
            if folder:
                file.unlink(missing_ok=True)
        games, step = 0, 256
        while folder and games < arguments.most_games:
            for start, file in files.items():
                train(game, file, arguments, "--games", step, "--start", start, "--time", "600s")
            games += step
            step = games  # doubles
            ranks = rank_correlations(folder, [f"network:{file}" for file in files.values()], arguments)
            yield {"game": game, "games": games, "correct": ranks[0], "noise": ranks[1]}


def matches_rows(arguments, done):
    for game in arguments.games or PLAYED:
        if game in done:
            continue
        file = arguments.folder / f"{game.replace(' ', '_')}.network"
        file.unlink(missing_ok=True)
        if not train(game, file, arguments, "--time", f"{arguments.train}s"):
            continue
        command = [arguments.zermelo, "match", rules_of(game, arguments), "--games", arguments.number, "--threads", "1",
                   "--progress", "never", "--json"]
        for evaluator in (f"network:{file}", "fuzzy"):
            command += ["--player", f"alphabeta:time={arguments.clock}s,evaluator={evaluator}"]
        output = run(command, 3600)
        if output:
            answer = json.loads(output)
            yield {"game": game, "seconds": arguments.train, "games": arguments.number, "mean": answer["mean_goals"][0],
                   "half_width": answer["half_widths"][0]}


def print_table(rows, fields):
    print("|", " | ".join(fields), "|\n" + "|---" * len(fields) + "|")
    for row in rows.values():
        print("|", " | ".join(row[field] for field in fields), "|")


MEASURE = {"resolution": resolution_rows, "training": training_rows, "starts": starts_rows, "matches": matches_rows}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("task", choices=MEASURE)
    add_table_options(parser, "networks.tsv")
    parser.set_defaults(out=None)
    parser.add_argument("--games-folder", type=pathlib.Path, help="rulesheets for `resolution`")
    parser.add_argument("--resolution", help="the program resolution")
    parser.add_argument("--truth", help="the program evaluation_truth")
    parser.add_argument("--games", type=lambda text: text.split(","), help="shipped games, or families with sizes")
    parser.add_argument("--train", type=float, default=300, help="seconds of training")
    parser.add_argument("--most-games", type=int, default=16384, help="of training, for `starts`")
    parser.add_argument("--positions", type=int, default=1000, help="for rank correlations")
    parser.add_argument("--strength-positions", type=int, default=200, help="for shares of kept values")
    parser.add_argument("--solve-seconds", type=float, default=60)
    parser.add_argument("--number", type=int, default=40, help="games of a match")
    parser.add_argument("--clock", default="0.1", help="seconds per move")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("networks"), help="for solutions and networks")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    arguments.out = arguments.out or pathlib.Path(f"networks-{arguments.task}.tsv")
    key = ["game", "games"] if arguments.task == "starts" else ["game"]
    if not arguments.report:
        arguments.zermelo = arguments.zermelo or built_program()
        arguments.folder.mkdir(parents=True, exist_ok=True)
        begin = time.monotonic()
        for row in MEASURE[arguments.task](arguments, read_rows(arguments.out, *key)):
            add_row(arguments.out, FIELDS[arguments.task], row)
            print(*row.values(), sep="\t", flush=True)
            if time.monotonic() - begin > arguments.budget:
                break
    rows = read_rows(arguments.out, *key)
    if not rows:
        sys.exit(f"no results in {arguments.out}")
    report_resolution(rows) if arguments.task == "resolution" else print_table(rows, FIELDS[arguments.task])
    return 0


if __name__ == "__main__":
    sys.exit(main())
