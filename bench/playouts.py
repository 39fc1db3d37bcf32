#!/usr/bin/env python3
"""Measures random playouts per second: the engines of Zermelo and SWI-Prolog on the same rules.

The games are those of peers.tsv, if ../shared/games/games is present, and the shipped ones. In every
round each engine plays a game for a while, one after the other, so that other load on the machine
affects all of them. The medians over the rounds are printed. A game that has taken --patience seconds
(such as chess, where building the machine takes most of the time) gets no further round.

Rates are per second of processor time spent playing, so that a busy machine gives about the same
rates as an idle one. For SWI-Prolog, the share of playing in the processor time is assumed to be the
same as in the wall time. The ratio of two threads to one is given in wall time, which needs an idle
machine, and in processor time. The ratio of two simultaneous processes to one process is given too:
it is an upper bound for the gain of two threads on this machine.

peers.tsv contains figures of other engines on another machine. They are scaled by the ratio of
SWI-Prolog on this machine to SWI-Prolog on that machine, and the multiples are relative to the scaled
figures. If SWI-Prolog cannot play a game, the median ratio of the other games is used.

The start is a whole process that plays one game. The signature is a hash over 10,000 games from seed
1: if it changes while the rules and the random numbers are the same, the behaviour has changed.

    bench/playouts.py                                    # everything
    bench/playouts.py --seconds 2 --rounds 5 ticTacToe breakthrough games/othello.kif
    bench/playouts.py --seconds 0.5 --rounds 2 --limit 60 --patience 10 peers    # a few minutes
"""

import argparse
import concurrent.futures
import json
import pathlib
import shutil
import statistics
import sys
import tempfile
import time

import gdl_to_prolog
from grounding import ROOT, Limits, Run, built_program, install
from playouts_report import report

SHARED = ROOT / "../shared/games/games"
ENGINES = {
    "sliced": ["--engine", "sliced", "--threads", "1"],
    "sliced2": ["--engine", "sliced", "--threads", "2"],
    "pair": ["--engine", "sliced", "--threads", "1"],
    "interpreted": ["--engine", "interpreted", "--threads", "1"],
    "fast": ["--engine", "fast"],
    "reference": ["--engine", "reference"],
    "swi": None,
}


def read_peers(path=ROOT / "bench/peers.tsv"):
    """Reads the cited figures: game -> column -> number. Missing figures are omitted."""
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    columns = lines[0].split("\t")
    peers = {}
    for line in lines[1:]:
        name, *values = line.split("\t")
        pairs = zip(columns[1:], values)
        peers[name] = {column: float(value) for column, value in pairs if value != "-"}
    return peers


class Sample:
    """One engine playing one game for a while."""

    def __init__(self, playouts, depth, seconds, processor_seconds):
        self.depth = depth
        self.by_clock = playouts / seconds
        self.rate = playouts / processor_seconds


def zermelo(program, game, arguments, limits):
    """Returns the process and its output, or None if it failed."""
    command = [program, "playouts", str(game), "--json", "--memory", str(limits.bytes), *arguments]
    run = Run(command, limits, keep_output=True)
    return run, json.loads(run.output) if run.exit == 0 and not run.timed_out else None


def play_zermelo(program, game, arguments, seconds, limits):
    _, said = zermelo(program, game, [*arguments, "--seconds", f"{seconds}s"], limits)
    if not said or said["playouts"] == 0:
        return None
    fields = ("playouts", "mean_depth", "seconds", "processor_seconds")
    return Sample(*(said[field] for field in fields))


