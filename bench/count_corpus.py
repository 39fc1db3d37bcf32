#!/usr/bin/env python3
"""Counts the states of every game of a folder with both engines, within limits.

    bench/count_corpus.py --games ../shared/games --time 60s --memory 4G --out count_corpus.tsv

One line per game and engine is added to the file as soon as it is known, so a run that was stopped
goes on where it was. With --markdown the file is printed as a table, with a summary, and nothing is
counted.
"""

import argparse
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIELDS = ["game", "engine", "outcome", "states", "layers", "seconds", "peak_nodes", "peak_mb", "order"]
OUTCOMES = {0: "counted", 3: "invalid", 4: "not applicable", 5: "memory", 6: "time", None: "killed"}


def read_rows(path):
    if not path.exists():
        return {}
    rows = [line.split("\t") for line in path.read_text().splitlines()[1:]]
    return {(row[0], row[1]): dict(zip(FIELDS, row)) for row in rows}


def count(zermelo, game, engine, arguments):
    command = [zermelo, "count", game, "--engine", engine, "--json", "--progress", "never"]
    command += ["--time", arguments.time, "--memory", arguments.memory]
    command += ["--threads", str(arguments.threads)]
    seconds = float(arguments.time.rstrip("s"))
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=3 * seconds + 30)
    except subprocess.TimeoutExpired:
        return None, {}
    try:
        return done.returncode, json.loads(done.stdout)
    except json.JSONDecodeError:
        return done.returncode, {}


def as_row(game, engine, code, answer):
    shown = lambda value: "" if value is None else str(value)
    return {
        "game": game.stem,
        "engine": engine,
        "outcome": OUTCOMES.get(code, f"exit code {code}"),
        "states": answer.get("states", ""),
        "layers": str(len(answer.get("layers", []))) if "layers" in answer else "",
        "seconds": f"{answer['seconds']:.2f}" if "seconds" in answer else "",
        "peak_nodes": shown(answer.get("peak_nodes")),
        "peak_mb": str(answer["peak_bytes"] >> 20) if "peak_bytes" in answer else "",
        "order": shown(answer.get("order")),
    }


def run(arguments):
    done = read_rows(arguments.out)
    if not done:
        arguments.out.write_text("\t".join(FIELDS) + "\n")
    games = sorted(p for p in arguments.games.rglob("*") if p.suffix in (".kif", ".gdl"))
    for game in games:
        for engine in arguments.engines.split(","):
            if (game.stem, engine) in done:
                continue
            row = as_row(game, engine, *count(arguments.zermelo, game, engine, arguments))
            with arguments.out.open("a") as file:
                file.write("\t".join(row[field] for field in FIELDS) + "\n")
            print(row["game"], engine, row["outcome"], row["states"], flush=True)


def disagreements(rows):
    """Games that both engines counted to the end, differently."""
    games = {game for game, _ in rows}
    for game in sorted(games):
        both = [rows.get((game, engine)) for engine in ("symbolic", "explicit")]
        if all(row and row["outcome"] == "counted" for row in both):
            if both[0]["states"] != both[1]["states"]:
                yield f"{game}: {both[0]['states']} symbolic, {both[1]['states']} explicit"


def summary(rows):
    lines = []
    for engine in ("symbolic", "explicit"):
        of_engine = [row for (_, name), row in rows.items() if name == engine]
        outcomes = {}
        for row in of_engine:
            outcomes[row["outcome"]] = outcomes.get(row["outcome"], 0) + 1
        parts = ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items()))
        lines.append(f"{engine}: {len(of_engine)} games, {parts}")
    return lines + list(disagreements(rows))


def markdown(rows):
    print("| " + " | ".join(FIELDS) + " |")
    print("|" + "---|" * len(FIELDS))
    for key in sorted(rows):
        print("| " + " | ".join(rows[key][field] for field in FIELDS) + " |")
    print()
    for line in summary(rows):
        print(f"- {line}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--zermelo", default=str(ROOT / "zermelo"), help="the program")
    parser.add_argument("--games", type=pathlib.Path, default=ROOT / "games")
    parser.add_argument("--engines", default="symbolic,explicit")
    parser.add_argument("--time", default="60s", help="per game and engine, in seconds")
    parser.add_argument("--memory", default="4G", help="per game and engine")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("count_corpus.tsv"))
    parser.add_argument("--markdown", action="store_true", help="print the file as a table")
    arguments = parser.parse_args()
    if arguments.markdown:
        markdown(read_rows(arguments.out))
    else:
        run(arguments)
        found = list(disagreements(read_rows(arguments.out)))
        print("\n".join(summary(read_rows(arguments.out))))
        return 1 if found else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
