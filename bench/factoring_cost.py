#!/usr/bin/env python3
"""What the search for subgames costs `solve` in games that have none.

    bench/factoring_cost.py games ../shared/games/games        all games of these folders
    bench/factoring_cost.py --rounds 9 games/othello_4x4.kif   some games, more rounds

Every game is solved with `--factoring never` and with the default, in turn, with one thread. Compared
are the shortest processor times of all rounds. Left out are games that take less than --least or more
than --most seconds as a whole, and those in whose answer the field `factoring` is not null: they do
decompose. Ends with 1 if a game loses more than --loss of its time.
"""

import argparse
import json
import pathlib
import sys

from grounding import Limits, Run, built_program


def solve(program, game, factoring, arguments):
    """The run and its answer; None if the game is not solved in time."""
    command = [program, "solve", str(game), "--json", "--threads", "1", "--factoring", factoring]
    run = Run(command, Limits(2 * arguments.most, arguments.gibibytes), keep_output=True)
    return (run.processor_seconds, json.loads(run.output)) if run.exit == 0 else None


def compare(program, game, arguments):
    """The shortest times as a whole and by default; None if the game is left out."""
    first = solve(program, game, "never", arguments)
    if first is None or not arguments.least <= first[0] <= arguments.most:
        return None
    whole, attempted = [first[0]], []
    for _ in range(arguments.rounds):
        answer = solve(program, game, "auto", arguments)
        if answer is None:
            attempted.append(float("inf"))
            continue
        if answer[1].get("factoring") is not None:
            return None
        attempted.append(answer[0])
        again = solve(program, game, "never", arguments)
        if again is not None:
            whole.append(again[0])
    return min(whole), min(attempted)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="+", type=pathlib.Path, help="rulesheets, or folders of them")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each kind (default 5)")
    parser.add_argument("--least", type=float, default=0.1, help="seconds (default 0.1)")
    parser.add_argument("--most", type=float, default=10, help="seconds (default 10)")
    parser.add_argument("--loss", type=float, default=0.05, help="share of the time (default 0.05)")
    parser.add_argument("--gibibytes", type=float, default=8, help="address space (default 8)")
    parser.add_argument("--program", help="the executable (default: built from this checkout)")
    arguments = parser.parse_args()
    program = arguments.program or built_program()
    print("| game | as a whole | with the attempt | loss |")
    print("|---|---|---|---|")
    losses = []
    for path in arguments.games:
        for game in sorted(path.glob("*.kif")) if path.is_dir() else [path]:
            times = compare(program, game, arguments)
            if times is None:
                continue
            whole, attempted = times
            losses.append(attempted / whole - 1)
            print(f"| {game.stem} | {whole:.2f} s | {attempted:.2f} s | {losses[-1]:+.1%} |", flush=True)
    too_high = sum(loss > arguments.loss for loss in losses)
    print(f"\n{len(losses)} games, {too_high} of them lose more than {arguments.loss:.0%}.")
    return 1 if too_high else 0


if __name__ == "__main__":
    sys.exit(main())