def play_pair(*arguments):
    """Runs two processes at once and adds up their playouts."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        first, second = [pool.submit(play_zermelo, *arguments) for _ in range(2)]
    sample, other = first.result(), second.result()
    if sample and other:
        sample.by_clock += other.by_clock
    return sample and other and sample


def play_prolog(game, seconds, seed, limits):
    """Returns None if it fails or does not finish a game in time."""
    with tempfile.NamedTemporaryFile("w", suffix=".pl") as rules:
        rules.write(gdl_to_prolog.translate(game.read_text(errors="replace")))
        rules.flush()
        goal = f"benchmark({float(seconds)}, {seed})"
        runtime = str(ROOT / "bench/playouts.pl")
        run = Run(["swipl", "-q", "-g", goal, "-t", "halt", rules.name, runtime], limits, True)
    words = run.output.split()
    if run.exit != 0 or len(words) != 5 or int(words[0]) == 0:
        return None
    playouts, steps = int(words[0]), int(words[1])
    seconds = float(words[3])
    share = run.processor_seconds / run.seconds
    return Sample(playouts, steps / playouts, seconds, seconds * share)


class GameBenchmark:
    """All engines on one game."""

    def __init__(self, game, arguments, program):
        self.game = game
        self.arguments = arguments
        self.program = program
        self.limits = Limits(arguments.limit, arguments.gibibytes)
        self.samples = {engine: [] for engine in arguments.engines}
        self.patience = time.monotonic() + arguments.patience

    def rounds(self):
        """Yields the rounds: the first always, more until --patience is used up."""
        for number in range(self.arguments.rounds):
            if number == 0 or time.monotonic() < self.patience:
                yield number

    def run(self):
        for number in self.rounds():
            for engine in self.arguments.engines:
                self.play(engine, number)
        row = {"game": self.game.stem, "start": self.start(), "signature": self.signature()}
        row.update({engine: self.median(engine, "rate") for engine in self.samples})
        row["depth"] = self.median("sliced", "depth")
        row["swi_depth"] = self.median("swi", "depth")
        row["threads"] = self.gain("sliced2", "by_clock")
        row["threads_work"] = self.gain("sliced2", "rate", 2)
        row["processes"] = self.gain("pair", "by_clock")
        return row

    def play(self, engine, number):
        """An engine that failed once is not tried again."""
        samples = self.samples[engine]
        if None in samples:
            return
        seconds, options = self.arguments.seconds, ENGINES[engine]
        if engine == "swi":
            samples.append(play_prolog(self.game, seconds, number + 1, self.limits))
        else:
            options = [*options, "--seed", str(number + 1)]
            play = play_pair if engine == "pair" else play_zermelo
            samples.append(play(self.program, self.game, options, seconds, self.limits))

    def median(self, engine, field):
        samples = [sample for sample in self.samples.get(engine, []) if sample]
        return statistics.median(getattr(sample, field) for sample in samples) if samples else None

    def gain(self, engine, field, factor=1):
        """The speedup of an engine on two processors over one thread."""
        pairs = zip(self.samples.get("sliced", []), self.samples.get(engine, []))
        pairs = [(one, two) for one, two in pairs if one and two]
        ratios = [factor * getattr(two, field) / getattr(one, field) for one, two in pairs]
        return statistics.median(ratios) if ratios else None

    def start(self):
        """Processor seconds from reading the file to the end of the first game: the minimum of the rounds."""
        runs = [self.count(1) for _ in self.rounds()]
        finished = [run.processor_seconds for run, said in runs if said]
        return min(finished) if finished else None

    def signature(self):
        _, said = self.count(10_000)
        return said["signature"] if said else None

    def count(self, number):
        options = [*ENGINES["sliced"], "--seed", "1", "--count", str(number)]
        return zermelo(self.program, self.game, options, self.limits)


def find_games(name, peers):
    """Returns the games of a group, a path as given, or a game of peers.tsv by name."""
    if name == "peers":
        return [path for path in (SHARED / f"{game}.kif" for game in peers) if path.is_file()]
    if name == "shipped":
        return sorted((ROOT / "games").glob("*.kif"))
    for path in (pathlib.Path(name), SHARED / f"{name}.kif", ROOT / f"games/{name}.kif"):
        if path.is_file():
            return [path]
    raise SystemExit(f"no such game: {name}")


def parse_arguments(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "games",
        nargs="*",
        default=["peers", "shipped"],
        help="files, names in peers.tsv, peers (all of peers.tsv) or shipped (games/) (default: both)",
    )
    parser.add_argument("--program", help="the executable (default: build it)")
    parser.add_argument("--seconds", type=float, default=1, help="seconds per run (1)")
    parser.add_argument("--rounds", type=int, default=3, help="runs per engine (3)")
    parser.add_argument(
        "--engines", nargs="+", choices=ENGINES, default=list(ENGINES), help="(default: all)"
    )
    parser.add_argument(
        "--patience", type=float, default=60, help="seconds until the last round of a game (60)"
    )
    parser.add_argument("--limit", type=float, default=120, help="time limit of a process in seconds (120)")
    parser.add_argument("--gibibytes", type=float, default=8, help="memory limit of a process (8)")
    parser.add_argument("--rows", type=argparse.FileType("w"), help="write figures as JSON lines")
    return parser.parse_args(arguments)


def measure(games, arguments, program):
    for game in games:
        print(f"{game.stem} ...", file=sys.stderr, flush=True)
        row = GameBenchmark(game, arguments, program).run()
        if arguments.rows:
            print(json.dumps(row), file=arguments.rows, flush=True)
        yield row


def main():
    arguments = parse_arguments()
    if "swi" in arguments.engines:
        install("swipl", "swi-prolog-nox")
    peers = read_peers()
    games = [game for name in arguments.games for game in find_games(name, peers)]
    program = arguments.program or built_program()
    if not shutil.which(program):
        raise SystemExit(f"no such program: {program}")
    print(report(list(measure(games, arguments, program)), peers))


if __name__ == "__main__":
    main()
