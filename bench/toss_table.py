#!/usr/bin/env python3
"""Translations to Toss: one row a game, with the bijection tested along random games.

    bench/toss_table.py ../shared/games/games               50 games each, at most 20 s a step
    bench/toss_table.py --games 5 --seconds 5 games         a short one

Prints a table in Markdown: games that translate with elements, relations, rules and seconds; for the
others the restriction that is not met. Needs the program toss_bijection, which is built with the tests.
"""

import argparse
import collections
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIELDS = "file kind elements relations rules seconds games states note".split()


def run(program, games, seconds, path):
    """One line of toss_bijection as a dictionary. A process of its own, so that a crash is a row."""
    command = [program, str(games), str(seconds), str(path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=3 * seconds + 30)
        line = done.stdout.rstrip("\n")
    except subprocess.TimeoutExpired:
        line, done = "", None
    if not line:
        code = done.returncode if done else "timeout"
        line = f"{path}\tCRASH" + "\t" * 7 + f"exit {code}"
    row = dict(zip(FIELDS, line.split("\t") + [""] * len(FIELDS)))
    row["file"] = pathlib.Path(row["file"]).stem
    return row


def reason_class(note):
    """The restriction without the names of a game."""
    note = re.sub(r"elements: .*", "elements", note)
    note = re.sub(r"\(.*", "(...)", note)
    note = re.sub(r"\b\d+\b", "N", note)
    return re.sub(r"elements of \S+", "elements of one kind", note)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--program", default=str(ROOT / "build/check/tests/toss_bijection"))
    parser.add_argument("--out", type=pathlib.Path, help="rows as they are, separated by tabs")
    options = parser.parse_args()
    rows = []
    for path in sorted(options.folder.glob("*.kif")):
        rows.append(run(options.program, options.games, options.seconds, path))
        if options.out:
            with options.out.open("a") as out:
                out.write("\t".join(rows[-1][field] for field in FIELDS) + "\n")
    translated = [row for row in rows if row["rules"]]
    print(f"{len(translated)} of {len(rows)} games translate.\n")
    for kind, count in collections.Counter(row["kind"] for row in rows).most_common():
        print(f"- {kind}: {count}")
    print("\n| game | elements | relations | rules | seconds | compared |\n|---|---|---|---|---|---|")
    for row in translated:
        compared = f"{row['games']} games, {row['states']} states"
        if row["kind"] != "ok":
            compared += f"; {row['kind']} {row['note']}"
        print(
            f"| {row['file']} | {row['elements']} | {row['relations']} | {row['rules']} "
            f"| {float(row['seconds']):.2f} | {compared} |"
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
