#!/usr/bin/env python3
"""Kills a long `zermelo solve` at random moments and resumes it, again and again.

    bench/interrupt.py --board 6x4 --kills 20 --seed 1

The board is first solved in one go. Then the same command is killed (SIGKILL) that often, after times
that are drawn evenly from what it needs, and run to its end. The finished folder must be the same, byte
for byte, and a run may have written again at most one layer of those that were there: the one in
progress, whose file was whole but not yet noted. Printed are the processor time of both and the layers
that each run added.
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
    """Whole layer files; one that is written again is another file."""
    if not folder.exists():
        return {}
    files = [p for p in folder.iterdir() if p.name.startswith("layer-") and ".part" not in p.name]
    return {path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in files}


def solve(command, out, seconds=None):
    """Whether it came to its end within the time."""
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
    """How often it was killed, and the most layers that one run wrote again."""
    moments = random.Random(seed)
    most_rewritten = 0
    for number in range(kills + 1):
        before = layer_files(out)
        last = number == kills
        ended = solve(command, out, None if last else moments.uniform(0, 2 * seconds / kills))
        after = layer_files(out)
        rewritten = {name.split(".")[0] for name in before if after.get(name) != before[name]}
        most_rewritten = max(most_rewritten, len(rewritten))
        again = f", {', '.join(sorted(rewritten))} again" if rewritten else ""
        print(f"run {number + 1}: {len(after) - len(before)} layer files more, {len(after)} in all{again}", flush=True)
        if ended:
            return number, most_rewritten


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--zermelo", default=str(ROOT / "zermelo"), help="the program")
    parser.add_argument("--board", default="6x5", help="of Connect Four, WIDTHxHEIGHT")
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
        print(f"in one go: {seconds:.1f} s by the clock, {whole:.1f} s of processor time", flush=True)
        kills, most_rewritten = interrupted(command, folder / "pieces", arguments.kills, seconds, arguments.seed)
        same = checksums(folder / "whole") == checksums(folder / "pieces")
    print(f"killed {kills} times: {processor_seconds() - whole:.1f} s of processor time")
    print("the same folder" if same else "ANOTHER FOLDER")
    print(f"layers computed twice after one kill, at most: {most_rewritten}")
    return 0 if same and most_rewritten <= 1 else 1


if __name__ == "__main__":
    sys.exit(main())
