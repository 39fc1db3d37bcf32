#!/usr/bin/env python3
"""The sizes of decision diagrams for Connect Four, by the width and height of the board.

Repeats the two experiments of Edelkamp and Kissmann, "On the Complexity of BDDs for State Space
Search: A Case Study in Connect Four" (GIGA 2011), with the rules printed by `generate`:

- termination.csv, _by_width.svg, _by_height.svg: nodes of the termination criterion of one player, with variables column by
  column, for boards of fixed height (where they grow linearly with the width) and of fixed width
  (where they grow exponentially with the height). Given for diagrams over cells and, as in the
  paper, over bits. The figure of the paper omits diagonal lines; here they are included.
- layers.csv, .svg: states and nodes of each layer of one board, when play stops at terminal states
  and when it continues past them.

    bench/connect_four_study.py --out study --board 5x5 --widths 4-7 --heights 4-6
"""

import argparse
import csv
import json
import math
import pathlib
import subprocess
import sys

from grounding import built_program

COLOURS = ["#4269d0", "#efb118", "#ff725c", "#6cc5b0", "#3ca951", "#a463f2"]


def rules(zermelo, width, height):
    command = [zermelo, "generate", "connect-four", str(width), str(height)]
    return subprocess.run(command, check=True, capture_output=True).stdout


def answer(zermelo, command, text):
    done = subprocess.run([zermelo, *command, "--json"], input=text, capture_output=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.decode())
    return json.loads(done.stdout)


def termination(zermelo, width, height):
    """Returns the nodes of the largest part of the termination (the lines of one player): cells, bits."""
    said = answer(zermelo, ["info", "-", "--symbolic", "--no-conditions"], rules(zermelo, width, height))
    parts = said["symbolic"]["phases_as_listed"][0]["terminal"]
    largest = max(parts, key=lambda part: (part["nodes"], part["binary_nodes"]))
    return largest["nodes"], largest["binary_nodes"]


def layers(zermelo, board, past_terminal):
    command = ["count", "-", "--engine", "symbolic"]
    command += ["--continue-past-terminal"] if past_terminal else []
    return answer(zermelo, command, rules(zermelo, *board.split("x")))["layers"]


def size(layer, field):
    """Returns the nodes of a layer. Past terminal states, of the set without the terminal flag."""
    return layer["set_nodes"] if field == "nodes" and "set_nodes" in layer else int(layer[field])


def write_csv(path, header, rows):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(rows)


class Chart:
    """A line chart over integers with a logarithmic vertical axis."""

    WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 420, 320, 60, 45, 30, 150

    def __init__(self, title, across, series):
        self.title, self.across, self.series = title, across, series
        points = [point for line in series.values() for point in line]
        self.first, self.last = min(x for x, _ in points), max(x for x, _ in points)
        self.low = math.floor(math.log10(max(1, min(y for _, y in points))))
        self.high = max(self.low + 1, math.ceil(math.log10(max(y for _, y in points))))

    def x(self, value):
        return self.LEFT + (value - self.first) / max(1, self.last - self.first) * self.WIDTH

    def y(self, value):
        share = (math.log10(max(value, 1)) - self.low) / (self.high - self.low)
        return self.TOP + (1 - share) * self.HEIGHT

    def text(self, x, y, text, anchor="middle", colour="#333"):
        return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{text}</text>'

    def grid(self):
        for power in range(self.low, self.high + 1):
            y = self.y(10**power)
            yield f'<path d="M{self.LEFT} {y:.1f}h{self.WIDTH}" stroke="#ddd"/>'
            yield self.text(self.LEFT - 6, y + 4, f"{10**power:,}" if power < 5 else f"1e{power}", "end")
        step = max(1, (self.last - self.first) // 10)
        for value in range(self.first, self.last + 1, step):
            yield self.text(self.x(value), self.TOP + self.HEIGHT + 16, value)

    def lines(self):
        for number, (name, points) in enumerate(self.series.items()):
            colour = COLOURS[number % len(COLOURS)]
            path = " L".join(f"{self.x(x):.1f} {self.y(y):.1f}" for x, y in points)
            yield f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="1.8"/>'
            place = self.LEFT + self.WIDTH + 10
            yield self.text(place, self.TOP + 14 + 16 * number, name, "start", colour)

    def svg(self):
        width = self.LEFT + self.WIDTH + self.RIGHT
        height = self.TOP + self.HEIGHT + self.BOTTOM
        middle = self.LEFT + self.WIDTH / 2
        body = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            'font-family="sans-serif" font-size="11">',
            f'<rect width="{width}" height="{height}" fill="white"/>',
            self.text(middle, 18, self.title),
            self.text(middle, height - 8, self.across),
            *self.grid(),
            *self.lines(),
            "</svg>",
        ]
        return "\n".join(body) + "\n"


def study_termination(zermelo, widths, heights, out):
    rows = [(w, h, *termination(zermelo, w, h)) for h in heights for w in widths]
    write_csv(out / "termination.csv", ["width", "height", "nodes", "binary_nodes"], rows)
    by_width = {f"height {h}": [(r[0], r[3]) for r in rows if r[1] == h] for h in heights}
    by_height = {f"width {w}": [(r[1], r[3]) for r in rows if r[0] == w] for w in widths}
    title = "Termination of one player: nodes over bits"
    (out / "termination_by_width.svg").write_text(Chart(title, "width", by_width).svg())
    (out / "termination_by_height.svg").write_text(Chart(title, "height", by_height).svg())
    return rows


def study_layers(zermelo, board, out):
    stopping, going_on = layers(zermelo, board, False), layers(zermelo, board, True)
    series = {}
    for name, found in (("stopping", stopping), ("going on", going_on)):
        for field in ("states", "nodes"):
            series[f"{field}, {name}"] = [(l["layer"], size(l, field)) for l in found]
    rows = [
        (a["layer"], a["states"], a["nodes"], b["states"], size(b, "nodes"))
        for a, b in zip(stopping, going_on)
    ]
    header = ["layer", "states", "nodes", "states_past_terminal", "nodes_past_terminal"]
    write_csv(out / "layers.csv", header, rows)
    title = f"Connect Four {board}: terminal states, stopping or going on"
    (out / "layers.svg").write_text(Chart(title, "layer", series).svg())
    return rows


def numbers(text):
    first, last = text.split("-")
    return range(int(first), int(last) + 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--zermelo", help="the executable (default: build it)")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("connect_four_study"))
    parser.add_argument("--widths", type=numbers, default=numbers("4-7"))
    parser.add_argument("--heights", type=numbers, default=numbers("4-6"))
    parser.add_argument("--board", default="5x5", help="the board for the layers")
    arguments = parser.parse_args()
    zermelo = arguments.zermelo or built_program()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for row in study_termination(zermelo, arguments.widths, arguments.heights, arguments.out):
        print("termination {}x{}: {} nodes, {} over bits".format(*row))
    for row in study_layers(zermelo, arguments.board, arguments.out):
        print("layer {}: {} states in {} nodes; {} in {} past terminal states".format(*row))
    return 0


if __name__ == "__main__":
    sys.exit(main())
