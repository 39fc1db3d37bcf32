#!/usr/bin/env python3
"""Solves games by every algorithm that applies, compares the answers, and verifies every folder.

    bench/agree.py --zermelo build/release/src/zermelo --out agree.tsv games ../shared/games/games
    bench/agree.py --out agree.tsv --report

A game is first solved by the explicit engine. A game with more states than --states, or that takes
longer than --time, is skipped. Then come the symbolic algorithms. All states of every folder are
verified. One line per game and algorithm is appended to the file when it finishes, so an interrupted
run can be resumed; --seconds limits the time of a run. --report compares the results: the value of
the initial state must be the same for all algorithms, and so must the number of states by value.
`layered` counts a state once per layer, so it is compared only if it counts as many states as the
explicit engine. Exit code 1 if there is a disagreement.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from table_file import add_row, read_rows

ROOT = pathlib.Path(__file__).resolve().parent.parent
ALGORITHMS = {
    "explicit": ["--engine", "explicit"],
    "layered": ["--engine", "symbolic", "--algorithm", "layered"],
    "retrograde": ["--engine", "symbolic", "--algorithm", "retrograde"],
    "zero-sum": ["--engine", "symbolic", "--algorithm", "zero-sum"],
    "partition": ["--engine", "symbolic", "--algorithm", "partition"],
    "matrix": ["--engine", "symbolic", "--algorithm", "matrix"],
}
FIELDS = [
    "game", "algorithm", "outcome", "states", "values", "by_value", "seconds", "megabytes",
    "verified", "checked", "verify_seconds", "message",
]
OUTCOMES = {0: "solved", 3: "invalid", 4: "refused", 5: "memory", 6: "time"}


def text_of(rewards):
    return "-" if rewards is None else "/".join(map(str, rewards))


def run_json(command, seconds):
    """Returns the exit code (None if killed), the JSON object or None, and the last line of stderr."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None, {}, ""
    lines = done.stderr.strip().splitlines()
    try:
        return done.returncode, json.loads(done.stdout), lines[-1] if lines else ""
    except json.JSONDecodeError:
        return done.returncode, {}, lines[-1] if lines else ""


class Corpus:
    def __init__(self, arguments):
        self.arguments = arguments
        self.rows = read_rows(arguments.out, "game", "algorithm")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="agree"))

    def solve(self, game, algorithm):
        arguments = self.arguments
        out = self.folder / "solution"
        shutil.rmtree(out, ignore_errors=True)
        command = [arguments.zermelo, "solve", str(game), "--json", "--progress", "never", "--threads", "1"]
        command += ["--out", str(out), "--time", f"{arguments.time}s", "--memory", arguments.memory]
        command += ["--distance", *ALGORITHMS[algorithm]] if algorithm in ("explicit", "layered") else ALGORITHMS[algorithm]
        code, answer, message = run_json(command, 4 * arguments.time + 30)
        row = dict.fromkeys(FIELDS, "")
        row.update(game=str(game), algorithm=algorithm, outcome=OUTCOMES.get(code, f"exit {code}"))
        row["message"] = message[:200] if code != 0 else ""
        if code == 0:
            row["states"] = answer["states"]
            row["values"] = text_of(answer["values"])
            counts = [f"{text_of(entry['values'])}:{entry['states']}" for entry in answer["by_value"]]
            row["by_value"] = " ".join(sorted(counts))
            row["seconds"] = f"{answer['seconds']:.2f}"
            row["megabytes"] = answer["peak_bytes"] >> 20
            if int(answer["states"]) <= arguments.states or algorithm != "explicit":
                self.verify(out, row)
        return row

    def verify(self, out, row):
        begin = time.monotonic()
        command = [self.arguments.zermelo, "verify", str(out), "--json"]
        code, answer, message = run_json(command, 20 * self.arguments.time + 60)
        row["verify_seconds"] = f"{time.monotonic() - begin:.2f}"
        exhaustive = answer.get("exhaustive", False)
        row["verified"] = {0: "all" if exhaustive else "sample", 1: "WRONG", None: "time"}.get(code, f"exit {code}")
        row["checked"] = answer.get("states_checked", "")
        if code != 0:
            row["message"] = (answer.get("failures") or [message])[0][:200]

    def row(self, game, algorithm):
        key = (str(game), algorithm)
        if key not in self.rows:
            self.rows[key] = self.solve(game, algorithm)
            add_row(self.arguments.out, FIELDS, self.rows[key])
            row = self.rows[key]
            print(*(row[f] for f in ("game", "algorithm", "outcome", "states", "verified", "message")), flush=True)
        return self.rows[key]

    def run(self, games):
        end = time.monotonic() + self.arguments.seconds
        for game in games:
            first = self.row(game, "explicit")
            if first["outcome"] == "solved" and int(first["states"]) <= self.arguments.states:
                for algorithm in ALGORITHMS:
                    if time.monotonic() > end:
                        return False
                    self.row(game, algorithm)
            if time.monotonic() > end:
                return False
        return True


