"""A table that a long measurement adds to row by row, so that it can go on where it was stopped."""

import csv
import pathlib


def add_table_options(parser, out):
    """What all such measurements are told: the program, how long to go on, and the file."""
    parser.add_argument("--zermelo", help="the program (default: built first)")
    parser.add_argument("--budget", type=float, default=float("inf"), help="seconds to begin runs in")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(out))
    parser.add_argument("--report", action="store_true", help="print the file and end")


def read_rows(path, *key):
    """The rows by the fields of the key: a value where there is one, else a tuple."""
    if not path.exists():
        return {}
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return {row[key[0]] if len(key) == 1 else tuple(row[field] for field in key): row for row in rows}


def add_row(path, fields, row):
    is_new = not path.exists()
    with path.open("a", newline="") as file:
        writer = csv.DictWriter(file, fields, delimiter="\t", restval="", lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerow(row)
