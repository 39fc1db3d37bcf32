#!/usr/bin/env python3
"""The games of a folder that consist of subgames: the table of docs/explanation/factoring.md.

    bench/factor_table.py ../shared/games/games                all games of the folder
    bench/factor_table.py --steps 1000 games/nim.kif           some games, fewer steps

For every game, tests/subgame_twins finds the subgames at both grains and the stages of serial
compositions, and checks them with random steps. Printed are the games that have any: how many
subgames by symbol and by ground fluent and move, how many stages, the processor time of the slowest
of the three analyses, and whether all steps confirm what was found. Then follow the games whose analysis takes longer than the limit, and those that cannot be grounded or
compiled in 10 s of processor time. Ends with 1 if a step contradicts a decomposition or an
analysis takes longer.
"""

import argparse
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def built_twins():
    """The newest program of the build folders."""
    found = sorted(ROOT.glob("build/*/tests/subgame_twins"), key=lambda path: path.stat().st_mtime)
    if not found:
        sys.exit("factor_table.py: build the target subgame_twins first")
    return found[-1]


def run(program, steps, game, patience):
    """The lines of the program as lists of fields; None if it takes too long."""
    try:
        done = subprocess.run(
            [program, str(steps), game], capture_output=True, text=True, timeout=patience, check=False
        )
    except subprocess.TimeoutExpired:
        return None
    return [line.split("\t") for line in done.stdout.splitlines()]


class Table:
    def __init__(self, limit):
        self.limit = limit
        self.games = 0
        self.rows, self.slow, self.failed, self.wrong = [], [], [], []

    def add(self, name, lines):
        self.games += 1
        if lines is None:
            self.failed.append((name, "not finished"))
            return
        if not lines or len(lines[0]) < 3 or len(lines) < 2:
            self.failed.append((name, lines[0][-1] if lines else "the program failed"))
            return
        seconds = 0
        found = {}
        for fields in lines:
            if len(fields) < 4:
                self.slow.append((name, fields[1], fields[2]))
                continue
            found[fields[1]] = fields
            seconds = max(seconds, float(fields[3]))
        if seconds >= self.limit:
            self.slow.append((name, "", f"{seconds:.2f} s"))
        parts = {grain: fields[2] for grain, fields in found.items()}
        stages = parts.pop("stages", "-")
        if stages in ("-", "0") and all(part == "1" for part in parts.values()):
            return
        verdicts = {fields[4] for fields in found.values() if len(fields) > 4}
        verdict = "confirmed" if verdicts == {"confirmed"} else "; ".join(sorted(verdicts))
        if verdict != "confirmed":
            self.wrong.append(name)
        self.rows.append((name, parts.get("symbol", "-"), parts.get("ground", "-"), stages, seconds, verdict))

    def show(self):
        print("| game | by symbol | by ground fluent and move | stages | seconds | random steps |")
        print("|---|---|---|---|---|---|")
        for name, symbol, ground, stages, seconds, verdict in self.rows:
            print(f"| {name} | {symbol} | {ground} | {stages} | {seconds:.2f} | {verdict} |")
        print(f"\n{self.games} games, {len(self.rows)} decompose, {len(self.wrong)} of them wrongly.")
        for name, grain, what in self.slow:
            print(f"slow: {name} {grain} {what}")
        for name, what in self.failed:
            print(f"not analysed: {name}: {what}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="+", type=pathlib.Path, help="rulesheets, or folders of them")
    parser.add_argument("--steps", type=int, default=10_000, help="random steps for each grain")
    parser.add_argument("--limit", type=float, default=2, help="processor seconds of an analysis")
    parser.add_argument("--patience", type=float, default=300, help="seconds for a game, all in all")
    arguments = parser.parse_args()
    program = built_twins()
    table = Table(arguments.limit)
    for path in arguments.games:
        for game in sorted(path.glob("*.kif")) if path.is_dir() else [path]:
            table.add(game.stem, run(program, arguments.steps, game, arguments.patience))
            print(f"{table.games} {game.stem}", file=sys.stderr)
    table.show()
    return 1 if table.wrong or table.slow else 0


if __name__ == "__main__":
    sys.exit(main())
