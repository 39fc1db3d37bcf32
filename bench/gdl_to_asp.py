#!/usr/bin/env python3
"""Translates a rulesheet in prefix syntax into an answer-set program for the grounder gringo.

The atoms that can be true in a reachable state are over-approximated by choices: a fluent that can
hold initially or next may be true or not, a move that can be legal may be made or not,

    {true(F)} :- init(F).    {true(F)} :- next(F).    {does(R,M)} :- legal(R,M).

so grounding this program does the same work as grounding the game. Disjunctions are expanded,
`distinct` becomes an inequality, `not` is kept. `base` and `input` are omitted unless a rule uses
them: grounding does not need them.

    gdl_to_asp.py GAME.kif | gringo > GAME.aspif
"""

import itertools
import re
import sys

TOKEN = re.compile(r"[()]|[^\s();]+|;[^\n]*")
CHOICES = "{p_true(F)} :- p_init(F).\n{p_true(F)} :- p_next(F).\n{p_does(R,M)} :- p_legal(R,M).\n"
SHOWN = ("init/1", "true/1", "next/1", "does/2", "legal/2", "goal/2", "terminal/0")


def parse(text):
    """Parses text into nested lists of lower-case words."""
    stack = [[]]
    for token in TOKEN.findall(text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        elif not token.startswith(";"):
            stack[-1].append(token.lower())
    if len(stack) != 1:
        raise ValueError("unbalanced parentheses")
    return unwrapped(stack[0])


def unwrapped(clauses):
    """Removes the list that game servers put around all rules."""
    if len(clauses) == 1 and clauses[0] and isinstance(clauses[0][0], list):
        return clauses[0]
    return clauses


def safe(word):
    return re.sub(r"[^a-z0-9_]", lambda match: f"_{ord(match[0]):x}_", word)


def term(node):
    if isinstance(node, list):
        return f"c_{safe(node[0])}({','.join(term(argument) for argument in node[1:])})"
    return f"V_{safe(node[1:])}" if node.startswith("?") else f"c_{safe(node)}"


def atom(node):
    if isinstance(node, str):
        return f"p_{safe(node)}"
    if len(node) == 1:
        return f"p_{safe(node[0])}"
    return f"p_{safe(node[0])}({','.join(term(argument) for argument in node[1:])})"


def alternatives(formula, positive=True):
    """The formula, or its negation, as a list of conjunctions, each a list of ASP literals."""
    name = formula[0] if isinstance(formula, list) else formula
    if name == "not":
        return alternatives(formula[1], not positive)
    if name == "distinct":
        operator = "!=" if positive else "="
        return [[f"{term(formula[1])} {operator} {term(formula[2])}"]]
    if name in ("or", "and"):
        parts = [alternatives(part, positive) for part in formula[1:]]
        if (name == "or") == positive:
            return [conjunction for part in parts for conjunction in part]
        return conjoined(parts)
    return [[atom(formula) if positive else f"not {atom(formula)}"]]


def conjoined(parts):
    return [list(itertools.chain(*choice)) for choice in itertools.product(*parts)]


def clauses_of(clause):
    """The ASP rules of one GDL clause."""
    if not isinstance(clause, list) or clause[0] != "<=":
        yield f"{atom(clause)}."
        return
    for body in conjoined([alternatives(literal) for literal in clause[2:]]):
        yield f"{atom(clause[1])} :- {', '.join(body)}." if body else f"{atom(clause[1])}."


def predicate(node):
    return node if isinstance(node, str) else node[0]


def words(node):
    return [node] if isinstance(node, str) else itertools.chain(*map(words, node))


def head_and_body(clause):
    is_rule = isinstance(clause, list) and clause[0] == "<="
    return (clause[1], clause[2:]) if is_rule else (clause, [])


def needed(clauses):
    """Drops the definitions of `base` and `input` that no other rule uses."""
    hints = ("base", "input")
    used = set()
    for head, body in map(head_and_body, clauses):
        if predicate(head) not in hints:
            used.update(words(body))
    unused = set(hints) - used
    return [clause for clause in clauses if predicate(head_and_body(clause)[0]) not in unused]


def translate(text):
    rules = [rule for clause in needed(parse(text)) for rule in clauses_of(clause)]
    shows = [f"#show p_{signature}." for signature in SHOWN]
    return "\n".join(rules) + "\n" + CHOICES + "\n".join(shows) + "\n"


def main():
    with open(sys.argv[1], encoding="utf-8", errors="replace") as file:
        sys.stdout.write(translate(file.read()))


if __name__ == "__main__":
    main()
