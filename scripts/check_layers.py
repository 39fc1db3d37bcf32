#!/usr/bin/env python3
"""Checks the module dependencies against the table of allowed dependencies.

A module is a folder of src/. It may include its own headers and those of every module it may use,
directly or indirectly. A module with subfolders has a second table for the dependencies between
them; files next to the subfolders may use all of them, and a subfolder may use these files where
the table lists None. Reported are: forbidden includes, cycles of includes, includes that do not
name a file of src/, folders that are not in the table, and differences between the table and the
links in src/CMakeLists.txt.
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
    "reference": ["gdl"],
    "circuit": ["ground"],
    "machine": ["circuit"],
    "lanes": ["machine"],
    "analysis": ["machine", "reference"],
    "dd": ["base"],
    "symbolic": ["dd", "analysis"],
    "know": ["machine"],
    "eval": ["analysis", "lanes"],
    "solve": ["symbolic", "eval", "know"],
    "translate": ["analysis", "toss"],
    "search": ["solve", "know", "translate"],
    "play": ["search"],
    "cluster": ["play"],
    "app": ["families", "cluster", "play"],
    "serve": ["app"],
    "cli": ["serve"],
    "python": ["app"],
}

# Within a module that has subfolders. None stands for the files beside them.
MAY_USE_WITHIN = {
    "analysis": {
        "scene": [None],
    },
    "app": {
        "experiments": [None],
        "functions": [None],
        "json": [None, "experiments"],
        "planners": [None],
        "service": [None, "json"],
    },
    "eval": {
        "network": [None],
    },
    "cluster": {
        "mpi": [None],
    },
    "search": {
        "decomposition": [],
        "planner": [None, "decomposition"],
    },
    "solve": {
        "common": [],
        "folder": ["common"],
        "explicit": ["folder"],
        "hidden": ["simultaneous"],
        "simultaneous": ["explicit"],
        "symbolic": ["explicit"],
        "verify": ["folder"],
    },
    "translate": {
        "gddl": [None, "pddl", "sas"],
        "pddl": [None, "sas"],
        "sas": [None],
        "toss": [None],
    },
}

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
LINKS = re.compile(r"^\s*zermelo_module\(\s*(\w+)([^)]*)\)", re.MULTILINE)


def reachable(graph, start):
    """All nodes reachable by at least one edge."""
    found, open_nodes = set(), list(graph.get(start, []))
    while open_nodes:
        node = open_nodes.pop()
        if node not in found:
            found.add(node)
            open_nodes.extend(graph.get(node, []))
    return found


def included_files(source_folder):
    """Maps each file to the files it includes, relative to src/."""
    files = sorted(p for p in source_folder.rglob("*") if p.suffix in (".cc", ".h"))
    return {
        path.relative_to(source_folder).as_posix(): INCLUDE.findall(path.read_text())
        for path in files
    }


def module_of(file):
    """The module of a file. main.cc counts as part of cli."""
    return file.split("/")[0] if "/" in file else "cli"


def forbidden_includes(includes, may_use):
    for file, targets in includes.items():
        module = module_of(file)
        allowed = reachable(may_use, module) | {module}
        for target in targets:
            if target not in includes:
                yield f"src/{file}: \"{target}\" is not a file of src/; write \"module/file.h\""
            elif module_of(target) not in allowed:
                yield f"src/{file}: {module} may not use {module_of(target)} (\"{target}\")"


def subfolder_of(file):
    """The subfolder of a file within its module, or None."""
    parts = file.split("/")
    return "/".join(parts[1:-1]) or None


def forbidden_within_modules(includes, may_use_within):
    for file, targets in includes.items():
        table, subfolder = may_use_within.get(module_of(file), {}), subfolder_of(file)
        if subfolder is None:
            continue
        if subfolder not in table:
            yield f"src/{file}: {subfolder} is not in the table of scripts/check_layers.py"
            continue
        allowed = reachable(table, subfolder) | {subfolder}
        for target in targets:
            if module_of(target) == module_of(file) and subfolder_of(target) not in allowed:
                yield f"src/{file}: {module_of(file)}/{subfolder} may not use \"{target}\""


def include_cycles(includes):
    for file in includes:
        if file in reachable(includes, file):
            yield f"src/{file}: includes itself, directly or indirectly"


def unknown_modules(includes, may_use):
    for module in sorted({module_of(file) for file in includes} - set(may_use)):
        yield f"src/{module}: not in the table of scripts/check_layers.py"


def link_differences(cmake_text, may_use):
    links = {
        name: [word for word in words.split() if word in may_use]
        for name, words in LINKS.findall(cmake_text)
    }
    for module in links:
        if module not in may_use:
            yield f"src/CMakeLists.txt: {module} is not in the table"
            continue
        allowed = reachable(may_use, module) & set(links)
        linked = reachable(links, module)
        # cli may use all modules, and links only those it needs.
        if linked != allowed and not (module == "cli" and linked < allowed):
            yield (
                f"src/CMakeLists.txt: {module} links {sorted(linked)}, "
                f"but the table allows {sorted(allowed)}"
            )


def problems(root, may_use=None, may_use_within=None):
    may_use = MAY_USE if may_use is None else may_use
    may_use_within = MAY_USE_WITHIN if may_use_within is None else may_use_within
    includes = included_files(root / "src")
    return [
        *unknown_modules(includes, may_use),
        *forbidden_includes(includes, may_use),
        *forbidden_within_modules(includes, may_use_within),
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
