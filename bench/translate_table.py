#!/usr/bin/env python3
"""Translates single-player games for planners in all styles, and prints a table, one row a game.

    bench/translate_table.py ../shared/games/games             all styles, about a minute
    bench/translate_table.py --quick ../shared/games/games     only sas, about 10 seconds
    bench/translate_table.py --accept games                    Fast Downward reads the files, too

The columns: `ground` is the processor time of reading and grounding the game. `direct` and `sas` are the
times of the direct translation as PDDL and as SAS+ without that, so that they can be compared with the
target: 0.3 s for every game that grounds within 1 s. `faithful` and `gddl` are whole times. A cell is the
seconds and the size of the files. `-` says that the game is not translated; the reason is printed below
the table. With --accept, `+` behind a cell says that Fast Downward reads the files (its translator reads
PDDL, its search SAS+), `!` that it does not, and `?` that it did not finish within the time. It has no
reader for GDDL.

Processor times are those of the whole process, so a busy machine changes them little.
"""

import argparse
import dataclasses
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading

from grounding import built_program

STYLES = {
    "faithful": ["--to", "pddl", "--style", "faithful"],
    "direct": ["--to", "pddl"],
    "sas": ["--to", "sas"],
    "gddl": ["--to", "gddl"],
}
GROUNDED = ("direct", "sas")  # whose times are without grounding
NEEDS_GROUND = ("direct", "sas", "gddl")
TARGET = 0.3
TARGET_GROUND = 1.0
PLANNER_OUTCOMES = {0, 10, 11, 12, 13, 22, 23}  # of Fast Downward: it has read the task


@dataclasses.dataclass
class Run:
    code: int
    seconds: float  # of the processor
    error: str
    is_late: bool


def run(command, limit, cwd=None, stdin=None):
    """Runs a command, and kills it with its children after the limit."""
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            command,
            stdin=stdin or subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            cwd=cwd,
            start_new_session=True,
        )
        late = threading.Event()
        timer = threading.Timer(limit, lambda: (late.set(), os.killpg(process.pid, signal.SIGKILL)))
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        lines = errors.read().decode(errors="replace").strip().splitlines()
    return Run(process.returncode, usage.ru_utime + usage.ru_stime, lines[-1] if lines else "", late.is_set())


def is_single_player(game):
    text = re.sub(r";.*", "", game.read_text(errors="replace").lower())
    return len(set(re.findall(r"\(\s*role\s+([^\s()?]+)\s*\)", text))) == 1


def rulesheets(paths):
    files = [f for path in paths for f in (sorted(path.glob("*.kif")) if path.is_dir() else [path])]
    return [f for f in files if is_single_player(f)]


class Planner:
    """Fast Downward, as `plan --planner fast-downward` installs it."""

    def __init__(self, program):
        game = pathlib.Path(__file__).resolve().parent.parent / "games/buttons.kif"
        subprocess.run([program, "plan", str(game), "--planner", "fast-downward"], check=True, capture_output=True)
        cache = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
        self.environment = pathlib.Path(cache) / "zermelo/planners/fast-downward"
        self.folder = next(self.environment.glob("lib/*/site-packages/up_fast_downward/downward"))

    def accepts(self, style, folder, limit):
        if style == "sas":
            search = [self.folder / "builds/release/bin/downward", "--search", "astar(blind(),max_time=0.1)"]
            with (folder / "task").open() as task:
                done = run(search, limit, folder, task)
        else:
            driver = [self.environment / "bin/python", self.folder / "fast-downward.py", "--translate"]
            done = run([*driver, "domain.pddl", "problem.pddl"], limit, folder / "task")
        return "?" if done.is_late else "+" if done.code in PLANNER_OUTCOMES else "!"


@dataclasses.dataclass
class Cell:
    seconds: float
    size: int = 0
    mark: str = ""
    reason: str = ""

    def __str__(self):
        if self.reason:
            return "-"
        return f"{self.seconds:.2f} {self.size / 1000:7.0f}k{self.mark}"


def size_of(path):
    return sum(f.stat().st_size for f in path.iterdir()) if path.is_dir() else path.stat().st_size


def translate(program, game, style, arguments, planner):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        target = folder / "task"
        limit = arguments.time
        command = [program, "translate", str(game), *STYLES[style], "-o", str(target), "--time", f"{limit}s"]
        done = run(command, limit + 5)
        if done.code != 0:
            return Cell(done.seconds, reason=done.error or f"exit code {done.code}")
        cell = Cell(done.seconds, size_of(target))
        if planner and style != "gddl":
            cell.mark = planner.accepts(style, folder, arguments.planner_time)
        return cell


def row(program, game, styles, arguments, planner):
    limit = arguments.time
    ground = run([program, "info", str(game), "--no-conditions", "--json", "--time", f"{limit}s"], limit + 5)
    cells = {}
    for style in styles:
        if ground.code != 0 and style in NEEDS_GROUND:
            cells[style] = Cell(0, reason=ground.error)
        else:
            cells[style] = translate(program, game, style, arguments, planner)
        if style in GROUNDED:
            cells[style].seconds = max(0.0, cells[style].seconds - ground.seconds)
    return ground.seconds, cells


def is_slow(ground, cells):
    return ground < TARGET_GROUND and any(cells[s].seconds >= TARGET for s in GROUNDED if s in cells)


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--zermelo", help="the executable (default: build it)")
    parser.add_argument("--time", type=float, default=5, help="seconds per translation (default 5)")
    parser.add_argument("--quick", action="store_true", help="only sas, 1 s per translation")
    parser.add_argument("--accept", action="store_true", help="let Fast Downward read the files")
    parser.add_argument("--planner-time", type=float, default=20, help="seconds it has per file (default 20)")
    parser.add_argument("paths", nargs="+", type=pathlib.Path, metavar="GAME|FOLDER")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.time = min(arguments.time, 1)
    return arguments


def summary(rows, styles):
    """Lines below the table. `rows` maps names of games to the time of grounding and the cells."""
    refused = {g: {s: c.reason for s, c in cells.items() if c.reason} for g, (_, cells) in rows.items()}
    refused = {game: reasons for game, reasons in refused.items() if reasons}
    yield f"{len(rows) - len(refused)} of {len(rows)} games: translated in " + ", ".join(styles)
    for game, reasons in refused.items():
        for reason in sorted(set(reasons.values())):
            yield f"  {game} ({', '.join(s for s in styles if reasons.get(s) == reason)}): {reason}"
    slow = [game for game, (ground, cells) in rows.items() if is_slow(ground, cells)]
    yield f"{len(slow)} ground within {TARGET_GROUND:g} s and take {TARGET:g} s or more: " + " ".join(slow)


def main():
    arguments = options()
    program = os.path.abspath(arguments.zermelo) if arguments.zermelo else built_program()
    styles = ["sas"] if arguments.quick else list(STYLES)
    planner = Planner(program) if arguments.accept else None
    rows = {}
    print(f"{'game':32} {'ground':>7}" + "".join(f"{s:>16}" for s in styles))
    for game in rulesheets(arguments.paths):
        ground, cells = rows[game.stem] = row(program, game, styles, arguments, planner)
        print(f"{game.stem:32} {ground:7.2f}" + "".join(f"{cells[s]!s:>16}" for s in styles), flush=True)
    print("", *summary(rows, styles), sep="\n")
    marks = [cell.mark for _, cells in rows.values() for cell in cells.values()]
    if planner:
        count = marks.count
        print(f"Fast Downward: reads {count('+')}, does not read {count('!')}, does not finish {count('?')}")
    return 1 if "!" in marks else 0


if __name__ == "__main__":
    sys.exit(main())
