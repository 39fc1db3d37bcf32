"""Every command that takes --time or --memory respects them on games made to break it.

Each command of the table runs on games of the table, with both limits. It must end within 1.5 s
of the time limit, and its peak memory must stay within 10% + 50 MB of the memory limit. Seconds are
the smaller one of the time on the clock and processor time, so that a busy machine does not matter.

    ZERMELO=build/check/src/zermelo python3 tests/scripts/limits_test.py --table [COMMAND...]

prints the table of what was measured, with the commands that have no such limit and why.
"""

import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.request

ZERMELO = os.environ["ZERMELO"]
COLLECTION = pathlib.Path(__file__).resolve().parents[3] / "shared" / "games" / "games"

SECONDS = 2.0 if "--table" in sys.argv else 1.0  # the test takes most of the time of all tests
MEGABYTES = 300
MOST_SECONDS = SECONDS + 1.5
MOST_MEGABYTES = 1.1 * MEGABYTES + 50
if "asan" in pathlib.Path(ZERMELO).parts:
    MOST_MEGABYTES += 100  # the address sanitizer keeps freed memory for a while
LIMITS = ["--time", f"{SECONDS}s", "--memory", f"{MEGABYTES}M"]
EXIT_CODES = {0, 1, 4, 5, 6}  # done, the answer is no, not applicable, memory limit, time limit
LONGEST = 60  # seconds until a run is ended by force

# The games. The files are written piece by piece: the peak memory of a child that was forked
# includes that of this process.

PLAIN_GOALS = "(<= (goal r 100) terminal) (<= (goal r 0) (not terminal))\n"


def numbers(count, name="num"):
    return (f"({name} {i})\n" for i in range(count))


def many_roles(count):
    """Two moves for each of many roles: 2^count joint moves."""
    for i in range(count):
        yield f"(role r{i}) (legal r{i} a) (legal r{i} b)\n"
        yield f"(<= (next (chose r{i} ?m)) (does r{i} ?m))\n"
        yield f"(<= (goal r{i} 100) (true (chose r{i} a)))\n"
        yield f"(<= (goal r{i} 0) (not (true (chose r{i} a))))\n"
    yield "(init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)\n"
    yield "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y)) (<= terminal (true (step 3)))\n"


def large_join(count):
    """Millions of ground rules, of which the last phase of grounding has to take care."""
    yield "(role r)\n"
    yield from numbers(count)
    yield "(<= (init (p ?x)) (num ?x)) (<= (legal r (take ?x)) (true (p ?x)))\n"
    yield "(<= (next (p ?x)) (true (p ?x)) (not (does r (take ?x))))\n"
    yield "(<= (big ?a ?b ?c ?d) (true (p ?a)) (true (p ?b)) (true (p ?c)) (true (p ?d)))\n"
    yield "(<= terminal (not (big 0 1 2 3))) (<= (legal r (x ?a ?b ?c ?d)) (big ?a ?b ?c ?d))\n"
    yield PLAIN_GOALS


def many_facts(count):
    """A file that takes seconds to read and to check."""
    yield "(role r) (init (at 0))\n"
    yield from (f"(edge {i} {(i * 7 + 1) % count})\n" for i in range(count))
    yield "(<= (legal r (go ?y)) (true (at ?x)) (edge ?x ?y)) (<= (next (at ?y)) (does r (go ?y)))\n"
    yield "(<= terminal (true (at 1)))" + PLAIN_GOALS


def many_rules(count):
    yield "(role r) (init (a 0)) (legal r go) (legal r stay)\n"
    for i in range(count):
        yield f"(<= (next (a {i + 1})) (true (a {i})) (does r go))\n"
        yield f"(<= (next (a {i})) (true (a {i})) (does r stay)) (<= (h{i}) (true (a {i})))\n"
    yield f"(<= terminal (true (a {count})))" + PLAIN_GOALS


def closure(count):
    """A recursive predicate with quadratically many atoms."""
    yield "(role r) (init (at 0))\n"
    yield from (f"(edge {i} {i + 1})\n" for i in range(count))
    yield "(<= (reach ?x ?y) (edge ?x ?y)) (<= (reach ?x ?z) (edge ?x ?y) (reach ?y ?z))\n"
    yield "(<= (legal r (go ?y)) (true (at ?x)) (reach ?x ?y))\n"
    yield f"(<= (next (at ?y)) (does r (go ?y))) (<= terminal (true (at {count})))" + PLAIN_GOALS


