#!/usr/bin/env python3
"""Translates a rulesheet in prefix syntax directly into Prolog clauses.

A GDL rule becomes a Prolog clause with the same literals in the same order, except that `not` (as
`\\+`) and `distinct` (as `\\==`) are moved after the literals that bind their variables: only then
does negation as failure agree with GDL. `or` becomes a disjunction. `true` and `does` are dynamic,
everything else is compiled. Only left-recursive predicates that do not depend on the state are
tabled, because they would not terminate otherwise. All other queries are derived again each time, and
other rules that cannot be evaluated top-down run until they are stopped.

    gdl_to_prolog.py GAME.kif > rules.pl
    swipl -q -g 'benchmark(1.0, 1)' -t halt rules.pl bench/playouts.pl
"""

import sys

from gdl_to_asp import atom, head_and_body, needed, parse, predicate, term, words

DYNAMIC = {("true", 1), ("does", 2)}
ARITY = {"role": 1, "init": 1, "legal": 2, "next": 1, "goal": 2, "terminal": 0}


def variables(node):
    return {word for word in words(node) if word.startswith("?")}


def binds(formula):
    """The variables that are ground once the formula has succeeded."""
    name = predicate(formula)
    if name in ("not", "distinct"):
        return set()
    if name == "or":
        return set.intersection(*map(binds, formula[1:])) if len(formula) > 1 else set()
    if name == "and":
        return set().union(*map(binds, formula[1:]))
    return variables(formula)


def waits_for(formula):
    """The variables that must be ground before the formula is evaluated."""
    name = predicate(formula)
    if name in ("not", "distinct"):
        return variables(formula)
    if name == "or":
        return set().union(*map(waits_for, formula[1:]))
    if name == "and":
        return set().union(*map(waits_for, formula[1:])) - binds(formula)
    return set()


def ordered(formulas):
    """Orders the formulas: each is moved back until its variables are bound."""
    waiting, bound, result = list(formulas), set(), []
    while waiting:
        ready = (formula for formula in waiting if waits_for(formula) <= bound)
        chosen = next(ready, waiting[0])
        waiting.remove(chosen)
        result.append(chosen)
        bound |= binds(chosen)
    return result


def goal(formula):
    name = predicate(formula)
    if name == "not":
        return f"\\+ {goal(formula[1])}"
    if name == "distinct":
        return f"{term(formula[1])} \\== {term(formula[2])}"
    if name == "or":
        return f"( {' ; '.join(map(goal, formula[1:])) or 'fail'} )"
    if name == "and":
        return f"( {conjunction(formula[1:])} )"
    return atom(formula)


def conjunction(formulas):
    return ", ".join(map(goal, ordered(formulas))) or "true"


def clause_text(clause):
    head, body = head_and_body(clause)
    return f"{atom(head)} :- {conjunction(body)}." if body else f"{atom(head)}."


def signature(node):
    return (node, 0) if isinstance(node, str) else (node[0], len(node) - 1)


def atoms(formula):
    name = predicate(formula)
    if name in ("not", "or", "and"):
        return set().union(*map(atoms, formula[1:]))
    return set() if name == "distinct" else {signature(formula)}


def by_predicate(clauses):
    """Groups the clauses by predicate, as Prolog requires."""
    groups = {}
    for clause in clauses:
        groups.setdefault(signature(head_and_body(clause)[0]), []).append(clause)
    return groups


def undefined(clauses, groups):
    used = set(ARITY.items()) | DYNAMIC
    return sorted(used.union(*map(called, clauses)) - set(groups))


def first_called(clause):
    body = ordered(head_and_body(clause)[1])
    return atoms(body[0]) if body else set()


def called(clause):
    return set().union(*map(atoms, head_and_body(clause)[1]))


def reached(groups, start, calls):
    """The predicates reachable from the clauses of `start`."""
    found, open_ = set(), [start]
    while open_:
        for clause in groups.get(open_.pop(), []):
            new = calls(clause) - found
            found |= new
            open_ += new
    return found


def tabled(groups):
    return [
        each
        for each in groups
        if each in reached(groups, each, first_called) and not reached(groups, each, called) & DYNAMIC
    ]


def translate(text):
    clauses = needed(parse(text))
    groups = by_predicate(clauses)
    lines = [f":- dynamic {safe_signature(each)}." for each in undefined(clauses, groups)]
    lines += [f":- table {safe_signature(each)}." for each in tabled(groups)]
    lines += [clause_text(clause) for group in groups.values() for clause in group]
    return "\n".join([":- style_check(-singleton)."] + lines) + "\n"


def safe_signature(name_and_arity):
    name, arity = name_and_arity
    return f"{atom(name)}/{arity}"


def main():
    with open(sys.argv[1], encoding="utf-8", errors="replace") as file:
        sys.stdout.write(translate(file.read()))


if __name__ == "__main__":
    main()
