#!/usr/bin/env python3
"""Translates a rulesheet in prefix syntax into Prolog clauses, as plainly as possible.

A GDL rule is a Prolog clause with the same literals in the same order, except that `not` (as `\\+`)
and `distinct` (as `\\==`) wait until the literals before them have bound their variables: only then
does negation as failure mean what GDL means. `or` becomes a disjunction. `true` and `does` are
dynamic, everything else is compiled. What Prolog is asked twice it derives twice: only predicates
that call themselves first and depend on no state are tabled, as they would never end. Other rules
that cannot be evaluated top-down run until they are stopped.

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
    """The variables that must be ground before the formula is tried."""
    name = predicate(formula)
    if name in ("not", "distinct"):
        return variables(formula)
    if name == "or":
        return set().union(*map(waits_for, formula[1:]))
    if name == "and":
        return set().union(*map(waits_for, formula[1:])) - binds(formula)
    return set()


def ordered(formulas):
    """The formulas in their order, each moved back as far as it has to wait."""
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
    """The clauses of one predicate one after the other, as Prolog wants them."""
    groups = {}
    for clause in clauses:
        groups.setdefault(signature(head_and_body(clause)[0]), []).append(clause)
    return groups


def undefined(clauses, groups):
    used = set(ARITY.items()) | DYNAMIC
    return sorted(used.union(*map(asked, clauses)) - set(groups))


def asked_first(clause):
    body = ordered(head_and_body(clause)[1])
    return atoms(body[0]) if body else set()


def asked(clause):
    return set().union(*map(atoms, head_and_body(clause)[1]))


def reached(groups, start, asks):
    """The predicates that the clauses of `start` lead to."""
    found, open_ = set(), [start]
    while open_:
        for clause in groups.get(open_.pop(), []):
            new = asks(clause) - found
            found |= new
            open_ += new
    return found


def tabled(groups):
    return [
        each
        for each in groups
        if each in reached(groups, each, asked_first) and not reached(groups, each, asked) & DYNAMIC
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
