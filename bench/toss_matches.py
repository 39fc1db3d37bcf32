#!/usr/bin/env python3
"""The tables of the Toss papers with our players: alpha-beta with the heuristics of Toss against others.

    bench/toss_matches.py                            20 games each, 0.3 s a move
    bench/toss_matches.py --games 4 --time 0.1s      a short one

Prints, for each Toss game and opponent, the shares of games won by Toss, won by the opponent, and tied,
beside the paper's (Table 1 of "First-Order Logic with Counting for General Game Playing", against
Fluxplayer). The fuzzy evaluation with distances stands in Fluxplayer's place. `fixed` searches to a fixed
depth, `variable` deepens until the time is used. The second table is Table 1 of "Translating the Game
Description Language to Toss": the heuristic of the hand-written game against that of its translation.
"""

import argparse
import json
import pathlib
import subprocess

from grounding import built_program

ROOT = pathlib.Path(__file__).resolve().parent.parent
GAMES = {
    "breakthrough": ("Breakthrough", 3, "95 / 5 / 0"),
    "connect_four": ("Connect4", 5, "20 / 75 / 5"),
    "gomoku": ("Connect5", 2, "0 / 0 / 100"),
    "pawn_whopping": ("Pawn Whopping", 5, "50 / 50 / 0"),
}
MANUAL = {"breakthrough": "55 / 45 / 0", "gomoku": "0 / 0 / 100"}


def play(program, game, players, games, seconds):
    """Shares in percent: games won by the first player, by the second, ties."""
    command = [program, "match", str(game), "--json", "--threads", "1", "--games", str(games)]
    for player in players:
        command += ["--player", player]
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    if done.returncode != 0:
        return done.stderr.strip().splitlines()[-1] if done.stderr else f"exit {done.returncode}"
    won = [0, 0, 0]
    answer = json.loads(done.stdout)
    for game_number, record in enumerate(answer["records"]):
        goals = [record["goalValues"][(player + game_number) % 2] for player in range(2)]
        won[0 if goals[0] > goals[1] else 1 if goals[1] > goals[0] else 2] += 1
    return " / ".join(f"{100 * count / sum(won):.0f}" for count in won)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--time", default="0.3s")
    parser.add_argument("--only", choices=sorted(GAMES), action="append")
    parser.add_argument("--program", default=None)
    parser.add_argument("--limit", type=float, default=3600, help="seconds a match may take")
    options = parser.parse_args()
    program = options.program or built_program()
    print("| game | search | against UCT | against fuzzy | paper, against Fluxplayer |")
    print("|---|---|---|---|---|")
    for name, (title, depth, paper) in GAMES.items():
        if options.only and name not in options.only:
            continue
        game = ROOT / f"games/toss/{name}.toss"
        for search, limit in (("fixed", f"depth={depth}"), ("variable", f"time={options.time}")):
            toss = f"toss:heuristic={game},{limit}"
            rivals = (f"uct:time={options.time}", f"alphabeta:evaluator=distance,time={options.time}")
            cells = [play(program, game, [toss, rival], options.games, options.limit) for rival in rivals]
            print(f"| {title} | {search} | {cells[0]} | {cells[1]} | {paper} |", flush=True)
    print("\n| game | manual / translated / tie | paper |\n|---|---|---|")
    for name, paper in MANUAL.items():
        if options.only and name not in options.only:
            continue
        game = ROOT / f"games/toss/{name}.toss"
        players = [f"toss:heuristic={game},time={options.time}", f"toss:time={options.time}"]
        cell = play(program, game, players, options.games, options.limit)
        print(f"| {GAMES[name][0]} | {cell} | {paper} |", flush=True)


if __name__ == "__main__":
    main()
