#!/usr/bin/env python3
"""Grounds every rulesheet of a folder with Zermelo and with gringo, and prints a table.

Both programs have the same limits and are measured from start to exit, alternating for each file, so
that changes in the load of the machine affect both. Zermelo runs `info --json --no-conditions`; gringo
runs on the translation of gdl_to_asp.py and writes its own format to /dev/null. gringo's rules are
the ground rules with a body, counted in a separate run that is not timed. Totals are given over the
files that gringo finishes, for comparison, and over all files.

    bench/grounding.py                          # every file in ../shared/games/games
    bench/grounding.py --output table.tsv games
"""

import argparse
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time

from gdl_to_asp import translate

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLUMNS = (
    "file", "status", "seconds", "megabytes", "fluents", "moves", "rules",
    "gringo_status", "gringo_seconds", "gringo_megabytes", "gringo_rules",
)
STATUS_OF_EXIT = {0: "ok", 3: "bad input", 4: "not applicable", 5: "memory", 6: "time"}


class Limits:
    def __init__(self, seconds, gibibytes):
        self.seconds = seconds
        self.bytes = int(gibibytes * 2**30)

    def apply_memory(self):
        resource.setrlimit(resource.RLIMIT_AS, (self.bytes, self.bytes))


class Run:
    """A process run under limits: its exit code, time, peak memory and output."""

    def __init__(self, command, limits, keep_output):
        with tempfile.TemporaryFile() as out:
            begin = time.perf_counter()
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=out if keep_output else subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                preexec_fn=limits.apply_memory,
            )
            timer = threading.Timer(limits.seconds, process.kill)
            timer.start()
            _, status, usage = os.wait4(process.pid, 0)
            timer.cancel()
            self.seconds = time.perf_counter() - begin
            process.returncode = os.waitstatus_to_exitcode(status)
            self.exit = process.returncode
            self.processor_seconds = usage.ru_utime + usage.ru_stime
            self.megabytes = usage.ru_maxrss / 1024
            self.timed_out = self.seconds >= limits.seconds
            out.seek(0)
            self.output = out.read()


def run_zermelo(program, file, limits):
    command = [program, "info", "--json", "--no-conditions", file]
    command += ["--time", f"{limits.seconds}s", "--memory", str(limits.bytes)]
    run = Run(command, limits, keep_output=True)
    status = "time" if run.timed_out else STATUS_OF_EXIT.get(run.exit, f"exit {run.exit}")
    row = {"status": status, "seconds": run.seconds, "megabytes": run.megabytes}
    if status == "ok":
        game = json.loads(run.output)
        row["fluents"] = game["fluents"]
        row["moves"] = sum(game["moves"].values())
        row["rules"] = game["ground_rules"]
    return row


def count_rules(program_file):
    """Counts the ground rules with a body in the output of gringo, without facts and choices."""
    gringo = subprocess.Popen(
        ["gringo", program_file], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    count = sum(line.startswith(b"1 0 ") and line.count(b" ") > 5 for line in gringo.stdout)
    gringo.wait()
    return count


def run_gringo(file, limits, count):
    with tempfile.NamedTemporaryFile("w", suffix=".lp") as program_file:
        program_file.write(translate(pathlib.Path(file).read_text(errors="replace")))
        program_file.flush()
        run = Run(["gringo", program_file.name], limits, keep_output=False)
        finished = not run.timed_out and run.exit == 0
        row = {
            "gringo_status": "ok" if finished else "time" if run.timed_out else f"exit {run.exit}",
            "gringo_seconds": run.seconds,
            "gringo_megabytes": run.megabytes,
        }
        if finished and count:
            row["gringo_rules"] = count_rules(program_file.name)
        return row


def measure(files, program, limits, count):
    for number, file in enumerate(files):
        runs = [
            lambda: run_zermelo(program, str(file), limits),
            lambda: run_gringo(str(file), limits, count),
        ]
        row = {"file": file.name}
        for run in runs if number % 2 == 0 else reversed(runs):
            row.update(run())
        yield row


def cell(value):
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def table_line(row):
    return "\t".join(cell(row.get(column, "-")) for column in COLUMNS)


def summary(rows):
    ours = [row for row in rows if row["status"] == "ok"]
    theirs = [row for row in rows if row["gringo_status"] == "ok"]
    both = [row for row in theirs if row["status"] == "ok"]
    total = lambda some, column: sum(row.get(column, 0) for row in some)  # noqa: E731
    yield f"files {len(rows)}: zermelo grounds {len(ours)}, gringo {len(theirs)}"
    yield (
        f"over the {len(theirs)} that gringo finishes: "
        f"zermelo {total(theirs, 'seconds'):.1f} s ({len(both)} of them ok), "
        f"gringo {total(theirs, 'gringo_seconds'):.1f} s"
    )
    yield (
        f"over the {len(both)} that both finish: zermelo {total(both, 'rules'):,} rules, "
        f"gringo {total(both, 'gringo_rules'):,}"
    )
    yield f"over all: zermelo {total(rows, 'seconds'):.1f} s"
    for row in rows:
        if row["status"] != "ok":
            yield f"not grounded: {row['file']} ({row['status']}, {row['seconds']:.1f} s)"


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", default=ROOT / "../shared/games/games")
    parser.add_argument("--program", help="the executable (default: build it)")
    parser.add_argument("--seconds", type=float, default=20, help="time limit per run (20)")
    parser.add_argument("--gibibytes", type=float, default=4, help="memory limit per run (4)")
    parser.add_argument("--only", default="", help="only files whose name contains this")
    parser.add_argument("--no-rule-count", action="store_true", help="do not count gringo's rules")
    parser.add_argument("--output", type=argparse.FileType("w"), default=sys.stdout)
    return parser.parse_args()


def built_program():
    subprocess.run([ROOT / "zermelo", "--version"], check=True, stdout=subprocess.DEVNULL)
    return str(ROOT / "build/release/src/zermelo")


def install(program, package):
    if shutil.which(program):
        return
    setup = f'root={ROOT}; source "$root/scripts/setup.sh"; install_missing {package}'
    subprocess.run(["bash", "-c", setup], check=True)


def main():
    arguments = parse_arguments()
    install("gringo", "gringo")
    limits = Limits(arguments.seconds, arguments.gibibytes)
    program = arguments.program or built_program()
    files = sorted(pathlib.Path(arguments.folder).glob("*.kif"))
    files = [file for file in files if arguments.only in file.name]
    rows = []
    print("\t".join(COLUMNS), file=arguments.output)
    for row in measure(files, program, limits, not arguments.no_rule_count):
        rows.append(row)
        print(table_line(row), file=arguments.output, flush=True)
    print("\n".join(summary(rows)), file=sys.stderr)


if __name__ == "__main__":
    main()
