// Rules for the tests of the player.
#pragma once

#include <fstream>
#include <sstream>
#include <string>

namespace zermelo::serve {

inline std::string game_text(const std::string& name) {
  std::ifstream file(ZERMELO_ROOT "/games/" + name + ".kif");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// A game with a billion ground rules, which takes minutes to ground, if memory suffices at all.
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
    "(<= (goal white 0) (true (at ?x ?a ?b ?c ?d ?e ?f)) (distinct ?x 9))";

inline std::string numbers(int count) {
  std::string facts;
  for (int i = 0; i < count; ++i) facts += "(n " + std::to_string(i) + ")";
  return facts;
}

// Tic-tac-toe with 100 to the power of `size` more fluents in the initial state; size is at most 4.
inline std::string slow_start(std::size_t size) {
  const std::string all[] = {"?a", "?b", "?c", "?d"};
  std::string arguments, conditions;
  for (std::size_t i = 0; i < size; ++i) {
    arguments += " " + all[i];
    conditions += "(n " + all[i] + ")";
  }
  return game_text("tic_tac_toe") + numbers(100) + "(<= (init (f" + arguments + "))" + conditions +
         ")";
}

// Tic-tac-toe with one more initial fluent, which is derived in 10^12 ways.
inline std::string slow_product() {
  return game_text("tic_tac_toe") + numbers(100) +
         "(<= (init (f ?a)) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?g))";
}

// 16,384 moves, most of which exclude each other: grounds at once, but bit-sliced playouts take
// long to prepare.
inline std::string many_moves() {
  return "(role us) (init (at 0)) (<= (legal us (go ?x ?y)) (true (at ?x)) (n ?y))"
         "(<= (next (at ?y)) (does us (go ?x ?y))) (<= terminal (true (at 127)))"
         "(<= (goal us 100) terminal) (<= (goal us 0) (not (true (at 127))))" +
         numbers(128);
}

}  // namespace zermelo::serve
