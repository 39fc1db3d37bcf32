#!/usr/bin/env python3
"""What the search for subgames costs `solve` in games that have none.

    bench/factoring_cost.py games ../shared/games/games        all games of these folders
    bench/factoring_cost.py --rounds 9 games/othello.kif       some games, more rounds

The attempt is what `solve --factoring always` does before it refuses a game: its processor time, less
that of `perft GAME 0`, which reads and compiles the rules alone. It is compared with the processor time
of `solve --factoring never`; each is the shortest of all rounds, with one thread. The difference of two
solving times would show less: it drowns in their variation. Left out are games of up to a million
states, for which the attempt is not made, those that decompose, and those that take more than --most
seconds. Ends with 1 if an attempt takes more than --loss of the time.
"""

import argparse
import json
import pathlib
import sys

from grounding import Limits, Run, built_program

NOT_APPLICABLE = 4
SOLVED_EXPLICITLY = 1_000_000  # states


class Costs:
    def __init__(self, program, game, arguments):
        self.program, self.game, self.rounds = program, str(game), arguments.rounds
        self.limits = Limits(2 * arguments.most, arguments.gibibytes)

    def run(self, command, *options):
        return Run([self.program, command, self.game, *options], self.limits, keep_output=True)

    def shortest(self, *command):
        return min(self.run(*command).processor_seconds for _ in range(self.rounds))

    def is_large(self):
        """Whether `solve` makes the attempt, and solves the game as a whole in time."""
        whole = self.run("solve", "--json", "--threads", "1", "--factoring", "never")
        states = json.loads(whole.output).get("states") if whole.exit == 0 else None
        return states is not None and int(states) > SOLVED_EXPLICITLY

    def decomposes(self):
        return self.run("solve", "--threads", "1", "--factoring", "always").exit != NOT_APPLICABLE

    def times(self):
        whole = self.shortest("solve", "--threads", "1", "--factoring", "never")
        attempt = self.shortest("solve", "--threads", "1", "--factoring", "always")
        return whole, max(0, attempt - self.shortest("perft", "0"))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="+", type=pathlib.Path, help="rulesheets, or folders of them")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each kind (default 5)")
    parser.add_argument("--most", type=float, default=10, help="seconds (default 10)")
    parser.add_argument("--loss", type=float, default=0.05, help="share of the time (default 0.05)")
    parser.add_argument("--gibibytes", type=float, default=8, help="address space (default 8)")
    parser.add_argument("--program", help="the executable (default: built from this checkout)")
    arguments = parser.parse_args()
    program = arguments.program or built_program()
    print("| game | as a whole | attempt | loss |")
    print("|---|---|---|---|")
    losses = []
    for path in arguments.games:
        for game in sorted(path.glob("*.kif")) if path.is_dir() else [path]:
            costs = Costs(program, game, arguments)
            if not costs.is_large() or costs.decomposes():
                continue
            whole, attempt = costs.times()
            losses.append(attempt / whole)
            print(f"| {game.stem} | {whole:.2f} s | {attempt:.3f} s | {losses[-1]:.1%} |", flush=True)
    too_high = sum(loss > arguments.loss for loss in losses)
    print(f"\n{len(losses)} games, {too_high} of them lose more than {arguments.loss:.0%}.")
    return 1 if too_high else 0


if __name__ == "__main__":
    sys.exit(main())
