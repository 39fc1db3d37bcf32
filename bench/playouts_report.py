"""The tables that playouts.py prints: rates, and multiples of the scaled rates of other engines."""

import statistics


def markdown(header, rows):
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def number(value):
    if value is None:
        return "-"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def fixed(value, digits=2):
    return "-" if value is None else f"{value:.{digits}f}"


def swi_ratios(rows, peers):
    """Maps games to the ratio of SWI-Prolog on this machine to the cited rate, if both exist."""
    ratios = {}
    for row in rows:
        cited = peers.get(row["game"], {}).get("swi")
        if cited and row.get("swi"):
            ratios[row["game"]] = row["swi"] / cited
    return ratios


class Multiples:
    """Rates relative to cited figures, scaled to this machine."""

    def __init__(self, rows, peers):
        self.peers = peers
        self.ratios = swi_ratios(rows, peers)
        self.median = statistics.median(self.ratios.values()) if self.ratios else None

    def of(self, row, peer, ratio):
        cited = self.peers.get(row["game"], {}).get(peer)
        if not (cited and ratio and row.get("sliced")):
            return None
        return row["sliced"] / (cited * ratio)

    def own_ratio(self, row):
        return self.ratios.get(row["game"], self.median)


def rates_table(rows, peers):
    header = ["game", "mean depth", "SWI-Prolog's", "cited", "sliced", "two threads to one",
              "in processor time", "two processes to one", "interpreted", "fast", "reference", "SWI-Prolog"]  # fmt: skip
    cells = [
        [
            row["game"],
            fixed(row["depth"]),
            fixed(row["swi_depth"]),
            fixed(peers.get(row["game"], {}).get("depth")),
            number(row.get("sliced")),
            fixed(row["threads"]),
            fixed(row["threads_work"]),
            fixed(row["processes"]),
            number(row.get("interpreted")),
            number(row.get("fast")),
            number(row.get("reference")),
            number(row.get("swi")),
        ]
        for row in rows
    ]
    return markdown(header, cells)


def multiples_table(rows, peers):
    multiples = Multiples(rows, peers)
    header = ["game", "SWI-Prolog here / cited", "x ggplib", "x RBG", "x ggplib by median ratio",
              "x RBG by median ratio"]  # fmt: skip
    cells = []
    for row in rows:
        if row["game"] not in peers:
            continue
        ratios = [multiples.own_ratio(row), multiples.median]
        figures = [multiples.of(row, peer, ratio) for ratio in ratios for peer in ("ggplib", "rbg")]
        here = fixed(multiples.ratios.get(row["game"]))
        cells.append([row["game"], here, *map(number, figures)])
    return markdown(header, cells) + f"\n\nMedian ratio of SWI-Prolog: {fixed(multiples.median)}"


def start_table(rows):
    cells = [[row["game"], fixed(row["start"], 3), row["signature"] or "-"] for row in rows]
    return markdown(["game", "seconds to the first playout", "signature"], cells)


def report(rows, peers):
    parts = [rates_table(rows, peers)]
    if any(row["game"] in peers for row in rows):
        parts.append(multiples_table(rows, peers))
    return "\n\n".join([*parts, start_table(rows)])
