#!/usr/bin/env python3
"""Measures how often variants of the player preserve the value of positions of solved games.

    bench/strength.py --budget 280
    bench/strength.py --report

First solves the games into --folder and keeps the solutions. Then every variant chooses a move in the
same random positions of every game, once per clock (`zermelo experiment strength`). One line per game,
clock and variant is appended to the file (--out) when it finishes, so a run that was interrupted, or
that stopped after --budget seconds, can be resumed. --report prints the file as tables with 95%
intervals, for all positions and for those in which some move loses, and measures nothing. Exit code 1
if a variant is significantly better than the default.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import time

from grounding import ROOT, built_program
from table_file import add_row, add_table_options, read_rows

GAMES = ["connect four 5x4", "connect four 5x5", "clobber 4x4", "breakthrough 4x5", "sheep and wolf"]
VARIANTS = {
    "default": "",
    "uct without proofs": ",proofs=no",
    "st": ",variant=st",
    "ma": ",variant=ma",
    "rave": ",variant=rave",
    "mast": ",variant=mast",
}
KEY = ("game", "clock", "variant", "positions")
SHARES = {"of all": ("kept", "low", "high"),
          "of the decisive": ("kept_of_decisive", "low_of_decisive", "high_of_decisive")}
FIELDS = [*KEY, "decisive", *(field for fields in SHARES.values() for field in fields)]


def rules_of(name, arguments):
    """Returns the file with the rules of a shipped game, or of a family with its sizes."""
    file = f"{name.replace(' ', '_')}.kif"
    if (ROOT / "games" / file).exists():
        return ROOT / "games" / file
    path = arguments.folder / file
    if not path.exists():
        *family, sizes = name.split(" ")
        command = [arguments.zermelo, "generate", "-".join(family), *sizes.split("x")]
        path.write_bytes(subprocess.run(command, check=True, capture_output=True).stdout)
    return path


def solved(name, arguments):
    """Returns the folder of the solved game, or None if it cannot be solved within the limits."""
    folder = arguments.folder / name.replace(" ", "_")
    command = [arguments.zermelo, "solve", rules_of(name, arguments), "--out", folder,
               "--time", f"{arguments.solve_seconds}s", "--progress", "never"]
    done = subprocess.run(command, stdout=subprocess.DEVNULL)
    return folder if done.returncode == 0 else None


def measure(name, clock, variant, folder, arguments):
    command = [arguments.zermelo, "experiment", "strength", "--game", rules_of(name, arguments),
               "--values", folder, "--positions", str(arguments.positions), "--json",
               "--player", f"uct:time={clock}s{VARIANTS[variant]}"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    answer = json.loads(done.stdout)
    row = dict(zip(KEY, (name, clock, variant, str(arguments.positions))))
    row["decisive"] = answer["decisive"]
    for field in FIELDS[len(KEY) + 1:]:
        row[field] = answer["players"][0][field]
    return row


def run_all(arguments):
    done = read_rows(arguments.out, *KEY)
    begin = time.monotonic()
    for name in arguments.games.split(","):
        wanted = [(clock, variant) for clock in arguments.clocks.split(",")
                  for variant in arguments.variants.split(",")
                  if (name, clock, variant, str(arguments.positions)) not in done]
        folder = solved(name, arguments) if wanted else None
        if wanted and not folder:
            print(f"{name}: not solved within the limits", file=sys.stderr)
            continue
        for clock, variant in wanted:
            if time.monotonic() - begin > arguments.budget:
                return
            row = measure(name, clock, variant, folder, arguments)
            add_row(arguments.out, FIELDS, row)
            print(name, f"{clock} s", variant, percent(row, "of all"), flush=True)


def interval(row, share):
    """The share and the bounds of its 95% interval."""
    return (float(row[field]) for field in SHARES[share])


def percent(row, share):
    mean, low, high = (100 * bound for bound in interval(row, share))
    return f"{mean:.1f} ({low:.1f} to {high:.1f})"


def report(rows, arguments):
    variants = arguments.variants.split(",")
    for share in SHARES:
        print(f"Value kept in percent {share} positions, with 95% intervals:\n")
        print("| game | clock | positions | " + " | ".join(variants) + " |")
        print("|---" * (3 + len(variants)) + "|")
        for name, clock, positions in dict.fromkeys((g, c, n) for g, c, _, n in rows):
            found = [rows.get((name, clock, variant, positions)) for variant in variants]
            number = next(row for row in found if row)["decisive"] if "decisive" in share else positions
            cells = [percent(row, share) if row else "" for row in found]
            print(f"| {name} | {clock} s | {number} | " + " | ".join(cells) + " |")
        print()


def beaten(rows):
    """Lists the variants whose interval lies above that of the default."""
    for (name, clock, variant, positions), row in rows.items():
        default = rows.get((name, clock, "default", positions))
        if not default:
            continue
        _, low, _ = interval(row, "of all")
        _, _, high = interval(default, "of all")
        if low > high:
            yield f"{name}, {clock} s: {variant} is better than the default"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_table_options(parser, "strength.tsv")
    parser.add_argument("--games", default=",".join(GAMES), help="shipped games, or families with sizes")
    parser.add_argument("--clocks", default="0.1,1", help="seconds per move")
    parser.add_argument("--variants", default=",".join(VARIANTS))
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--solve-seconds", type=float, default=1800, help="per game")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("strength"))
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    if not arguments.report:
        arguments.zermelo = arguments.zermelo or built_program()
        arguments.folder.mkdir(parents=True, exist_ok=True)
        run_all(arguments)
    rows = read_rows(arguments.out, *KEY)
    if not rows:
        sys.exit(f"no results in {arguments.out}")
    if arguments.report:
        report(rows, arguments)
    found = list(beaten(rows))
    print("\n".join(found or ["no variant is significantly better than the default"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
