#!/usr/bin/env python3
"""Copies sources and inserts faults, all faults of a file into one copy.

Every fault of faults.txt is a piece of source text and its replacement. The copy selects between the
two at run time by the number in zermelo_fault (mutant schemata: Untch, Offutt, Harrold 1993), so one
compilation serves all faults. A text that does not occur exactly once is not replaced. It is marked
in the table, and the test fails.

    generate.py SOURCES OUTPUT     # src/ and the folder for the copies
    generate.py --files            # the names of the affected sources
"""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent


class Fault:
    def __init__(self, number, file, words):
        self.number, self.file, self.words = number, file, words
        self.right, self.wrong = [], []


def read_faults(path=HERE / "faults.txt"):
    faults = []
    for line in path.read_text().splitlines():
        if line.startswith("- "):
            faults[-1].right.append(line[2:])
        elif line.startswith("+ "):
            faults[-1].wrong.append(line[2:])
        elif line and not line.startswith("#"):
            file, words = line.split(": ", 1)
            faults.append(Fault(len(faults) + 1, file, words))
    return faults


def switched(fault, right, wrong):
    """Returns code that selects a text at run time. Text that ends with a semicolon is a statement."""
    test = f"zermelo_fault == {fault.number}"
    if right.endswith(";"):
        return f"if ({test}) {{ {wrong} }} else {{ {right} }}"
    return f"({test} ? ({wrong}) : ({right}))"


def place_faults(text, faults):
    """Returns the text with the faults inserted, and the faults that were found in it."""
    placed, replacements = [], {}
    for fault in faults:
        right, wrong = "\n".join(fault.right), "\n".join(fault.wrong)
        if text.count(right) == 1:
            placed.append(fault)
            replacements[right] = switched(fault, replacements.get(right, right), wrong)
    for right, replacement in replacements.items():
        text = text.replace(right, replacement, 1)
    return "extern int zermelo_fault;\n" + text, placed


def table(faults, placed):
    rows = [
        f'{{{fault.number}, "{fault.file}", "{fault.words}", {str(fault in placed).lower()}}},'
        for fault in faults
    ]
    return "\n".join(rows) + "\n"


def files(faults):
    return sorted({fault.file for fault in faults})


def write_if_new(path, text):
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main(sources, output):
    faults, placed = read_faults(), []
    for file in files(faults):
        text = (sources / file).read_text()
        text, found = place_faults(text, [fault for fault in faults if fault.file == file])
        placed += found
        (output / file).parent.mkdir(parents=True, exist_ok=True)
        write_if_new(output / file, text)
    write_if_new(output / "faults.inc", table(faults, placed))


if __name__ == "__main__":
    if sys.argv[1:] == ["--files"]:
        print(";".join(files(read_faults())), end="")
    else:
        main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
