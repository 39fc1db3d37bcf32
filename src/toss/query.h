// Formulas and terms made ready for evaluation.
//
//   Theory theory(game);
//   Query query(theory, *formula, {}, {"x", "y"});
//   TupleSet pairs = query.answers(structure);    // all x, y for which the formula holds
//
// A Theory knows the relations and definitions of a game and, if told, what never changes in it. A
// query is immutable: several threads may ask it at the same time. Queries of one theory are made
// by one thread at a time.
//
// A definition is inserted where it is used. A definition whose body is a fixed point is evaluated
// once per structure instead, whole, and its table is used everywhere.
#pragma once

#include <exception>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/limits.h"
#include "toss/game.h"

namespace zermelo::toss {

// Thrown where an evaluation passes a limit, as it has no place for an error among its results.
class LimitReached : public std::exception {
 public:
  LimitReached(base::ErrorKind kind, const char* message) : kind_(kind), message_(message) {}
  base::ErrorKind kind() const { return kind_; }
  const char* what() const noexcept override { return message_; }

 private:
  base::ErrorKind kind_;
  const char* message_;
};

struct Recursion;
struct Step;
struct TermStep;

struct EvaluationLimits {
  std::size_t max_cells = std::size_t{1} << 26;  // of one table: its tuples times their width
  base::Limits limits;
};

// What no move changes, so that it can be evaluated once.
struct StablePart {
  std::vector<bool> relations, functions;  // by symbol
  bool universe = false;                   // without it nothing is evaluated in advance
};

struct SharedRecursions;

// Relations that definitions of the game describe as fixed points, evaluated on one structure.
// Queries of one theory that are asked about the same structure can share them.
class Evaluated {
 public:
  Evaluated();
  void clear();

 private:
  friend class Run;
  std::shared_ptr<std::map<const Recursion*, TupleSet>> tables_;
};

class Theory {
 public:
  // The game must outlive the theory and all queries made with it.
  explicit Theory(const Game& game, StablePart stable = {}, EvaluationLimits limits = {});

  const Game& game() const { return *game_; }
  const StablePart& stable() const { return stable_; }
  const EvaluationLimits& limits() const { return limits_; }
  // What the queries made so far have in common.
  SharedRecursions& shared() const { return *shared_; }

 private:
  const Game* game_;
  StablePart stable_;
  EvaluationLimits limits_;
  std::shared_ptr<SharedRecursions> shared_;
};

class Query {
 public:
  // The variables must be distinct and contain all free ones of the formula, which must have been
  // checked (`check_formula`). Throws LimitReached where definitions make it too large.
  Query(const Theory& theory, const Formula& formula, std::vector<std::string> inputs,
        std::vector<std::string> outputs);

  // Extends each tuple of values of the inputs by all values of the outputs for which the formula
  // holds: tuples over inputs, then outputs. Throws LimitReached.
  TupleSet answers(const Structure& structure, const TupleSet& inputs,
                   Evaluated* evaluated = nullptr) const;
  // Without inputs.
  TupleSet answers(const Structure& structure, Evaluated* evaluated = nullptr) const {
    return answers(structure, TupleSet::unit(), evaluated);
  }
  // Without inputs and outputs: whether the sentence is true.
  bool holds(const Structure& structure) const { return !answers(structure).empty(); }

 private:
  EvaluationLimits limits_;
  std::size_t slots_ = 0;
  std::shared_ptr<const Step> step_;
};

class TermQuery {
 public:
  // A term without free variables.
  TermQuery(const Theory& theory, const Term& term);
  // Throws LimitReached.
  double value(const Structure& structure, Evaluated* evaluated = nullptr) const;

 private:
  EvaluationLimits limits_;
  std::size_t slots_ = 0;
  std::shared_ptr<const TermStep> step_;
};

}  // namespace zermelo::toss