def many_disjunctions(count):
    """A rule that is 2^count rules without disjunctions."""
    yield "(role r) (init (p 0)) (legal r go) (goal r 50)\n"
    yield from (f"(init (q {i}))\n" for i in range(2 * count))
    yield "(<= (next (q ?x)) (true (q ?x))) (<= terminal (not (true (p 0))))\n(<= (next (p 0))"
    yield from (f" (or (true (q {2 * i})) (true (q {2 * i + 1})))" for i in range(count))
    yield ")\n"


def many_lamps(count):
    """2^count states, as many moves as fluents."""
    yield "(role r) (init (on 0))\n"
    yield from numbers(count, "lamp")
    yield "(<= (legal r (flip ?x)) (lamp ?x))\n"
    yield "(<= (next (on ?x)) (true (on ?x)) (not (does r (flip ?x))))\n"
    yield "(<= (next (on ?x)) (lamp ?x) (not (true (on ?x))) (does r (flip ?x)))\n"
    yield "(<= dark (lamp ?x) (not (true (on ?x)))) (<= terminal (not dark))" + PLAIN_GOALS


def cliques(count):
    """One state that no engine evaluates in time: is there a clique of six nodes?"""
    yield "(role r)\n"
    for i in range(count):
        yield from (f"(init (e {i} {j}))\n" for j in range(count) if (i * j + i + j) % 3)
    yield "(<= (legal r (cut ?x ?y)) (true (e ?x ?y)))\n"
    yield "(<= (next (e ?x ?y)) (true (e ?x ?y)) (not (does r (cut ?x ?y)))) (<= clique"
    names = "abcdef"
    yield from (f" (true (e ?{a} ?{b}))" for i, a in enumerate(names) for b in names[i + 1 :])
    yield ") (<= terminal (not clique))" + PLAIN_GOALS


def endless():
    """Few states, and games that never end."""
    yield "(role r) (role s) (init (x 0)) (legal r a) (legal s b) (goal r 50) (goal s 50)\n"
    yield "(<= (next (x 0)) (true (x 1))) (<= (next (x 1)) (true (x 0)))\n"
    yield "(<= terminal (true (x 2))) (<= (next (x 2)) (true (x 2)))\n"


def swaps(count):
    """count! states, with quadratically many moves that each concern few of the many rules."""
    yield "(role r) (role s) (init (turn r))\n"
    yield from (f"(num {i}) (init (at {i} {i}))\n" for i in range(count))
    yield "(<= (legal ?w (swap ?x ?y)) (true (turn ?w)) (num ?x) (num ?y) (distinct ?x ?y))\n"
    yield "(<= (legal r noop) (true (turn s))) (<= (legal s noop) (true (turn r)))\n"
    yield "(<= (next (turn s)) (true (turn r))) (<= (next (turn r)) (true (turn s)))\n"
    yield "(<= (moved ?x ?y) (does ?w (swap ?x ?y))) (<= (moved ?y ?x) (does ?w (swap ?x ?y)))\n"
    yield "(<= (hit ?x) (moved ?x ?y)) (<= (next (at ?x ?v)) (true (at ?x ?v)) (not (hit ?x)))\n"
    yield "(<= (next (at ?x ?v)) (moved ?x ?y) (true (at ?y ?v)))\n"
    yield f"(<= terminal (true (at 0 {count - 1})) (true (at {count - 1} 0)))\n"
    yield "(<= (goal r 100) (true (turn s))) (<= (goal s 100) (true (turn r)))\n"
    yield "(<= (goal r 0) (true (turn r))) (<= (goal s 0) (true (turn s)))\n"


def many_joint_moves(count):
    """Two roles with count moves each at the same time."""
    yield "(role r) (role s) (init (s 0))\n"
    yield from numbers(count)
    yield "(<= (legal ?w (m ?x)) (role ?w) (num ?x)) (<= (next (had ?w ?x)) (does ?w (m ?x)))\n"
    yield "(<= (next (had ?w ?x)) (true (had ?w ?x)))\n"
    yield "(<= some (true (had r ?x)) (true (had s ?x))) (<= terminal some)\n"
    yield "(<= (goal ?w 100) (role ?w) some) (<= (goal ?w 0) (role ?w) (not some))\n"


