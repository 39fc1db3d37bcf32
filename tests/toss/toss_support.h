// What the tests of Toss games share: reading games from text, the evaluator that tries all
// assignments, and random structures, formulas and games.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/random.h"
#include "toss/parser.h"
#include "toss/printer.h"
#include "toss/query.h"
#include "toss/structure_machine.h"

namespace zermelo::toss::testing {

// Throws what is wrong with the text.
inline Game game_of(const base::Source& source) {
  ParseResult parsed = parse(source);
  if (base::has_errors(parsed.diagnostics)) {
    throw std::runtime_error(base::format(parsed.diagnostics.front(), source));
  }
  return std::move(parsed.game);
}

inline Game game_of(const std::string& text) { return game_of(base::Source("test", text)); }

inline Game shipped_game(const std::string& name) {
  const auto source = base::read_source(ZERMELO_ROOT "/games/toss/" + name + ".toss");
  if (!source) throw std::runtime_error(source.error().message);
  return game_of(*source);
}

inline StructureMachine machine_of(Game game, MachineOptions options = {}) {
  auto machine = StructureMachine::make(std::make_shared<const Game>(std::move(game)), options);
  if (!machine) throw std::runtime_error(machine.error().message);
  return std::move(*machine);
}

// The value of a formula, term or definition by its definition: every quantifier tries every
// element, fixed points are iterated over all tuples.
class NaiveEvaluator {
 public:
  NaiveEvaluator(const Game& game, const Structure& structure)
      : game_(game), structure_(structure) {}

  using Assignment = std::map<std::string, Element>;
  bool holds(const Formula& formula, const Assignment& assignment) const {
    return holds(formula, Environment{assignment, {}});
  }
  double value(const Term& term) const { return value(term, Environment{}); }

 private:
  struct Environment {
    Assignment variables;
    std::map<std::string, std::function<bool(const std::vector<Element>&)>> relations;
  };

  bool holds(const Formula& formula, const Environment& environment) const;
  bool atom_holds(const Formula& formula, const Environment& environment) const;
  bool quantified(const Formula& formula, const Environment& environment) const;
  TupleSet fixed_point(const Formula& formula, const Environment& environment) const;
  TupleSet closure(const Formula& formula, const Environment& environment) const;
  double value(const Term& term, const Environment& environment) const;
  double sum(const Term& term, const Environment& environment) const;

  // Calls visit with every extension of the environment to the variables, until it returns false.
  template <class Visit>
  bool for_all(const std::vector<std::string>& variables, Environment environment,
               Visit visit) const;

  const Game& game_;
  const Structure& structure_;
};

// Random texts over the signature of `random_signature`. The same seed gives the same.
class RandomTexts {
 public:
  explicit RandomTexts(std::uint64_t seed) : random_(seed) {}

  // [ ... ] with so many elements a, b, c, ...; relations P/1, Q/1, E/2, T/3, Z/0, functions f, g.
  std::string structure(std::size_t elements);
  // Its free variables are among those given.
  std::string formula(const std::vector<std::string>& variables, int depth);
  std::string term(const std::vector<std::string>& variables, int depth);
  // Without terms, fixed points, closures and let.
  std::string first_order(const std::vector<std::string>& variables, int depth);
  // A whole game.
  std::string game();

  std::uint32_t below(std::uint32_t bound) { return random_.below(bound); }

 private:
  std::string atom(const std::vector<std::string>& variables, bool positive);
  std::string quantified(const std::vector<std::string>& variables, int depth, bool positive);
  std::string recursion(const std::vector<std::string>& variables, int depth, bool positive);
  std::string local(const std::vector<std::string>& variables, int depth, bool positive);
  std::string formula(const std::vector<std::string>& variables, int depth, bool positive);
  std::string arguments(const std::vector<std::string>& variables, std::size_t count);
  std::string pick(const std::vector<std::string>& names) {
    return names[below(static_cast<std::uint32_t>(names.size()))];
  }
  std::string rule(const std::string& name);

  struct Local {
    std::string name;
    std::size_t arity;
  };

  base::Random random_;
  bool plain_ = false;         // first-order logic only
  std::vector<Local> locals_;  // relations that may be used positively
  int names_ = 0;
};

}  // namespace zermelo::toss::testing
