#!/usr/bin/env python3
"""Counts the states of every game of a folder with both engines, within limits.

    bench/count_corpus.py --games ../shared/games/games --seconds 5 --budget 280
    bench/count_corpus.py --games ../shared/games/games --seconds 60
    bench/count_corpus.py --report

One line per game and engine is appended to the file (--out) when it finishes, so a run that was
interrupted, or that stopped after --budget seconds, can be resumed. A run that ended at a limit is
repeated if more time is allowed; the last line of a game and engine counts. --report prints the file
as a table with a summary and counts nothing. Exit code 1 if the engines disagree.

A game whose enumeration ended at a limit is not enumerated again if its states do not fit into memory
at BYTES_PER_STATE each, according to the states found with diagrams or the bound of `info --states`.
Its outcome is `too many`, and `states` is the known lower bound.

Columns: `states` and `layers` are those found before the limit, and empty if preparing the game took
all the time. `clock` and `peak_mb` are measured from outside.
"""

import argparse
import concurrent.futures
import json
import pathlib
import sys
import threading
import time

from grounding import Limits, Run, built_program
from table_file import add_row, add_table_options, read_rows

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENGINES = ["symbolic", "explicit"]
FIELDS = ["game", "engine", "limit", "outcome", "states", "layers", "clock", "peak_nodes", "peak_mb", "order"]
OUTCOMES = {0: "counted", 3: "invalid", 4: "not applicable", 5: "memory", 6: "time", -9: "killed"}
BYTES_PER_STATE = 12  # one word for the state and its slot in the table; a lower bound for all enumerations
PATIENCE = 30  # seconds after the limit until a run is killed


def name_of(game, arguments):
    """The path within the corpus, since folders may contain files of the same name."""
    return str(game.relative_to(arguments.games).with_suffix(""))


def bytes_of(size):
    return float(size[:-1]) * 1024 ** (1 + "KMGT".index(size[-1]))


def known_states(game, by_diagrams, arguments):
    """Returns a lower bound of the number of states."""
    if by_diagrams and by_diagrams["states"]:
        yield int(by_diagrams["states"])
    command = [str(arguments.zermelo), "info", str(game), "--no-conditions", "--states", "--json"]
    run = Run(command, Limits(arguments.seconds, 1024), keep_output=True)
    if run.exit == 0:
        yield int(json.loads(run.output)["traits"]["states_at_least"])


def too_many(game, by_diagrams, arguments):
    """Returns the row of a game with too many states to enumerate, or None."""
    for states in known_states(game, by_diagrams, arguments):
        if states * BYTES_PER_STATE > bytes_of(arguments.memory):
            row = dict.fromkeys(FIELDS, "")
            row.update(game=name_of(game, arguments), engine="explicit", outcome="too many",
                       limit=str(arguments.seconds), states=str(states))
            return row
    return None


def count(game, engine, arguments):
    command = [str(arguments.zermelo), "count", str(game), "--engine", engine, "--json"]
    command += ["--time", f"{arguments.seconds}s", "--memory", arguments.memory]
    command += ["--threads", str(arguments.threads)]
    run = Run(command, Limits(arguments.seconds + PATIENCE, 1024), keep_output=True)
    try:
        answer = json.loads(run.output)
    except json.JSONDecodeError:
        answer = {}
    shown = lambda name: str(answer.get(name) or "")
    return {
        "game": name_of(game, arguments),
        "engine": engine,
        "limit": str(arguments.seconds),
        "outcome": OUTCOMES.get(run.exit, f"exit code {run.exit}"),
        "states": shown("states"),
        "layers": str(len(answer["layers"])) if "layers" in answer else "",
        "clock": f"{run.seconds:.2f}",
        "peak_nodes": shown("peak_nodes"),
        "peak_mb": f"{run.megabytes:.0f}",
        "order": shown("order"),
    }


def is_known(row, seconds):
    ended_at_limit = ("time", "killed")
    return row and (row["outcome"] not in ended_at_limit or float(row["limit"]) >= seconds)


