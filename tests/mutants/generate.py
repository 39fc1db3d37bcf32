#!/usr/bin/env python3
"""Makes copies of sources with faults in them, all faults of a file in one copy.

Every fault of faults.txt is a place in a source and what stands there instead. The copy decides at
run time, by the number in zermelo_fault, which of the two it is (mutant schemata: Untch, Offutt,
Harrold 1993), so that one compilation serves all faults. A place that is not found exactly once is
left as it is and listed as such, for the test to complain.

    generate.py SOURCES OUTPUT     # src/ and the folder of the copies
    generate.py --files            # the names of the sources concerned
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
    """A statement ends with a semicolon; anything else is an expression."""
    test = f"zermelo_fault == {fault.number}"
    if right.endswith(";"):
        return f"if ({test}) {{ {wrong} }} else {{ {right} }}"
    return f"({test} ? ({wrong}) : ({right}))"


def place_faults(text, faults):
    """The text with its faults, and the faults whose place is there."""
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
