"""A table to which a long measurement appends rows, so that it can be resumed."""

import csv
import pathlib


def add_table_options(parser, out):
    """Adds the common options: the program, the time budget and the file."""
    parser.add_argument("--zermelo", help="the executable (default: build it)")
    parser.add_argument("--budget", type=float, default=float("inf"), help="seconds after which no run is started")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(out))
    parser.add_argument("--report", action="store_true", help="print the file and exit")


def read_rows(path, *key):
    """Maps the key of each row to the row: a value for one key field, otherwise a tuple."""
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
