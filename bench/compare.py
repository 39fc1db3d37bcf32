#!/usr/bin/env python3
"""Compares two builds of Zermelo on the same tasks.

In every round each task is run by the old and the new program in turn, short tasks many times. Printed
are the medians of the processor time and of the peak memory of both, the ratio of the new to the old
time (median, smallest and largest of the rounds), and the ratio of the fastest runs. Other programs can
only slow a run down, so the fastest of many runs is the least disturbed: the exit code is 1 if this
ratio is above --limit, or if a program fails.

    bench/compare.py --rounds 7 ../zermelo-before/build/release/src/zermelo
    bench/compare.py --only playouts,start OLD NEW
"""

import argparse
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

from grounding import ROOT, Limits, Run, built_program

LIMITS = Limits(seconds=3600, gibibytes=64)
PLAYOUTS = {  # games to play: a few seconds each
    "tic_tac_toe": 150_000_000,
    "connect_four": 30_000_000,
    "breakthrough": 3_000_000,
    "othello": 2_000_000,
    "checkers": 400_000,
}
START_RUNS = 100  # in a round, of tasks that take some hundredths of a second


def tasks(folder, board):
    """Maps names to arguments. FOLDER stands for an empty folder."""
    play = ["--threads", "1", "--seed", "1", "--count"]
    game = {name: str(ROOT / f"games/{name}.kif") for name in PLAYOUTS}
    result = {f"playouts {name}": ["playouts", game[name], *play, str(n)] for name, n in PLAYOUTS.items()}
    result["start: one playout of checkers"] = ["playouts", game["checkers"], *play, "1"]
    result["start: solve tic-tac-toe"] = ["solve", game["tic_tac_toe"]]
    one_thread = ["--engine", "symbolic", "--threads", "1"]
    result["count connect four 6x5"] = ["count", board("6", "5"), *one_thread]
    result["solve connect four 5x5"] = ["solve", board("5", "5"), *one_thread]
    result["solve --out connect four 4x4"] = ["solve", board("4", "4"), "--threads", "1", "--out", folder]
    return result


def run(program, arguments, folder):
    """Returns the processor time in seconds and the peak memory in megabytes."""
    shutil.rmtree(folder, ignore_errors=True)
    result = Run([program, *arguments], LIMITS, keep_output=False)
    if result.exit != 0:
        sys.exit(f"{program} {' '.join(arguments)}: exit {result.exit}")
    return result.processor_seconds, result.megabytes


def run_round(name, arguments, programs, folder):
    """Returns the sum of the processor times and the largest peak memory, by program."""
    runs = START_RUNS if name.startswith("start") else 1
    samples = [[run(program, arguments, folder) for program in programs] for _ in range(runs)]
    return [(sum(s for s, _ in one), max(m for _, m in one)) for one in zip(*samples)]


def compare(name, arguments, programs, folder, rounds):
    samples = [run_round(name, arguments, programs, folder) for _ in range(rounds)]
    seconds = [statistics.median(pair[i][0] for pair in samples) for i in (0, 1)]
    megabytes = [statistics.median(pair[i][1] for pair in samples) for i in (0, 1)]
    ratios = sorted(new[0] / old[0] for old, new in samples)
    fastest = min(new[0] for _, new in samples) / min(old[0] for old, _ in samples)
    print(
        f"{name:32} {seconds[0]:8.3f} s {seconds[1]:8.3f} s"
        f"  {statistics.median(ratios):5.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})  {fastest:7.2f}"
        f"  {megabytes[0]:7.0f} MB {megabytes[1]:7.0f} MB",
        flush=True,
    )
    return fastest


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", help="the program to compare with")
    parser.add_argument("new", nargs="?", help="the program to measure (default: the build of this checkout)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--limit", type=float, default=1.03, help="the largest ratio allowed")
    parser.add_argument("--only", default="", help="tasks that contain one of these words, separated by commas")
    options = parser.parse_args()
    programs = [options.old, options.new or built_program()]
    with tempfile.TemporaryDirectory() as work:

        def board(width, height):
            path = pathlib.Path(work) / f"connect_four_{width}x{height}.kif"
            text = subprocess.run([programs[1], "generate", "connect-four", width, height], check=True, capture_output=True)
            path.write_bytes(text.stdout)
            return str(path)

        folder = str(pathlib.Path(work) / "out")
        chosen = {
            name: arguments
            for name, arguments in tasks(folder, board).items()
            if any(word in name for word in options.only.split(","))
        }
        print(f"{'task':32} {'old':>10} {'new':>10}  ratio                fastest  {'old':>10} {'new':>10}")
        ratios = [compare(name, a, programs, folder, options.rounds) for name, a in chosen.items()]
    sys.exit(any(ratio > options.limit for ratio in ratios))


if __name__ == "__main__":
    main()
