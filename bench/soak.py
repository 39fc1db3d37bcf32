#!/usr/bin/env python3
"""Runs many matches of two players under the referee and checks moves and memory.

Starts two `zermelo player` processes. `zermelo referee` runs one scrambled match after another between
them, on the games of a folder in turn, with alternating roles. The games are those of --include, and
games of the folder with two roles that end within --longest random moves on average, spread evenly by
name. A game of --include may have any length; if it does not ground in time, the players use the slow
engine. The resident memory of both players is read after every match. Reported are late, illegal and
lost moves, matches for which a player was not ready, and the memory after ten matches and at the end.
Memory is checked only if there are at least twenty matches. Exit code 1 if there was any such move or
match, if memory grew by more than 5%, or if fewer different games were played than requested with
--games and --include.

    bench/soak.py ../shared/games/games                      # 200 matches, clocks of 2 s and 1 s
    bench/soak.py games --matches 10 --games 5 --start-clock 1
    bench/soak.py --include ../shared/games/games/amazons.kif  # does not ground in 3 s
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
MOST_GROWTH = 1.05  # maximum growth of resident memory from the tenth match to the end
FEWEST_FOR_MEMORY = 20  # matches


class Player:
    def __init__(self, program, threads):
        command = [program, "player", "--port", "0", "--threads", str(threads)]
        self.log = tempfile.NamedTemporaryFile("w+")
        self.process = subprocess.Popen(command, stderr=self.log)
        self.address = f"127.0.0.1:{self.wait_for_port()}"

    def wait_for_port(self):
        while self.process.poll() is None:
            found = re.search(r"listening on port (\d+)", pathlib.Path(self.log.name).read_text())
            if found:
                return int(found[1])
            time.sleep(0.05)
        self.give_up()

    def resident_megabytes(self):
        if self.process.poll() is not None:
            self.give_up()
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024

    def give_up(self):
        said = pathlib.Path(self.log.name).read_text()
        sys.exit(f"a player ended with exit code {self.process.returncode}: {said}")

    def end(self):
        self.process.kill()
        self.process.wait()


def settled_memory(players):
    """Returns the resident megabytes of each player once they have not changed for 2 s."""
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
    """True if the game has two roles and is short."""
    answer = json_of([program, "playouts", path, "--count", "64", "--engine", "fast", "--time", "5s",
                      "--json"], 20)
    return answer and len(answer["mean_goals"]) == 2 and 2 < answer["mean_depth"] <= longest


def choose_games(program, options):
    """Returns the included games, then suitable games of the folder."""
    included = [path.resolve() for path in options.include]
    paths = sorted(path.resolve() for path in options.folder.iterdir()
                   if path.suffix in (".kif", ".gdl"))
    chosen = []
    for start in range(7):  # every seventh file, then the files between them
        for path in paths[start::7]:
            if len(chosen) == options.games:
                return included + chosen
            if path not in included and is_suitable(program, path, options.longest):
                chosen.append(path)
    return included + chosen


def play_match(program, path, players, options, number):
    """Returns the JSON of one match, or None if the referee failed."""
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
    """Returns whether there were no faults and memory did not grow."""
    total = dict.fromkeys(FAULTS, 0)
    failed, moves, memory = 0, 0, []
    for number in range(options.matches):
        path = games[number % len(games)]
        answer = play_match(program, path, players, options, number)
        memory.append(settled_memory(players))
        if answer is None:
            print(f"{number + 1:4} {path.stem[:30]:30} the referee failed", flush=True)
            failed += 1
            continue
        report_match(number, path, answer, memory[-1])
        moves += len(answer["records"][0]["moves"])
        for name in FAULTS:
            total[name] += answer["faults"][name]
    print(f"{options.matches} matches, {moves} joint moves, {failed} failed,",
          ", ".join(f"{name} {count}" for name, count in total.items()))
    grown = has_grown(memory)
    return failed == 0 and not any(total.values()) and not grown


def has_grown(memory):
    """Checks the resident megabytes of both players after each match."""
    if len(memory) < FEWEST_FOR_MEMORY:
        print(f"memory not checked: fewer than {FEWEST_FOR_MEMORY} matches")
        return False
    grown = False
    for first, last in zip(memory[9], memory[-1]):
        grown |= last > first * MOST_GROWTH
        print(f"resident after 10 matches {first:.1f} MB, at the end {last:.1f} MB, "
              f"{100 * (last / first - 1):+.1f}%")
    return grown


def report_games(games, options):
    """Returns whether the requested number of different games was played."""
    played = list(dict.fromkeys(games[:options.matches]))
    requested = options.games + len(options.include)
    print(f"{len(played)} different games of {requested} requested:",
          ", ".join(path.stem for path in played))
    return len(played) >= requested


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path, nargs="?", default=ROOT / "../shared/games/games")
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--games", type=int, default=20, help="number of games from the folder")
    parser.add_argument("--include", type=pathlib.Path, action="append", default=[], metavar="PATH",
                        help="a two-role game of any length; may be repeated")
    parser.add_argument("--longest", type=float, default=60, help="maximum mean length of a random game")
    parser.add_argument("--start-clock", type=int, default=2)
    parser.add_argument("--play-clock", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1, help="threads per player")
    parser.add_argument("--program", help="the executable (default: build it)")
    options = parser.parse_args()
    missing = [path for path in [options.folder, *options.include] if not path.exists()]
    if missing:
        parser.error(f"{missing[0]} does not exist")
    return options


def main():
    options = parse_arguments()
    program = options.program or built_program()
    games = choose_games(program, options)
    if not games:
        sys.exit(f"{options.folder} has no game of two roles that ends within {options.longest:g} "
                 "random moves on average")
    players = []
    try:
        for _ in range(2):
            players.append(Player(program, options.threads))
        is_sound = soak(program, games, players, options)
    finally:
        for player in players:
            player.end()
    return 0 if report_games(games, options) and is_sound else 1


if __name__ == "__main__":
    sys.exit(main())
