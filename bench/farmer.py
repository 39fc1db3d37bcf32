#!/usr/bin/env python3
"""The four scenarios of Figure 3 of Sheng and Thuente (2011), played in Coalition Farmer.

    bench/farmer.py --zermelo build/release/src/zermelo --games 200 --out farmer

1: alice is a player that searches, barney and charlie are random. 2: alice and barney search. 3: all
search. 4: all search, and alice and barney play for the sum of their rewards. --player is the player
that searches. Writes OUT.csv (the gold of every player at the end of every match) and OUT.svg (how
the gold is distributed), prints the means with 95% intervals, and checks the findings of the paper
one by one: a difference of means counts if its 95% interval (Welch) does not contain 0. The matches
are played in pieces, and a run that was interrupted continues with OUT.csv.
"""

import argparse
import csv
import html
import json
import math
import pathlib
import re
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
GAME = ROOT / "games" / "numbers" / "coalition_farmer.kif"
ROLES = ["alice", "barney", "charlie"]
# The number of players that search, and the coalition. A coalition of one role changes no reward,
# but keeps players in their roles.
SCENARIOS = {1: (1, "alice"), 2: (2, "alice"), 3: (3, "alice"), 4: (3, "alice,barney")}
SUMS = {"alice": ["alice"], "alice and barney": ["alice", "barney"], "all": ROLES}


def gold_of(record):
    """Returns the gold of each role in the last state of a match record."""
    fluents = record["states"][-1]
    return {role: float(re.search(rf"\(\s*gold {role} ([-\d.]+)\s*\)", fluents).group(1))
            for role in ROLES}


def play(options, scenario, games, seed):
    searching, coalition = SCENARIOS[scenario]
    players = [options.player] * searching + ["random"] * (3 - searching)
    command = [options.zermelo, "match", str(GAME), "--games", str(games), "--json",
               "--coalition", coalition, "--threads", "1", "--seed", str(seed)]
    for player in players:
        command += ["--player", player]
    answer = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    return [gold_of(record) for record in answer["records"]]


def sums(matches, name):
    return [sum(match[role] for role in SUMS.get(name, [name])) for match in matches]


def mean_and_error(values):
    """Returns the mean and its squared standard error."""
    mean = sum(values) / len(values)
    return mean, sum((v - mean) ** 2 for v in values) / (len(values) - 1) / len(values)


def difference(a, b):
    """Returns the difference of two means and half the width of its 95% interval."""
    (mean_a, error_a), (mean_b, error_b) = mean_and_error(a), mean_and_error(b)
    return mean_a - mean_b, 1.96 * math.sqrt(error_a + error_b)


def findings(played):
    """The claims of the paper: a text, and two samples of which the first must be larger."""
    def of(scenario, name):
        return sums(played[scenario], name)

    yield "1: alice earns more than barney", of(1, "alice"), of(1, "barney")
    yield "1: alice earns more than charlie", of(1, "alice"), of(1, "charlie")
    yield "2: alice earns more than charlie", of(2, "alice"), of(2, "charlie")
    yield "2: barney earns more than charlie", of(2, "barney"), of(2, "charlie")
    yield "alice earns more in 2 than in 1", of(2, "alice"), of(1, "alice")
    yield "alice earns more in 3 than in 2", of(3, "alice"), of(2, "alice")
    yield "barney earns more in 3 than in 2", of(3, "barney"), of(2, "barney")
    for scenario in (2, 3, 4):
        yield (f"all earn more in {scenario} than in {scenario - 1}", of(scenario, "all"),
               of(scenario - 1, "all"))
    yield "alice earns more in 4 than in 3", of(4, "alice"), of(3, "alice")
    yield "barney earns more in 4 than in 3", of(4, "barney"), of(3, "barney")
    yield ("alice and barney earn more in 4 than in 3", of(4, "alice and barney"),
           of(3, "alice and barney"))


