#!/usr/bin/env python3
"""Kills a long `zermelo solve` repeatedly at random times and resumes it.

    bench/interrupt.py --board 6x4 --kills 20 --seed 1

The board is first solved without interruption. Then the same command is killed (SIGKILL) --kills
times, at uniformly random times, and finally run to its end. The two folders must be identical, and a
run may rewrite at most one existing layer: the one in progress, whose file was complete but not yet
recorded. Printed are the processor times and the layers that each run added.
"""

import argparse
import hashlib
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def processor_seconds():
    times = os.times()
    return times.children_user + times.children_system


def checksums(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


def layer_files(folder):
    """Identifies the complete layer files; a rewritten file has a new identity."""
    if not folder.exists():
        return {}
    files = [p for p in folder.iterdir() if p.name.startswith("layer-") and ".part" not in p.name]
    return {path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in files}


def solve(command, out, seconds=None):
    """Returns whether it finished within the time."""
    process = subprocess.Popen([*command, "--out", str(out)], stdout=subprocess.DEVNULL)
    try:
        code = process.wait(timeout=seconds)
        if code != 0:
            sys.exit(f"zermelo ended with exit code {code}")
        return True
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return False


def interrupted(command, out, kills, seconds, seed):
    """Returns the number of kills and the maximum number of layers that one run rewrote."""
    moments = random.Random(seed)
    most_rewritten = 0
    for number in range(kills + 1):
        before = layer_files(out)
        last = number == kills
        ended = solve(command, out, None if last else moments.uniform(0, 2 * seconds / kills))
        after = layer_files(out)
        rewritten = {name.split(".")[0] for name in before if after.get(name) != before[name]}
        most_rewritten = max(most_rewritten, len(rewritten))
        again = f", rewrote {', '.join(sorted(rewritten))}" if rewritten else ""
        print(f"run {number + 1}: {len(after) - len(before)} new layer files, {len(after)} in total{again}", flush=True)
        if ended:
            return number, most_rewritten


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--zermelo", default=str(ROOT / "zermelo"), help="the executable")
    parser.add_argument("--board", default="6x5", help="Connect Four board, WIDTHxHEIGHT")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", default="1")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        rules = folder / "rules.kif"
        generate = [arguments.zermelo, "generate", "connect-four", *arguments.board.split("x")]
        rules.write_bytes(subprocess.run(generate, capture_output=True, check=True).stdout)
        command = [arguments.zermelo, "solve", str(rules), "--engine", "symbolic", "--no-distance"]
        command += ["--threads", arguments.threads]
        begin = time.monotonic()
        solve(command, folder / "whole")
        seconds, whole = time.monotonic() - begin, processor_seconds()
        print(f"uninterrupted: {seconds:.1f} s wall time, {whole:.1f} s processor time", flush=True)
        kills, most_rewritten = interrupted(command, folder / "pieces", arguments.kills, seconds, arguments.seed)
        same = checksums(folder / "whole") == checksums(folder / "pieces")
    print(f"killed {kills} times: {processor_seconds() - whole:.1f} s processor time")
    print("identical folders" if same else "FOLDERS DIFFER")
    print(f"maximum number of layers rewritten after one kill: {most_rewritten}")
    return 0 if same and most_rewritten <= 1 else 1


if __name__ == "__main__":
    sys.exit(main())
