#!/usr/bin/env python3
"""Solves and verifies the games of a folder in which roles decide at the same time.

    bench/simultaneous.py --zermelo build/release/src/zermelo games ../shared/games/games

Games in which the roles take turns are left out (`info` decides), and so are games with more states
than --states (`count` decides, within --count-time). Every other game is solved with --time and
--memory into a temporary folder, which `verify` checks by best responses. The table has one row per
game: the states, those in which several roles decide, those in which a role randomises, the concept,
the values, the distance of the bounds, seconds, and the states that were verified. A game that is
refused has the reason instead. --names restricts the run to the games with these names. Exit code 1
if a folder is wrong or bounds are further apart than --width.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLUMNS = ["game", "states", "at once", "mixed", "concept", "values", "width", "seconds", "verified"]


def run(command, seconds):
    """Returns the exit code (None if killed), the JSON object or {}, and the last line of stderr."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None, {}, "killed"
    lines = done.stderr.strip().splitlines()
    try:
        answer = json.loads(done.stdout)
    except json.JSONDecodeError:
        answer = {}
    return done.returncode, answer, lines[-1] if lines else ""


def takes_turns(options, path):
    _, facts, _ = run([options.zermelo, "info", path, "--time", "5s", "--json"], 60)
    return facts.get("traits", {}).get("turn_taking", {}).get("evidence") != "refuted"


def is_small(options, path):
    command = [options.zermelo, "count", path, "--engine", "explicit", "--json",
               "--time", options.count_time, "--memory", options.memory]
    code, counted, _ = run(command, 600)
    return code == 0 and int(counted["states"]) <= options.states


def verified(options, folder):
    """Returns a text for the table, and whether the folder is right."""
    code, answer, message = run([options.zermelo, "verify", folder, "--json"], 3600)
    if code not in (0, 1):
        return message, False
    text = f"{int(answer['states_checked']):,}" + ("" if answer["exhaustive"] else " sampled")
    return (text, True) if answer["ok"] else (f"WRONG: {answer['failures'][0]}", False)


def solved(options, path):
    """Returns the row of a game, and whether nothing is wrong. None if the roles take turns after all."""
    name = path.stem
    with tempfile.TemporaryDirectory() as scratch:
        folder = str(pathlib.Path(scratch) / "solution")
        command = [options.zermelo, "solve", str(path), "--out", folder, "--json",
                   "--time", options.time, "--memory", options.memory]
        code, answer, message = run(command, 7200)
        if code == 0 and "concept" not in answer:
            return None, True
        if code != 0:
            message = answer.get("error", {}).get("message", message)
            return [name, f"exit code {code}: {message[:200]}"], True
        checked, is_right = verified(options, folder)
    width = max(bound["high"] - bound["low"] for bound in answer["bounds"])
    values = "/".join(f"{value:.6f}".rstrip("0").rstrip(".") for value in answer["values"])
    row = [name, f"{int(answer['states']):,}", f"{answer['simultaneous_states']:,}",
           f"{answer['mixed_states']:,}", answer["concept"], values, f"{width:.1e}",
           f"{answer['seconds']:.2f}", checked]
    return row, is_right and width <= options.width


def rulesheets(places):
    for place in map(pathlib.Path, places):
        yield from sorted(place.glob("*.kif")) if place.is_dir() else [place]


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("places", nargs="+", help="rulesheets or folders")
    parser.add_argument("--zermelo", default=str(ROOT / "build/release/src/zermelo"))
    parser.add_argument("--names", help="a file with one name of a game per line")
    parser.add_argument("--states", type=int, default=2_000_000)
    parser.add_argument("--count-time", default="20s")
    parser.add_argument("--time", default="5m")
    parser.add_argument("--memory", default="4G")
    parser.add_argument("--width", type=float, default=1e-6)
    return parser.parse_args()


def main():
    options = parse_options()
    names = None
    if options.names:
        names = set(pathlib.Path(options.names).read_text(encoding="utf-8").split())
    print("\t".join(COLUMNS), flush=True)
    is_right = True
    for path in rulesheets(options.places):
        if names is not None and path.stem not in names:
            continue
        if names is None and (takes_turns(options, str(path)) or not is_small(options, str(path))):
            continue
        row, row_is_right = solved(options, path)
        is_right = is_right and row_is_right
        if row:
            print("\t".join(row), flush=True)
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