def curve(values, left, right, x, y, width, height, highest):
    """The points of the normal density with the mean and the deviation of the values."""
    mean, error = mean_and_error(values)
    deviation = max(math.sqrt(error * len(values)), 1e-9)
    points = []
    for i in range(101):
        gold = left + (right - left) * i / 100
        density = math.exp(-((gold - mean) / deviation) ** 2 / 2) / deviation
        points.append(f"{x + width * i / 100:.1f},{y + height * (1 - density / highest):.1f}")
    return " ".join(points)


def picture(played):
    colours = {1: "#777777", 2: "#c8553d", 3: "#2166ac", 4: "#1b7837"}
    width, height, panel = 720, 200, 250
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width + 80}" '
             f'height="{panel * len(SUMS) + 30}" font-family="sans-serif" font-size="12">']
    for number, name in enumerate(SUMS):
        samples = {scenario: sums(matches, name) for scenario, matches in played.items()}
        values = [v for sample in samples.values() for v in sample]
        left, right = min(values), max(values)
        highest = max(1 / max(math.sqrt(mean_and_error(s)[1] * len(s)), 1e-9)
                      for s in samples.values())
        y = panel * number + 30
        parts.append(f'<text x="40" y="{y - 8}" font-weight="bold">Gold of {html.escape(name)}'
                     "</text>")
        parts.append(f'<line x1="40" y1="{y + height}" x2="{width + 40}" y2="{y + height}" '
                     'stroke="#333"/>')
        for i in range(6):
            gold = left + (right - left) * i / 5
            parts.append(f'<text x="{40 + width * i / 5:.0f}" y="{y + height + 16}" '
                         f'text-anchor="middle">{gold:.0f}</text>')
        for scenario, sample in samples.items():
            points = curve(sample, left, right, 40, y, width, height, highest)
            parts.append(f'<polyline fill="none" stroke="{colours[scenario]}" stroke-width="2" '
                         f'points="{points}"/>')
            parts.append(f'<text x="{width - 60}" y="{y + 14 * scenario}" '
                         f'fill="{colours[scenario]}">scenario {scenario}</text>')
    return "\n".join(parts + ["</svg>\n"])


def stored(path):
    """Returns the matches of a CSV file by scenario."""
    played = {}
    if path.exists():
        with path.open(newline="") as file:
            for row in csv.DictReader(file):
                match = {role: float(row[role]) for role in ROLES}
                played.setdefault(int(row["scenario"]), []).append(match)
    return played


def store(path, played):
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["scenario", "match"] + ROLES)
        for scenario, matches in sorted(played.items()):
            for number, match in enumerate(matches):
                writer.writerow([scenario, number] + [match[role] for role in ROLES])


def report(played):
    for scenario, matches in sorted(played.items()):
        means = []
        for name in ROLES + ["alice and barney", "all"]:
            mean, error = mean_and_error(sums(matches, name))
            means.append(f"{name} {mean:.1f} +- {1.96 * math.sqrt(error):.1f}")
        print(f"scenario {scenario}, {len(matches)} matches: " + ", ".join(means))
    if set(played) != set(SCENARIOS):
        return
    for text, larger, smaller in findings(played):
        gain, width = difference(larger, smaller)
        verdict = "holds" if gain > width else "fails" if gain < -width else "not decided"
        print(f"{verdict:12} {text}: {gain:+.1f} +- {width:.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--zermelo", default=str(ROOT / "zermelo"))
    parser.add_argument("--player", default="uct:simulations=50")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="farmer")
    parser.add_argument("--piece", type=int, default=20, help="matches played at a time")
    parser.add_argument("--seconds", type=float, default=math.inf,
                        help="begin no piece after so many seconds")
    options = parser.parse_args()
    end = time.monotonic() + options.seconds
    table = pathlib.Path(f"{options.out}.csv")
    played = stored(table)
    while time.monotonic() < end:
        scenario = min(SCENARIOS, key=lambda s: len(played.get(s, [])))
        done = len(played.get(scenario, []))
        if done >= options.games:
            break
        games = min(options.piece, options.games - done)
        played.setdefault(scenario, []).extend(play(options, scenario, games, options.seed + done))
        store(table, played)
    report(played)
    if set(played) == set(SCENARIOS):
        pathlib.Path(f"{options.out}.svg").write_text(picture(played))


if __name__ == "__main__":
    main()
