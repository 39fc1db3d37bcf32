#!/usr/bin/env python3
"""Planners on single-player games: the tables of the planning documents, one row a game.

    bench/plan_table.py ../shared/games/games                  Table 1 of the 2013 paper, 60 s each
    bench/plan_table.py --others ../shared/games/games         all other single-player games: the race
    bench/plan_table.py --quick games                          3 s each, into a file of its own

The columns: `translate` is the time of the direct translation to SAS+. `faithful` is Fast Downward with
the configuration of the paper ("Translating Single-Player GDL into PDDL", 2013) on the faithful
translation. `direct` is Fast Downward with one fixed configuration on the direct translation; it approximates
negated axioms, which take exponential time to compute exactly in several games. `uncounted` is the same
without step counter, for the games in which the paper removed it. `portfolio` is
`plan --planner fast-downward`, `native` is `plan`, and `race` is `plan --race`.

A cell is the reward and the seconds; a star says that no plan is better. Runs that are in the file are not
repeated, so an interrupted measurement is resumed by the same command. Use an idle machine: a race runs
three processes.
"""

import argparse
import json
import pathlib
import re
import subprocess
import time

from grounding import built_program
from plan_native import TABLE_1, plain
from table_file import add_row, add_table_options, read_rows

PAPER_SEARCH = "let(h,ff(),lazy_greedy([h],preferred=[h]))"
FIXED_SEARCH = (
    "let(h,ff(axioms=approximate_negative),"
    "eager(alt([single(h),single(h,pref_only=true),type_based([h,g()])],boost=1000),preferred=[h]))"
)
DIRECT = ["--planner", "fast-downward", "--search", FIXED_SEARCH]
COLUMNS = {
    "translate": None,
    "faithful": ["--planner", "fast-downward", "--style", "faithful", "--search", PAPER_SEARCH],
    "direct": DIRECT,
    "uncounted": [*DIRECT, "--drop-step-counter"],
    "portfolio": ["--planner", "fast-downward"],
    "native": [],
    "race": ["--race"],
}

# The games from which the paper removed the step counter.
STARRED = """8puzzle asteroids asteroidsparallel asteroidsserial blocks brain_teaser_extended buttons cube_2x2x2
frogs_and_toads god hanoi_6_disks incredible lightsout lightsout2 maze mimikry oisters_farm walkingman
wargame01""".split()

FIELDS = ["game", "column", "reward", "optimal", "moves", "seconds", "note"]


def is_single_player(game):
    """Counts the facts about roles; games too large to ground are tried, too."""
    text = re.sub(r";.*", "", game.read_text(errors="replace"))
    return len(set(re.findall(r"\(\s*role\s+([^\s?()]+)\s*\)", text, re.I))) == 1


def names(table):
    return {plain(name) for name in table}


def games(paths, others):
    files = [f for path in paths for f in (sorted(path.glob("*.kif")) if path.is_dir() else [path])]
    return [f for f in files if (plain(f.stem) in names(TABLE_1)) != others]


def columns_of(game, others):
    if others:
        return ["race"]
    return [c for c in COLUMNS if c != "uncounted" or plain(game.stem) in names(STARRED)]


def translate(program, game, limit):
    begin = time.monotonic()
    command = [program, "translate", str(game), "--to", "sas", "-o", "/dev/null", "--time", f"{limit}s"]
    done = subprocess.run(command, capture_output=True, text=True)
    note = "" if done.returncode == 0 else done.stderr.strip().splitlines()[-1]
    return {"seconds": f"{time.monotonic() - begin:.2f}", "note": note}


def plan(program, game, options, limit, memory):
    begin = time.monotonic()
    command = [program, "plan", str(game), "--json", "--time", f"{limit}s", "--memory", memory, *options]
    done = subprocess.run(command, capture_output=True, text=True)
    row = {"seconds": f"{time.monotonic() - begin:.2f}"}
    found = json.loads(done.stdout) if done.stdout else {"error": {"message": done.stderr.strip()}}
    if "reward" in found:
        row.update(reward=found["reward"], optimal=found["optimal"], moves=len(found["moves"]))
        row["note"] = found["planner"]
    else:
        row["note"] = found["error"]["message"]
    return row


def measure(program, game, column, arguments):
    if column == "translate":
        return translate(program, game, arguments.time)
    return plan(program, game, COLUMNS[column], arguments.time, arguments.memory)


def cell(row):
    if row is None:
        return ""
    if row["column"] == "translate":
        return row["seconds"]
    if row["reward"] in ("", "None"):
        return "-"
    return f"{row['reward']}{'*' if row['optimal'] == 'True' else ''} {float(row['seconds']):.1f}"


def report(rows):
    found = sorted({game for game, _ in rows})
    used = [column for column in COLUMNS if any((game, column) in rows for game in found)]
    lines = [f"{'game':28}" + "".join(f"{column:>12}" for column in used)]
    lines += [f"{game:28}" + "".join(f"{cell(rows.get((game, column))):>12}" for column in used) for game in found]
    best = [sum(rows.get((g, c), {}).get("optimal") == "True" for g in found) for c in used]
    counts = "".join(f"{'' if c == 'translate' else n:>12}" for c, n in zip(used, best))
    return "\n".join([*lines, f"{'best, of ' + str(len(found)):28}" + counts])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    add_table_options(parser, "plan_table.tsv")
    parser.add_argument("--time", type=float, help="seconds a run (default 60, with --quick 3)")
    parser.add_argument("--memory", default="8G")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--others", action="store_true", help="the games that Table 1 does not have")
    parser.add_argument("paths", nargs="*", type=pathlib.Path, metavar="GAME|FOLDER")
    arguments = parser.parse_args()
    arguments.time = arguments.time or (3 if arguments.quick else 60)
    if arguments.quick:
        arguments.out = arguments.out.with_suffix(".quick.tsv")
    rows = read_rows(arguments.out, "game", "column")
    if not arguments.report:
        program = arguments.zermelo or built_program()
        end = time.monotonic() + arguments.budget
        for game in games(arguments.paths, arguments.others):
            missing = [c for c in columns_of(game, arguments.others) if (game.stem, c) not in rows]
            if not missing or (arguments.others and not is_single_player(game)):
                continue
            for column in missing:
                if time.monotonic() > end:
                    break
                row = {"game": game.stem, "column": column, **measure(program, game, column, arguments)}
                add_row(arguments.out, FIELDS, row)
                print(game.stem, column, row.get("reward", ""), row["seconds"], flush=True)
        rows = read_rows(arguments.out, "game", "column")
    print(report(rows))


if __name__ == "__main__":
    main()
