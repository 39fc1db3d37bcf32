#!/usr/bin/env python3
"""Runs recorded commands and compares their output: tests/golden/<case>/{cmd,out,err,exit}.

`cmd` is a bash script that runs in the root of the checkout. In it, `zermelo` is the program named by
the environment variable ZERMELO. A missing `out` or `err` means no output, a missing `exit` means 0.
With --regenerate the recordings are rewritten instead.
"""

import argparse
import difflib
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PRELUDE = 'set -u -o pipefail\nzermelo() { "$ZERMELO" "$@"; }\n'
QUIET = {"out": "", "err": "", "exit": "0\n"}


def run(case):
    script = PRELUDE + (case / "cmd").read_text()
    done = subprocess.run(["bash", "-c", script], cwd=ROOT, capture_output=True, timeout=300)
    return {
        "out": done.stdout.decode(errors="replace"),
        "err": done.stderr.decode(errors="replace"),
        "exit": f"{done.returncode}\n",
    }


def recorded(case):
    files = {name: case / name for name in QUIET}
    return {n: f.read_text() if f.exists() else QUIET[n] for n, f in files.items()}


def differences(case):
    expected, actual = recorded(case), run(case)
    for name in QUIET:
        lines = (text[name].splitlines(keepends=True) for text in (expected, actual))
        yield from difflib.unified_diff(*lines, f"{case.name}/{name}", "this run")


def regenerate(case):
    for name, text in run(case).items():
        if text == QUIET[name]:
            (case / name).unlink(missing_ok=True)
        else:
            (case / name).write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--regenerate", action="store_true")
    parser.add_argument("cases", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    if "ZERMELO" not in os.environ:
        parser.error("the environment variable ZERMELO must name the program")
    if arguments.regenerate:
        for case in arguments.cases:
            regenerate(case)
        return 0
    found = [line for case in arguments.cases for line in differences(case)]
    sys.stdout.writelines(found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
