// A game that takes minutes to ground, where memory allows it at all: a billion ground rules.
#pragma once

namespace zermelo::serve {

inline constexpr const char* too_large =
    "(role white) (init (at 0 0 0 0 0 0 0))"
    "(digit 0) (digit 1) (digit 2) (digit 3) (digit 4) (digit 5) (digit 6) (digit 7) (digit 8)"
    "(digit 9)"
    "(<= (base (at ?a ?b ?c ?d ?e ?f ?g)) (digit ?a) (digit ?b) (digit ?c) (digit ?d) (digit ?e)"
    " (digit ?f) (digit ?g))"
    "(<= (legal white (go ?x ?y)) (digit ?x) (digit ?y))"
    "(<= (next (at ?x ?a ?b ?c ?d ?e ?y)) (true (at ?a ?b ?c ?d ?e ?f ?g)) (does white (go ?x ?y)))"
    "(<= (next done) (true (at ?a ?b ?c ?d ?e ?f ?g)) (distinct ?a 0))"
    "(<= terminal (true done))"
    "(<= (goal white 100) (true (at 9 ?a ?b ?c ?d ?e ?f)))"
    "(<= (goal white 0) (not (true (at 9 9 9 9 9 9 9))))";

}  // namespace zermelo::serve
