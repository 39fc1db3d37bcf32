#!/usr/bin/env python3
"""Two players under the referee for many matches: are they ever late, illegal, or growing?

Starts two `zermelo player`s and lets `zermelo referee` manage one scrambled match after another
between them, on the games of a folder in turn, roles changing from match to match. Games are those
of two roles that end within --longest random moves on average, spread evenly over the folder by
name. After every match the resident memory of both players is read; reported are late, illegal and
lost moves, matches for which a player was not ready, and the memory after ten matches and at the
end. Exit code 1 if there was any such move or match, or memory has grown by more than a twentieth.

    bench/soak.py ../shared/games/games                      # 200 matches, clocks of 2 s and 1 s
    bench/soak.py games --matches 10 --games 5 --start-clock 1
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from grounding import ROOT, built_program

FAULTS = ("late", "illegal", "unreachable", "unprepared")
MOST_GROWTH = 1.05  # of the resident memory, from the tenth match to the end


class Player:
    def __init__(self, program, threads):
        command = [program, "player", "--port", "0", "--threads", str(threads)]
        self.log = tempfile.NamedTemporaryFile("w+")
        self.process = subprocess.Popen(command, stderr=self.log)
        self.address = f"127.0.0.1:{self.wait_for_port()}"

    def wait_for_port(self):
        while True:
            found = re.search(r"listening on port (\d+)", pathlib.Path(self.log.name).read_text())
            if found:
                return int(found[1])
            time.sleep(0.05)

    def resident_megabytes(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024

    def end(self):
        self.process.kill()
        self.process.wait()


def settled_memory(players):
    """The resident megabytes of each, once they have cleared away the match: unchanged for 2 s."""
    sizes = []
    for _ in range(40):
        sizes.append([player.resident_megabytes() for player in players])
        if len(sizes) >= 5 and all(size == sizes[-1] for size in sizes[-5:]):
            break
        time.sleep(0.5)
    return sizes[-1]


def json_of(command, timeout):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
        return json.loads(done.stdout) if done.returncode == 0 else None
    except subprocess.TimeoutExpired:
        return None


def is_suitable(program, path, longest):
    """Whether the game has two roles and ends soon."""
    answer = json_of([program, "playouts", path, "--count", "64", "--engine", "fast", "--time", "5s",
                      "--json"], 20)
    return answer and len(answer["mean_goals"]) == 2 and 2 < answer["mean_depth"] <= longest


def choose_games(program, folder, wanted, longest):
    paths = sorted(path for path in folder.iterdir() if path.suffix in (".kif", ".gdl"))
    chosen = []
    for start in range(7):  # every seventh file, then those between
        for path in paths[start::7]:
            if len(chosen) == wanted:
                return chosen
            if is_suitable(program, path, longest):
                chosen.append(path)
    return chosen


def play_match(program, path, players, options, number):
    """The faults of one match; None where the referee failed."""
    addresses = [player.address for player in players]
    if number % 2:
        addresses.reverse()
    command = [program, "referee", path, "--scramble", "--json", "--seed", str(number + 1),
               "--start-clock", str(options.start_clock), "--play-clock", str(options.play_clock)]
    for address in addresses:
        command += ["--player", address]
    return json_of(command, 3600)


def report_match(number, path, answer, memory):
    record = answer["records"][0]
    faults = " ".join(f"{name} {answer['faults'][name]}" for name in FAULTS)
    resident = " ".join(f"{size:.0f}" for size in memory)
    print(f"{number + 1:4} {path.stem[:30]:30} moves {len(record['moves']):4} goals "
          f"{record['goalValues']} {faults} MB {resident}", flush=True)


def soak(program, games, players, options):
    total = dict.fromkeys(FAULTS, 0)
    failed, moves, early = 0, 0, None
    for number in range(options.matches):
        answer = play_match(program, games[number % len(games)], players, options, number)
        memory = settled_memory(players)
        if number + 1 == 10:
            early = memory
        if answer is None:
            failed += 1
            continue
        report_match(number, games[number % len(games)], answer, memory)
        moves += len(answer["records"][0]["moves"])
        for name in FAULTS:
            total[name] += answer["faults"][name]
    print(f"{options.matches} matches, {moves} joint moves, {failed} failed,",
          ", ".join(f"{name} {count}" for name, count in total.items()))
    grown = False
    for first, last in zip(early or [], memory):
        grown |= last > first * MOST_GROWTH
        print(f"resident after 10 matches {first:.1f} MB, at the end {last:.1f} MB, "
              f"{100 * (last / first - 1):+.1f}%")
    return failed == 0 and not any(total.values()) and not grown


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path, nargs="?", default=ROOT / "../shared/games/games")
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--games", type=int, default=20, help="how many of the folder")
    parser.add_argument("--longest", type=float, default=60, help="mean moves of a random game")
    parser.add_argument("--start-clock", type=int, default=2)
    parser.add_argument("--play-clock", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1, help="of each player")
    parser.add_argument("--program", help="the executable (default: build it)")
    options = parser.parse_args()
    program = options.program or built_program()
    games = choose_games(program, options.folder, options.games, options.longest)
    players = [Player(program, options.threads), Player(program, options.threads)]
    try:
        return 0 if soak(program, games, players, options) else 1
    finally:
        for player in players:
            player.end()


if __name__ == "__main__":
    sys.exit(main())
