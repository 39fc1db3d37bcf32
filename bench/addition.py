#!/usr/bin/env python3
"""Addition in Farmer by functions and by the recursion of Figure 1 of Sheng and Thuente (2011).

    bench/addition.py --zermelo build/release/src/zermelo [--seconds 10] [--steps 4] [--adds 16]

Prints random games per second: of Farmer and of the same rules without functions, and of a game in
which every step adds ADDS pairs of numbers below 150, in both ways. "first" is the first game of an
engine that knows no sum yet (the mean of ten seeds), "all" the games of SECONDS seconds. The fast
engines play Farmer shortened to STEPS steps, which can be grounded.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
NUMBERS = ROOT / "games" / "numbers"

BY_RULES = """(<= (sum ?x 0 ?x) (number ?x))
(<= (sum ?x ?y ?z) (succ ?x ?m) (succ ?n ?y) (sum ?m ?n ?z))
"""


def operands(step, adds):
    """Pairs of numbers below 150, so that sums are below 300, as Figure 1 defines them."""
    for i in range(adds):
        x = (step * 67 + i * 31 + 13) % 150
        y = (step * 41 + i * 53 + 29) % 150
        yield x, y


def addition_game(adds, by_functions):
    """A game of ten steps. A move chooses one of 20 lists of pairs, which are added."""
    facts = []
    for choice in range(20):
        for i, (x, y) in enumerate(operands(choice, adds)):
            facts.append(f"(pair {choice} {i} {x} {y})")
    lines = ["(role adder)", "(init (step 0))", "(init (last none))"]
    lines += [f"(after {i} {i + 1})" for i in range(10)]
    lines += [f"(choice {i})" for i in range(20)]
    lines += [f"(number {i})" for i in range(301)]
    lines += [f"(succ {i} {i + 1})" for i in range(300)]
    lines += facts
    lines += [
        "(<= (legal adder (list ?c)) (choice ?c))",
        "(<= (next (step ?n)) (true (step ?s)) (after ?s ?n))",
        "(<= (next (result ?i ?z)) (does adder (list ?c)) (pair ?c ?i ?x ?y) "
        + ("(add ?x ?y ?z))" if by_functions else "(sum ?x ?y ?z))"),
        "(<= terminal (true (step 10)))",
        "(goal adder 100)",
    ]
    if by_functions:
        lines.insert(0, "(include arithmetic builtin:arithmetic)")
        lines.insert(1, "(use arithmetic (add ?a ?b ?sum))")
    else:
        lines.append(BY_RULES)
    return "\n".join(lines) + "\n"


def shortened(name, steps):
    text = (NUMBERS / f"{name}.kif").read_text()
    assert "(true (step 10))" in text
    return text.replace("(true (step 10))", f"(true (step {steps}))")


class Measurement:
    def __init__(self, options, folder):
        self.options, self.folder = options, pathlib.Path(folder)

    def play(self, rules, engine, *arguments):
        path = self.folder / "game.kif"
        path.write_text(rules)
        done = subprocess.run(
            [self.options.zermelo, "playouts", str(path), "--engine", engine, "--threads", "1",
             "--json", *arguments], capture_output=True, text=True)
        answer = json.loads(done.stdout)
        if "error" in answer:
            return None
        return answer["playouts"] / answer["seconds"]

    def first(self, rules):
        times = [1 / self.play(rules, "reference", "--count", "1", "--seed", str(seed))
                 for seed in range(1, 11)]
        return len(times) / sum(times)

    def all(self, rules, engine):
        return self.play(rules, engine, "--seconds", str(self.options.seconds))

    def compare(self, title, measure, functions, rules):
        a, b = measure(functions), measure(rules)
        text = lambda rate: "refused" if rate is None else f"{rate:,.0f}"
        ratio = "" if a is None or b is None else f"{a / b:.1f}"
        print(f"{title:42} {text(a):>12} {text(b):>12} {ratio:>8}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--zermelo", default=str(ROOT / "zermelo"))
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--steps", type=int, default=4)
    parser.add_argument("--adds", type=int, default=16)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        m = Measurement(options, folder)
        print(f"{'random games per second':42} {'functions':>12} {'recursion':>12} {'ratio':>8}")
        farmer = [(NUMBERS / f"{name}.kif").read_text() for name in ("farmer", "farmer_by_rules")]
        adding = [addition_game(options.adds, True), addition_game(options.adds, False)]
        for title, games in (("Farmer", farmer), (f"{options.adds} additions per step", adding)):
            m.compare(f"{title}, reference, first", m.first, *games)
            m.compare(f"{title}, reference, all", lambda rules: m.all(rules, "reference"), *games)
        short = [shortened(name, options.steps) for name in ("farmer", "farmer_by_rules")]
        title = f"Farmer of {options.steps} steps"
        for engine in ("reference", "fast", "sliced"):
            m.compare(f"{title}, {engine}, all", lambda rules: m.all(rules, engine), *short)


if __name__ == "__main__":
    main()