def family(*words):
    return lambda: [subprocess.run([ZERMELO, "generate", *words], capture_output=True, text=True).stdout]


def collected(name):
    return lambda: [(COLLECTION / name).read_text()] if (COLLECTION / name).exists() else None


GAMES = {
    "24 roles": lambda: many_roles(24),
    "40 roles": lambda: many_roles(40),
    "large join": lambda: large_join(46),
    "facts": lambda: many_facts(1_000_000),
    "rules": lambda: many_rules(60_000),
    "closure": lambda: closure(1_500),
    "disjunctions": lambda: many_disjunctions(40),
    "lamps": lambda: many_lamps(20_000),
    "cliques": lambda: cliques(60),
    "endless": endless,
    "swaps": lambda: swaps(40),
    "joint moves": lambda: many_joint_moves(3_000),
    "queens 100": family("queens", "100"),
    "tiles 20x20": family("sliding-tiles", "20", "20"),
    "chess": collected("chess.kif"),
    "mummymaze1p": collected("mummymaze1p.kif"),
}

# The games of the test. With all of them, as --table has, it would take most of the time of all tests.
TESTED = ["24 roles", "40 roles", "large join", "closure", "swaps", "queens 100"]

# The commands. GAME stands for the file of the game, NEW for a file that does not exist.

COMMANDS = {
    "check --knowledge": ["check", "GAME", "--knowledge"],
    "info": ["info", "GAME"],
    "info --symbolic": ["info", "GAME", "--symbolic"],
    "know": ["know", "GAME"],
    "draw": ["draw", "GAME", "-o", "/dev/null"],
    "evaluate": ["evaluate", "GAME"],
    "evaluate (fuzzy)": ["evaluate", "GAME", "--evaluator", "fuzzy"],
    "evaluate (linear)": ["evaluate", "GAME", "--evaluator", "linear"],
    "factor": ["factor", "GAME"],
    "factor (ground)": ["factor", "GAME", "--grain", "ground"],
    "perft": ["perft", "GAME", "--depth", "50"],
    "perft (reference)": ["perft", "GAME", "--depth", "50", "--engine", "reference"],
    "playouts": ["playouts", "GAME", "--count", "100000000", "--threads", "1"],
    "playouts (reference)": ["playouts", "GAME", "--count", "100000000", "--engine", "reference"],
    "compile": ["compile", "GAME", "-o", "/dev/null"],
    "translate": ["translate", "GAME", "--to", "sas", "-o", "/dev/null"],
    "translate (faithful)": ["translate", "GAME", "--to", "pddl", "--style", "faithful", "-o", "-"],
    "translate (gddl)": ["translate", "GAME", "--to", "gddl", "-o", "/dev/null"],
    "translate (toss)": ["translate", "GAME", "--to", "toss", "-o", "/dev/null"],
    "toss": ["toss", "heuristic", "GAME"],
    "count": ["count", "GAME", "--threads", "1"],
    "count (symbolic)": ["count", "GAME", "--threads", "1", "--engine", "symbolic"],
    "solve": ["solve", "GAME", "--threads", "1"],
    "solve (symbolic)": ["solve", "GAME", "--threads", "1", "--engine", "symbolic"],
    "coalition": ["coalition", "GAME"],
    "train": ["train", "GAME", "--out", "NEW"],
    "plan": ["plan", "GAME"],
    "match": ["match", "GAME", "--threads", "1", "--games", "1000000"],
    "match (uct)": ["match", "GAME", "--threads", "1", "--player", "uct:time=10s"],
}

UNLIMITED = {
    "play": "--time and --memory limit grounding; then a person plays, on the reference engine",
    "replay": "--time and --memory limit grounding; then the record is followed to its end",
    "referee": "--time and --memory limit grounding; a match has clocks of its own",
    "serve": "--time and --memory limit the solving of one game; the server runs until it is stopped",
    "player": "no --time, because a manager sets the clocks; --memory limits grounding and search",
}


