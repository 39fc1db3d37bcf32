#!/usr/bin/env python3
"""Measures how often players find a forced win in positions from games of strong players.

    bench/sight.py --sight build/release/bench/sight --budget 280
    bench/sight.py --report

Collects positions first: games between UCT and alpha-beta from random openings, until every game has
--positions positions in which the player to move has a proved win in 3 to 9 plies and some other move
is not proved to win. At most --per-game positions come from one of these games. Then every player
(--players) chooses a move in each of them; the answer is right if its move is proved to win. Positions
and answers are kept in --folder as they arrive, so a run that was interrupted, or that stopped after
--budget seconds, can be resumed. --report prints the shares of right answers with 95% intervals and
measures nothing. Exit code 1 if the first player is below 99% at up to 5 plies, or below 95% beyond.

The program `sight` is built with -DZERMELO_BENCH=ON.
"""

import argparse
import collections
import pathlib
import random
import subprocess
import sys
import time

from grounding import ROOT

SHARED = ROOT.parent / "shared/games/games"
GAMES = {
    "breakthrough": ROOT / "games/breakthrough.kif",
    "connect four": ROOT / "games/connect_four.kif",
    "knightthrough": SHARED / "knightThrough.kif",
    "othello": ROOT / "games/othello.kif",
    "checkers": ROOT / "games/checkers.kif",
    "pentago": SHARED / "pentago__v1.kif",
}
STRONG = ["uct", "alphabeta:evaluator=linear"]
PLAYERS = ["auto", "uct:tactics=0"]


def lines_of(path):
    return path.read_text().splitlines() if path.exists() else []


def file_of(arguments, game, kind):
    return arguments.folder / f"{game.replace(' ', '_')}.{kind}.tsv"


def collect(game, arguments, out_of_time):
    """Plays games until there are enough positions."""
    path, games_path = file_of(arguments, game, "positions"), file_of(arguments, game, "games")
    while len(lines_of(path)) < arguments.positions and not out_of_time():
        seed = len(lines_of(games_path)) + 1
        command = [arguments.sight, "find", GAMES[game], str(seed), str(arguments.seconds), *STRONG]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        found = done.stdout.splitlines()
        kept = random.Random(seed).sample(found, min(len(found), arguments.per_game))
        with path.open("a") as file:
            file.writelines(line + "\n" for line in kept)
        with games_path.open("a") as file:
            file.write(f"{seed}\t{len(found)}\n")
        print(f"{game}: game {seed}, {len(found)} positions found", flush=True)


def ask(game, player, arguments, out_of_time):
    """Asks the player in the positions in which it was not asked yet, some at a time."""
    positions = lines_of(file_of(arguments, game, "positions"))[:arguments.positions]
    path = file_of(arguments, game, player.replace(":", "_").replace("=", "_"))
    while len(lines_of(path)) < len(positions) and not out_of_time():
        first = len(lines_of(path))
        some = positions[first:first + 10]
        time_option = ("," if ":" in player else ":") + f"time={arguments.clock}s"
        command = [arguments.sight, "ask", GAMES[game], player + time_option, str(first + 1)]
        done = subprocess.run(command, check=True, capture_output=True, text=True,
                              input="".join(line + "\n" for line in some))
        with path.open("a") as file:
            file.write(done.stdout)
        print(f"{game}, {player}: {len(lines_of(path))} of {len(positions)}", flush=True)


def wilson(right, total):
    """The 95% interval of a share, in percent."""
    if total == 0:
        return 0, 100
    z, share = 1.96, right / total
    centre, spread = share + z * z / (2 * total), z * (share * (1 - share) / total + z * z / (4 * total ** 2)) ** 0.5
    return 100 * (centre - spread) / (1 + z * z / total), 100 * (centre + spread) / (1 + z * z / total)


def counts_of(arguments, games, player):
    """Maps the class of plies to numbers of right, wrong and unknown answers."""
    counts = collections.defaultdict(collections.Counter)
    for game in games:
        for line in lines_of(file_of(arguments, game, player.replace(":", "_").replace("=", "_"))):
            plies, answer, _ = line.split("\t")
            counts["3 to 5" if int(plies) <= 5 else "6 to 9"][answer] += 1
    return counts


def share_text(counter):
    total = sum(counter.values())
    low, high = wilson(counter["right"], total)
    share = 100 * counter["right"] / total if total else 0
    return f"{counter['right']} of {total}: {share:.1f}% ({low:.1f} to {high:.1f})"


def report(arguments, games, players):
    print("| game | plies | " + " | ".join(players) + " |")
    print("|---" * (2 + len(players)) + "|")
    for name, some in [*((game, [game]) for game in games), ("all", games)]:
        counts = [counts_of(arguments, some, player) for player in players]
        for plies in ("3 to 5", "6 to 9"):
            print(f"| {name} | {plies} | " + " | ".join(share_text(one[plies]) for one in counts) + " |")


def is_good(arguments, games, player):
    counts = counts_of(arguments, games, player)
    share = {plies: counter["right"] / max(sum(counter.values()), 1) for plies, counter in counts.items()}
    return share.get("3 to 5", 0) >= 0.99 and share.get("6 to 9", 0) >= 0.95


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sight", help="the program sight", default=ROOT / "build/release/bench/sight")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("sight"))
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--players", default=" ".join(PLAYERS), help="specifications, separated by spaces")
    parser.add_argument("--positions", type=int, default=50, help="of each game")
    parser.add_argument("--per-game", type=int, default=3, help="positions from one game")
    parser.add_argument("--seconds", type=float, default=0.1, help="per move of the strong players")
    parser.add_argument("--clock", default="1", help="seconds per move of the players that are asked")
    parser.add_argument("--budget", type=float, default=float("inf"), help="seconds after which no run is started")
    parser.add_argument("--report", action="store_true", help="print the results and exit")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    games, players = arguments.games.split(","), arguments.players.split(" ")
    begin = time.monotonic()
    out_of_time = lambda: time.monotonic() - begin > arguments.budget
    if not arguments.report:
        arguments.folder.mkdir(parents=True, exist_ok=True)
        for game in games:
            collect(game, arguments, out_of_time)
        for game in games:
            for player in players:
                ask(game, player, arguments, out_of_time)
    report(arguments, games, players)
    return 0 if is_good(arguments, games, players[0]) else 1


if __name__ == "__main__":
    sys.exit(main())
