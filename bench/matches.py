#!/usr/bin/env python3
"""Plays matches of the default player against plain UCT and against random moves.

    bench/matches.py --budget 280
    bench/matches.py --report

The default player plays --number matches of every game against each opponent, with rotating roles
(`zermelo match`). One line per game and opponent is appended to the file (--out) when it finishes, so
a run that was interrupted, or that stopped after --budget seconds, can be resumed. --report prints the
file as a table with 95% intervals and plays nothing. At the end every game that the default lost more
often than it won is listed, with the result of a sign test at 5%. Exit code 1 if a losing record is
statistically significant.
"""

import argparse
import json
import subprocess
import pathlib
import sys
import time

from grounding import ROOT, built_program
from table_file import add_row, add_table_options, read_rows

GAMES = ["breakthrough", "chomp", "clobber", "connect_four", "number_tic_tac_toe", "othello",
         "sheep_and_wolf", "tic_tac_toe"]
OPPONENTS = {"uct without proofs": "uct:time={clock}s,proofs=no", "random": "random"}
KEY = ("game", "opponent", "clock", "games")
FIELDS = [*KEY, "completed", "mean", "half_width", "wins", "draws", "losses"]


def outcomes(answer):
    """Returns how often the first player got more, the same and less than the second."""
    counts = {"wins": 0, "draws": 0, "losses": 0}
    for number, record in enumerate(answer["records"]):
        if not record["isCompleted"]:
            continue
        own, other = record["goalValues"][number % 2], record["goalValues"][1 - number % 2]
        counts["wins" if own > other else "losses" if own < other else "draws"] += 1
    return counts


def play(game, opponent, arguments):
    command = [arguments.zermelo, "match", ROOT / f"games/{game}.kif", "--json",
               "--games", str(arguments.number), "--threads", str(arguments.threads),
               "--player", f"uct:time={arguments.clock}s",
               "--player", OPPONENTS[opponent].format(clock=arguments.clock)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    answer = json.loads(done.stdout)
    row = dict(zip(KEY, (game, opponent, arguments.clock, str(arguments.number))))
    row.update(outcomes(answer), completed=answer["completed"],
               mean=answer["mean_goals"][0], half_width=answer["half_widths"][0])
    return row


def run_all(arguments):
    done = read_rows(arguments.out, *KEY)
    begin = time.monotonic()
    for game in arguments.games.split(","):
        for opponent in arguments.opponents.split(","):
            if (game, opponent, arguments.clock, str(arguments.number)) in done:
                continue
            if time.monotonic() - begin > arguments.budget:
                return
            row = play(game, opponent, arguments)
            add_row(arguments.out, FIELDS, row)
            print(game, opponent, mean_goal(row), flush=True)


def mean_goal(row):
    return f"{float(row['mean']):.1f} ± {float(row['half_width']):.1f}"


def report(rows):
    print("Mean goal of the default, with 95% intervals, and games won, drawn and lost:\n")
    print("| game | opponent | clock | games | mean goal | won | drawn | lost |")
    print("|---" * 8 + "|")
    for row in rows.values():
        print(f"| {row['game']} | {row['opponent']} | {row['clock']} s | {row['completed']} | "
              f"{mean_goal(row)} | {row['wins']} | {row['draws']} | {row['losses']} |")
    print()


def is_significant(wins, losses):
    """The sign test at 5%, with the normal approximation. Draws are ignored."""
    return abs(wins - losses) > 1.96 * (wins + losses) ** 0.5


def losing(rows):
    """Yields a sentence for each losing record, and whether it is significant."""
    for row in rows.values():
        wins, losses = int(row["wins"]), int(row["losses"])
        if wins < losses:
            significant = is_significant(wins, losses)
            yield (f"{row['game']} against {row['opponent']}: {wins} won, {losses} lost, "
                   f"{'significant' if significant else 'not significant'}", significant)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_table_options(parser, "matches.tsv")
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--opponents", default=",".join(OPPONENTS))
    parser.add_argument("--number", type=int, default=100, help="number of games against each opponent")
    parser.add_argument("--clock", default="0.1", help="seconds per move")
    parser.add_argument("--threads", type=int, default=2, help="number of parallel games")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    if not arguments.report:
        arguments.zermelo = arguments.zermelo or built_program()
        run_all(arguments)
    rows = read_rows(arguments.out, *KEY)
    if not rows:
        sys.exit(f"no results in {arguments.out}")
    if arguments.report:
        report(rows)
    found = list(losing(rows))
    print("\n".join(sentence for sentence, _ in found) or "no losing record")
    return 1 if any(significant for _, significant in found) else 0


if __name__ == "__main__":
    sys.exit(main())
