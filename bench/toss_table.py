#!/usr/bin/env python3
"""Translations to Toss: one row a game, with the bijection tested along random games.

    bench/toss_table.py ../shared/games/games               50 games each, at most 20 s a step
    bench/toss_table.py --games 5 --seconds 5 games         a short one
    bench/toss_table.py --out rows.tsv --budget 280 FOLDER  in pieces of 280 s: call it until it is done

Prints a table in Markdown: games that translate with construction, elements, relations, rules and
seconds; for the others the restriction that is not met. With --out, the rows are kept in a file, and
games that have one are not tried again. Needs the program toss_bijection, which is built with the tests.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIELDS = "file kind construction elements relations rules seconds games states note".split()


def run(program, games, seconds, path):
    """One line of toss_bijection. A process of its own, so that a crash is a row."""
    command = [program, str(games), str(seconds), str(path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=3 * seconds + 30)
        line = done.stdout.rstrip("\n")
    except subprocess.TimeoutExpired:
        line, done = "", None
    if not line:
        code = done.returncode if done else "timeout"
        line = f"{path}\tCRASH" + "\t" * 8 + f"exit {code}"
    return line


def row_of(line):
    row = dict(zip(FIELDS, line.split("\t") + [""] * len(FIELDS)))
    row["file"] = pathlib.Path(row["file"]).stem
    return row


def rows_so_far(out):
    lines = out.read_text().splitlines() if out and out.exists() else []
    return {line.split("\t", 1)[0]: line for line in lines}


def add_rows(options, known):
    """Tries the games that have no row yet. False if the budget was used up before."""
    begin = time.monotonic()
    for path in sorted(options.folder.glob("*.kif")):
        if str(path) in known:
            continue
        if options.budget and time.monotonic() - begin > options.budget:
            return False
        known[str(path)] = run(options.program, options.games, options.seconds, path)
        if options.out:
            with options.out.open("a") as out:
                out.write(known[str(path)] + "\n")
    return True


def reason_class(note):
    """The restriction without the names of a game."""
    note = re.sub(r"elements: .*", "elements", note)
    note = re.sub(r"\(.*", "(...)", note)
    note = re.sub(r"\b\d+\b", "N", note)
    note = re.sub(r"a variable occurs in negations only.*", "a variable occurs in negations only", note)
    return re.sub(r"elements of \S+", "elements of one kind", note)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--program", default=str(ROOT / "build/check/tests/toss_bijection"))
    parser.add_argument("--out", type=pathlib.Path, help="rows as they are, separated by tabs")
    parser.add_argument("--budget", type=float, help="seconds after which no further game is begun")
    options = parser.parse_args()
    known = rows_so_far(options.out)
    if not add_rows(options, known):
        print(f"{len(known)} games so far; call it again for the others.")
    rows = [row_of(line) for _, line in sorted(known.items())]
    translated = [row for row in rows if row["rules"]]
    print(f"{len(translated)} of {len(rows)} games translate.\n")
    for kind, count in collections.Counter(row["kind"] for row in rows).most_common():
        print(f"- {kind}: {count}")
    for how, count in collections.Counter(row["construction"] for row in translated).most_common():
        print(f"- translated by {how}: {count}")
    print("\n| game | construction | elements | relations | rules | seconds | compared |")
    print("|---|---|---|---|---|---|---|")
    for row in translated:
        compared = f"{row['games']} games, {row['states']} states"
        if row["kind"] != "ok":
            compared += f"; {row['kind']} {row['note']}"
        print(
            f"| {row['file']} | {row['construction']} | {row['elements']} | {row['relations']} "
            f"| {row['rules']} | {float(row['seconds']):.2f} | {compared} |"
        )
    print("\n| restriction that is not met | games |\n|---|---|")
    reasons = collections.Counter(reason_class(row["note"]) for row in rows if not row["rules"])
    for reason, count in reasons.most_common():
        print(f"| {reason} | {count} |")
    print("\n| game | restriction |\n|---|---|")
    for row in rows:
        if not row["rules"]:
            print(f"| {row['file']} | {row['note'].replace('|', '/')} |")


if __name__ == "__main__":
    main()
