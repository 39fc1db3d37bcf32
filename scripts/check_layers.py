#!/usr/bin/env python3
"""Holds the one table of allowed module dependencies and fails on what breaks it.

A module is a folder of src/. It may include its own headers and those of every module it may use,
directly or through another. Reported are: a forbidden include, a cycle of includes, an include
that names no file of src/, a folder without a line in the table, and a difference between the
table and the links in src/CMakeLists.txt.
"""

import pathlib
import re
import sys

MAY_USE = {
    "base": [],
    "gdl": ["base"],
    "families": ["base"],
    "toss": ["base"],
    "ground": ["gdl"],
    "machine": ["ground"],
    "analysis": ["machine"],
    "dd": ["base"],
    "symbolic": ["dd", "analysis"],
    "eval": ["analysis"],
    "solve": ["symbolic", "eval"],
    "search": ["eval"],
    "know": ["machine"],
    "translate": ["analysis"],
    "play": ["search", "solve", "know"],
    "cluster": ["search"],
    "serve": ["play", "translate"],
    "cli": ["families", "cluster", "serve"],
}

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
LINKS = re.compile(r"^\s*zermelo_module\(\s*(\w+)([^)]*)\)", re.MULTILINE)


def reachable(graph, start):
    """Every node that a path of at least one edge leads to."""
    found, open_nodes = set(), list(graph.get(start, []))
    while open_nodes:
        node = open_nodes.pop()
        if node not in found:
            found.add(node)
            open_nodes.extend(graph.get(node, []))
    return found


def included_files(source_folder):
    """file -> the files it includes, both relative to src/."""
    files = sorted(p for p in source_folder.rglob("*") if p.suffix in (".cc", ".h"))
    return {
        path.relative_to(source_folder).as_posix(): INCLUDE.findall(path.read_text())
        for path in files
    }


def module_of(file):
    """The folder of a file; main.cc stands above all and may use what cli may."""
    return file.split("/")[0] if "/" in file else "cli"


def forbidden_includes(includes, may_use):
    for file, targets in includes.items():
        module = module_of(file)
        allowed = reachable(may_use, module) | {module}
        for target in targets:
            if target not in includes:
                yield f"src/{file}: \"{target}\" is no file of src/; write \"module/file.h\""
            elif module_of(target) not in allowed:
                yield f"src/{file}: {module} may not use {module_of(target)} (\"{target}\")"


def include_cycles(includes):
    for file in includes:
        if file in reachable(includes, file):
            yield f"src/{file}: includes itself, directly or through others"


def unknown_modules(includes, may_use):
    for module in sorted({module_of(file) for file in includes} - set(may_use)):
        yield f"src/{module}: has no line in the table of scripts/check_layers.py"


def link_differences(cmake_text, may_use):
    links = {
        name: [word for word in words.split() if word in may_use]
        for name, words in LINKS.findall(cmake_text)
    }
    for module in links:
        if module not in may_use:
            yield f"src/CMakeLists.txt: {module} has no line in the table"
            continue
        allowed = reachable(may_use, module) & set(links)
        linked = reachable(links, module)
        # cli may use all, and links what its commands need.
        if linked != allowed and not (module == "cli" and linked < allowed):
            yield (
                f"src/CMakeLists.txt: {module} links {sorted(linked)}, "
                f"the table says {sorted(allowed)}"
            )


def problems(root, may_use=None):
    may_use = MAY_USE if may_use is None else may_use
    includes = included_files(root / "src")
    return [
        *unknown_modules(includes, may_use),
        *forbidden_includes(includes, may_use),
        *include_cycles(includes),
        *link_differences((root / "src" / "CMakeLists.txt").read_text(), may_use),
    ]


def main():
    found = problems(pathlib.Path(__file__).resolve().parent.parent)
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