def disagreements(rows):
    for game in sorted({game for game, _ in rows}):
        solved = [rows[game, a] for a in ALGORITHMS if (game, a) in rows and rows[game, a]["outcome"] == "solved"]
        for row in solved:
            if row["verified"] not in ("all", "time", ""):
                yield f"{game}, {row['algorithm']}: verified {row['verified']}: {row['message']}"
            same_states = row["states"] == solved[0]["states"]
            if row["values"] != solved[0]["values"] or (
                row["by_value"] != solved[0]["by_value"] if same_states else row["algorithm"] != "layered"
            ):
                yield f"{game}: {row['algorithm']} says {row['values']} ({row['by_value']}), explicit {solved[0]['values']} ({solved[0]['by_value']})"
        for algorithm in ALGORITHMS:
            row = rows.get((game, algorithm), {"outcome": "solved"})
            if row["outcome"].startswith("exit"):
                yield f"{game}, {algorithm}: {row['outcome']}: {row['message']}"


def report(rows):
    for algorithm in ALGORITHMS:
        of_algorithm = [row for (_, name), row in rows.items() if name == algorithm]
        solved = [row for row in of_algorithm if row["outcome"] == "solved"]
        verified = [row for row in solved if row["verified"] == "all"]
        others = sorted({row["outcome"] for row in of_algorithm} - {"solved"})
        counts = ", ".join(f"{sum(row['outcome'] == o for row in of_algorithm)} {o}" for o in others)
        states = sum(int(row["checked"]) for row in verified)
        print(f"{algorithm}: {len(solved)} solved, {len(verified)} verified ({states:,} states); {counts}")
    problems = list(disagreements(rows))
    print("\n".join(problems) if problems else "no disagreement")
    return 1 if problems else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", type=pathlib.Path, default=[ROOT / "games"], help="files or folders")
    parser.add_argument("--zermelo", default=str(ROOT / "zermelo"), help="the executable")
    parser.add_argument("--states", type=int, default=2_000_000, help="maximum number of states of a game")
    parser.add_argument("--time", type=int, default=60, help="seconds per solution")
    parser.add_argument("--memory", default="4G", help="memory limit per solution")
    parser.add_argument("--seconds", type=float, default=1e9, help="seconds after which the run stops")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("agree.tsv"))
    parser.add_argument("--report", action="store_true", help="only compare the results in the file")
    arguments = parser.parse_args()
    if arguments.report:
        return report(read_rows(arguments.out, "game", "algorithm"))
    games = []
    for path in arguments.games:
        games += sorted(path.rglob("*.kif")) if path.is_dir() else [path]
    corpus = Corpus(arguments)
    finished = corpus.run(games)
    shutil.rmtree(corpus.folder)
    return report(corpus.rows) if finished else 0


if __name__ == "__main__":
    sys.exit(main())
