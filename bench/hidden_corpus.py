#!/usr/bin/env python3
"""Tries the GDL-II files of folders with all commands that step, analyse and play them.

For every file: whether it is valid, or the place and the reason of the first error; whether 50 random
games of the fast engine and of the reference engine are the same; which knowledge properties hold;
and whether matches between `ismcts` and `random` end without a fault. Then, with --speed, how fast
random games of the shipped GDL-II games are, compared with the same rules without `sees`: the two
programs alternate, and the ratio is the median over the rounds. Percepts in random games are compared
by the test Corpus.EnginesAgreeOnGamesWithHiddenInformation.

The exit code is 1 if the engines differ or a match has a fault.
"""

import argparse
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def run(zermelo, *arguments, seconds=20):
    """The JSON answer of a command; an error has the field `error`."""
    command = [zermelo, *map(str, arguments), "--json"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return {"error": {"kind": "time_limit", "message": "no answer in time"}}
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        return {"error": {"kind": "fault", "message": done.stderr.strip()[:200]}}


def first_error(checked):
    for diagnostic in checked["diagnostics"]:
        if diagnostic["severity"] == "error":
            return "line {line}:{column}: {code}: {message}".format(**diagnostic)
    return "an error without a place"


def agreement(zermelo, path):
    answers = [
        run(zermelo, "playouts", path, "--count", 50, "--engine", engine, "--time", "8s")
        for engine in ("fast", "reference")
    ]
    if any("signature" not in answer for answer in answers):
        kinds = [answer.get("error", {}).get("kind") for answer in answers]
        return "not grounded in time" if kinds[0] and not kinds[1] else "stopped: %s" % kinds[0]
    counts = {(answer["playouts"], answer["signature"]) for answer in answers}
    complete = all(answer["playouts"] == 50 for answer in answers)
    if not complete:
        return "%d and %d games in time" % tuple(answer["playouts"] for answer in answers)
    return "agree" if len(counts) == 1 else "DIFFER"


def knowledge(zermelo, path):
    answer = run(zermelo, "check", path, "--knowledge", "--time", "8s")
    found = (answer.get("files") or [{}])[0].get("knowledge")
    if not found or "players" not in found:
        return "not grounded in time"
    letter = {"proved": "+", "refuted": "-", "open": "?"}
    marks = []
    for role, properties in found["players"].items():
        names = ("legal_moves", "end", "goal", "state")
        marks.append(role + " " + "".join(letter.get(properties[n]["evidence"], "?") for n in names))
    return ", ".join(marks)


def matches(zermelo, path):
    roles = run(zermelo, "info", path, "--time", "8s").get("roles", [])
    played = [role for role in roles if role != "random"]
    if not played:
        return "not grounded in time"
    players = ["--player", "ismcts:simulations=20"] + ["--player", "random"] * (len(played) - 1)
    answer = run(zermelo, "match", path, *players, "--games", 2, "--time", "10s", "--threads", 1)
    if "completed" not in answer:
        return "FAULT: " + answer.get("error", {}).get("message", "")[:60]
    if answer.get("error"):
        return "%d of 2 in time" % answer["completed"]
    return "played" if answer["completed"] == 2 else "FAULT: %d of 2" % answer["completed"]


def table(zermelo, folders):
    """Prints a row per file. Returns whether there was no fault."""
    files = sorted(path for folder in folders for path in folder.glob("*.kif"))
    print("file\tvalid\t50 random games\tknown: moves, end, goal, state\tmatches")
    fine = True
    for path in files:
        checked = run(zermelo, "check", path)["files"][0]
        name = path.parent.name + "/" + path.name
        if not checked["valid"]:
            print("%s\tno: %s" % (name, first_error(checked)), flush=True)
            continue
        row = [agreement(zermelo, path), knowledge(zermelo, path), matches(zermelo, path)]
        fine = fine and not any("DIFFER" in cell or "FAULT" in cell for cell in row)
        print("\t".join([name, "yes", *row]), flush=True)
    return fine


def without_sees(text):
    """The rules without the clauses of `sees`, found by their parentheses."""
    text = re.sub(r";[^\n]*", "", text)
    kept, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        if letter == "(":
            start = place if depth == 0 else start
            depth += 1
        elif letter == ")":
            depth -= 1
            clause = text[start : place + 1]
            if depth == 0 and not re.match(r"\((<=\s*\()?\s*sees\s", clause):
                kept.append(clause)
    return "\n".join(kept) + "\n"


def speed(zermelo, rounds, seconds):
    print("\ngame\tengine\tgames per second without sees\twith\tratio")
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted((ROOT / "games" / "hidden").glob("*.kif")):
            bare = pathlib.Path(folder) / path.name
            bare.write_text(without_sees(path.read_text()))
            rate = lambda rules: run(
                zermelo, "playouts", rules, "--seconds", seconds, "--threads", 1
            ).get("playouts_per_second", float("nan"))
            rates = [(rate(bare), rate(path)) for _ in range(rounds)]
            middle = statistics.median(with_sees / alone for alone, with_sees in rates)
            alone, with_sees = (statistics.median(column) for column in zip(*rates))
            row = (path.stem, "sliced", alone, with_sees, middle)
            print("%s\t%s\t%.0f\t%.0f\t%.2f" % row, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--zermelo", default=str(ROOT / "zermelo"))
    parser.add_argument("--speed", type=int, default=0, metavar="ROUNDS")
    parser.add_argument("--seconds", type=float, default=0.5, help="of random games per round")
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    folders = arguments.folders
    if not folders and not arguments.speed:
        collection = ROOT / ".." / "shared" / "games"
        folders = [collection / "gdl2", collection / "hidden"]
    fine = table(arguments.zermelo, folders) if folders else True
    if arguments.speed:
        speed(arguments.zermelo, arguments.speed, arguments.seconds)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