class Outcome:
    def __init__(self, status, usage, wall):
        self.exit = os.waitstatus_to_exitcode(status)
        self.seconds = min(wall, usage.ru_utime + usage.ru_stime)
        self.megabytes = usage.ru_maxrss / 1024

    def problem(self, most_seconds=MOST_SECONDS, most_megabytes=MOST_MEGABYTES):
        problems = []
        if self.exit not in EXIT_CODES:
            problems.append(f"exit code {self.exit}")
        if self.seconds > most_seconds:
            problems.append(f"{self.seconds:.1f} s")
        if self.megabytes > most_megabytes:
            problems.append(f"{self.megabytes:.0f} MB")
        return ", ".join(problems)


def run(arguments, stdin=os.devnull):
    """Runs the program without output. Ended by force, it has the exit code -9."""
    quiet = [(os.POSIX_SPAWN_OPEN, 0, stdin, os.O_RDONLY, 0)]
    quiet += [(os.POSIX_SPAWN_OPEN, out, os.devnull, os.O_WRONLY, 0) for out in (1, 2)]
    begin = time.monotonic()
    process = os.posix_spawn(ZERMELO, [ZERMELO, *arguments], os.environ, file_actions=quiet)
    guard = threading.Timer(LONGEST, os.kill, (process, signal.SIGKILL))
    guard.start()
    _, status, usage = os.wait4(process, 0)
    guard.cancel()
    return Outcome(status, usage, time.monotonic() - begin)


class Files:
    """The games as files, each written when it is first needed."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def path(self, name):
        """None if the game is not there."""
        file = self.folder / (re.sub(r"\W", "_", name) + ".kif")
        if not file.exists():
            pieces = GAMES[name]()
            if pieces is None:
                return None
            with open(file, "w") as out:
                out.writelines(pieces)
        return str(file)

    def run(self, command, name):
        file = self.path(name)
        if file is None:
            return None
        new = self.folder / "new"
        new.unlink(missing_ok=True)
        words = {"GAME": file, "NEW": str(new)}
        return run([words.get(word, word) for word in COMMANDS[command]] + LIMITS)


class Limits(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.files = Files(folder.name)

    def check(self, command):
        for name in TESTED:
            with self.subTest(command=command, game=name):
                self.assertEqual(self.files.run(command, name).problem(), "")

    def test_every_command_with_limits_is_in_the_table(self):
        help_text = lambda *words: subprocess.run(
            [ZERMELO, *words, "--help"], capture_output=True, text=True, check=True
        ).stdout
        known = {words[0] for words in COMMANDS.values()} | set(UNLIMITED) | {"query", "verify"}
        for command in re.findall(r"^  ([a-z]+) ", help_text(), re.MULTILINE):
            text = help_text(command)
            limited = "--time TIME" in text or "--memory SIZE" in text
            self.assertEqual(limited, command in known, command)

    def solve(self, *words):
        """The folder of a solved game."""
        rules = self.files.folder / "solved.kif"
        rules.write_text("".join(family(*words)()))
        folder = self.files.folder / "solved"
        subprocess.run([ZERMELO, "solve", rules, "--out", folder], capture_output=True, check=True)
        return folder

    def test_query_and_verify(self):
        folder = self.solve("nim", "80", "80")
        self.assertEqual(run(["query", str(folder)]).exit, 0)
        for limit, code in (["--time", "1ms"], 6), (["--memory", "1M"], 5):
            for command in "query", "verify":
                self.assertEqual(run([command, str(folder), *limit]).exit, code, (command, limit))


for number, name in enumerate(COMMANDS):
    setattr(Limits, f"test_{number:02}_{name}", lambda self, name=name: self.check(name))


def print_table(commands):
    with tempfile.TemporaryDirectory() as folder:
        files = Files(folder)
        print("seconds and MB at a limit of %g s and %d MB; exit code\n" % (SECONDS, MEGABYTES))
        for name in GAMES:
            for command in commands or COMMANDS:
                outcome = files.run(command, name)
                if outcome is None:
                    continue
                print(
                    f"{name:13} {command:21} {outcome.seconds:5.1f} s {outcome.megabytes:5.0f} MB "
                    f"exit {outcome.exit} {'!' if outcome.problem() else ''}",
                    flush=True,
                )
    for command, reason in UNLIMITED.items():
        print(f"{command}: {reason}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--table"]:
        print_table(sys.argv[2:])
    else:
        unittest.main()