class Corpus:
    """The table and the remaining runs."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.rows = read_rows(arguments.out, "game", "engine")
        self.end = time.monotonic() + arguments.budget
        self.file_is_free = threading.Lock()

    def run_game(self, game):
        name = name_of(game, self.arguments)
        for engine in self.arguments.engines.split(","):
            known = self.rows.get((name, engine))
            if is_known(known, self.arguments.seconds):
                continue
            if time.monotonic() > self.end:
                return
            row = None
            if engine == "explicit" and known:
                row = too_many(game, self.rows.get((name, "symbolic")), self.arguments)
            self.add(row or count(game, engine, self.arguments))

    def add(self, row):
        with self.file_is_free:
            self.rows[row["game"], row["engine"]] = row
            add_row(self.arguments.out, FIELDS, row)
            print(*(row[field] for field in ("game", "engine", "outcome", "states", "clock")), flush=True)

    def run(self):
        games = sorted(p for p in self.arguments.games.rglob("*") if p.suffix in (".kif", ".gdl"))
        with concurrent.futures.ThreadPoolExecutor(self.arguments.jobs) as pool:
            list(pool.map(self.run_game, games))


def counted_by(rows, game, engine):
    row = rows.get((game, engine))
    return row["states"] if row and row["outcome"] == "counted" else None


def disagreements(rows):
    """Games for which both engines finished with different counts."""
    for game in sorted({game for game, _ in rows}):
        numbers = [counted_by(rows, game, engine) for engine in ENGINES]
        if None not in numbers and len(set(numbers)) > 1:
            yield f"{game}: {numbers[0]} symbolic, {numbers[1]} explicit"


def summary(rows):
    lines = []
    for engine in ENGINES:
        outcomes = [row["outcome"] for (_, name), row in rows.items() if name == engine]
        parts = [f"{outcomes.count(outcome)} {outcome}" for outcome in sorted(set(outcomes))]
        lines.append(f"{engine}: {len(outcomes)} games, {', '.join(parts)}")
    games = {game for game, _ in rows}
    by = {engine: {g for g in games if counted_by(rows, g, engine)} for engine in ENGINES}
    both, either = by["symbolic"] & by["explicit"], by["symbolic"] | by["explicit"]
    lines.append(f"counted by both {len(both)}, by symbolic only {len(by['symbolic'] - both)}, "
                 f"by explicit only {len(by['explicit'] - both)}, by neither {len(games - either)}")
    late = [row for row in rows.values() if float(row["clock"] or 0) > float(row["limit"]) * 1.2 + 2]
    lines.append(f"runs that exceeded the time limit by more than 20% and 2 s: {len(late)}")
    found = list(disagreements(rows))
    lines.append(f"games on which the engines disagree: {len(found)}")
    return lines + found


def report(rows):
    print("| " + " | ".join(FIELDS) + " |")
    print("|" + "---|" * len(FIELDS))
    for key in sorted(rows):
        print("| " + " | ".join(rows[key][field] for field in FIELDS) + " |")
    print()
    for line in summary(rows):
        print(f"- {line}")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_table_options(parser, "count_corpus.tsv")
    parser.add_argument("--games", type=pathlib.Path, default=ROOT / "games")
    parser.add_argument("--engines", default=",".join(ENGINES))
    parser.add_argument("--seconds", type=float, default=60, help="per game and engine")
    parser.add_argument("--memory", default="4G", help="per game and engine")
    parser.add_argument("--threads", type=int, default=1, help="per run")
    parser.add_argument("--jobs", type=int, default=1, help="number of parallel games")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    if not arguments.report:
        arguments.zermelo = arguments.zermelo or built_program()
        Corpus(arguments).run()
    rows = read_rows(arguments.out, "game", "engine")
    if arguments.report:
        report(rows)
    return 1 if list(disagreements(rows)) else 0


if __name__ == "__main__":
    sys.exit(main())
