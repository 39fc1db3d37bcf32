// The clauses are the completion of the ground rules: an atom holds exactly if the body of one of
// its rules does. Every real step of the game satisfies them, which is sufficient for a proof by
// refutation: if the clauses contradict a violation, no step violates. They admit more than the
// real steps, so they may lose proofs but never give a wrong one. Recursive components may have
// self-supporting models, larger than the least fixpoint (which satisfies the completion too). The
// scope or a limit may omit definitions. And the state is any state, reachable or not, that
// satisfies what the caller assumes.
//
// As in Plaisted and Greenbaum's variant of Tseitin's transformation, only the required half of an
// atom's definition is added: "some rule's body holds" if the atom is used as true, "all bodies
// fail" if it is used as false. Unused atoms have no variable. "At most one" of many literals uses
// a chain of auxiliary variables, "some of the first i literals holds" (Sinz's sequential counter),
// which propagates as well as the pairwise encoding.
//
// Frame rules require any move that leaves a cell unchanged, one of thousands. Rules that differ
// only in the move are merged, and "one of these moves" is encoded as "none of the others" if the
// others are fewer. So in a local scope the formula of a cell involves only the few moves that
// touch it.

#include "analysis/step_formula.h"

#include <algorithm>
#include <map>
#include <utility>

namespace zermelo::analysis {

using ground::Atom;
using ground::Literal;

namespace {

// Up to this many literals, the pairwise encoding of "at most one" is shorter.
constexpr std::size_t max_for_pairs = 5;
// Requirements of fewer than one in this many moves of a role do not define a kind.
constexpr std::size_t rare_share = 8;

}  // namespace

StepRules::StepRules(const ground::Game& of_game, const ProofLimits& limits)
    : game(of_game), sets(of_game, limits) {
  const Requirements requirements(game, {}, limits);
  for (std::uint32_t m = 0; m < game.moves.size(); ++m) {
    required.push_back(requirements.literals(m));
  }
  std::map<std::vector<Literal>, std::uint32_t> kinds;
  for (std::uint32_t role = 0; role < game.roles.size(); ++role) {
    const std::uint32_t first = game.first_move_of[role], last = game.first_move_of[role + 1];
    std::map<Literal, std::size_t> frequency;
    for (std::uint32_t m = first; m < last; ++m) {
      for (const Literal literal : required[m]) ++frequency[literal];
    }
    for (std::uint32_t m = first; m < last; ++m) {
      std::vector<Literal> frequent = required[m];
      std::erase_if(frequent, [&](Literal l) { return frequency[l] * rare_share < last - first; });
      kind_of.push_back(kinds.emplace(std::move(frequent), static_cast<std::uint32_t>(kinds.size()))
                            .first->second);
    }
  }
  required_by_kind.resize(kinds.size());
  for (const auto& [literals, kind] : kinds) required_by_kind[kind] = literals;
}

StepFormula::StepFormula(const StepRules& rules, const Scope& scope, CaDiCaL::Solver& solver,
                         ProofLimits& limits)
    : rules_(rules),
      game_(rules.game),
      scope_(scope),
      solver_(solver),
      limits_(limits),
      always_(new_variable()),
      variable_of_(game_.atoms),
      defined_(game_.atoms) {
  add({always_});
  if (scope.not_terminal && game_.terminal != ground::no_atom) add({fails(game_.terminal)});
  define_pending();
}

void StepFormula::add_at_most_one(const std::vector<SolverLiteral>& literals,
                                  SolverLiteral condition) {
  if (literals.size() <= max_for_pairs) {
    for (std::size_t i = 0; i < literals.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) add({-condition, -literals[i], -literals[j]});
    }
    return;
  }
  SolverLiteral before = literals.front();
  for (std::size_t i = 1; i < literals.size(); ++i) {
    add({-condition, -before, -literals[i]});
    const SolverLiteral so_far = new_variable();
    add({-before, so_far});
    add({-literals[i], so_far});
    before = so_far;
  }
}

void StepFormula::add_two_hold_next(std::span<const Atom> fluents, SolverLiteral condition) {
  std::vector<SolverLiteral> second{-condition};
  SolverLiteral before = -always_;
  for (const Atom fluent : fluents) {
    if (game_.next[fluent] == ground::no_atom) continue;
    const SolverLiteral next = holds(game_.next[fluent]);
    const SolverLiteral is_second = new_variable();
    add({-is_second, next});
    add({-is_second, before});
    second.push_back(is_second);
    const SolverLiteral so_far = new_variable();
    add({-so_far, before, next});
    before = so_far;
  }
  add(second);
  define_pending();
}

void StepFormula::add_none_holds_next(std::span<const Atom> fluents, SolverLiteral condition) {
  for (const Atom fluent : fluents) {
    if (game_.next[fluent] != ground::no_atom) add({-condition, fails(game_.next[fluent])});
  }
  define_pending();
}

void StepFormula::add_moves() {
  depth_ = scope_.legal_depth;
  for (std::uint32_t role = 0; role < game_.roles.size(); ++role) add_moves(role);
  define_pending();
}

void StepFormula::add_moves(std::uint32_t role) {
  std::vector<SolverLiteral> moves;
  std::set<std::uint32_t> kinds;
  for (std::uint32_t m = game_.first_move_of[role]; m < game_.first_move_of[role + 1]; ++m) {
    if (limits_.exceeded()) return;  // a clause with only some of the moves would be wrong
    if (scope_.all_moves) make_variable(game_.does(m));
    if (variable(game_.does(m)) == 0) {
      kinds.insert(rules_.kind_of[m]);
    } else {
      moves.push_back(variable(game_.does(m)));
      add_legality(m);
    }
  }
  for (const std::uint32_t kind : kinds) moves.push_back(add_move_of_kind(kind));
  add(moves);
  add_at_most_one(moves, always_);
}

void StepFormula::add_legality(std::uint32_t move) {
  const SolverLiteral does = variable(game_.does(move));
  if (game_.legal[move] == ground::no_atom) {
    add({-does});
    return;
  }
  add({-does, holds(game_.legal[move])});
  for (const Literal literal : rules_.required[move]) add({-does, meant(literal)});
}

// Adds a variable for "some move of this kind that no clause mentions".
SolverLiteral StepFormula::add_move_of_kind(std::uint32_t kind) {
  const SolverLiteral made = new_variable();
  for (const Literal literal : rules_.required_by_kind[kind]) add({-made, meant(literal)});
  return made;
}

SolverLiteral StepFormula::make_variable(Atom atom) {
  if (variable_of_[atom] == 0) variable_of_[atom] = new_variable();
  return variable_of_[atom];
}

SolverLiteral StepFormula::defined(Atom atom, Side side) {
  const std::uint8_t bit = side == Side::supported ? 1 : 2;
  const bool is_derived = atom >= game_.first_derived;
  if (is_derived && !(defined_[atom] & bit) && depth_ > 0 && literals_ < scope_.max_literals) {
    defined_[atom] |= bit;
    pending_.push_back({atom, side, depth_ - 1});
  }
  return make_variable(atom);
}

void StepFormula::define_pending() {
  const std::uint32_t depth = depth_;
  for (std::size_t i = 0; i < pending_.size() && !limits_.exceeded(); ++i) {
    const Definition next = pending_[i];
    depth_ = next.depth;
    next.side == Side::supported ? add_support(next.atom) : add_refutation(next.atom);
  }
  pending_.clear();
  depth_ = depth;
}

void StepFormula::add_support(Atom atom) {
  const std::vector<FactoredRules> rules = factor_rules(game_, rules_.sets, atom);
  if (rules.size() == 1) {
    for (const Literal literal : rules.front().rest) add({-variable(atom), meant(literal)});
    if (rules.front().moves.empty()) return;
    std::vector<SolverLiteral> clause = one_is_made(rules.front().moves);
    clause.push_back(-variable(atom));
    add(clause);
    return;
  }
  std::vector<SolverLiteral> clause{-variable(atom)};
  for (const FactoredRules& part : rules) {
    if (limits_.exceeded()) return;  // a clause with only some of the bodies would be wrong
    const std::vector<SolverLiteral> some = alternatives(part);
    clause.insert(clause.end(), some.begin(), some.end());
  }
  add(clause);
}

// Returns literals of which one holds if a body does.
std::vector<SolverLiteral> StepFormula::alternatives(const FactoredRules& rules) {
  if (rules.rest.empty() && !rules.moves.empty()) return one_is_made(rules.moves);
  if (rules.rest.size() == 1 && rules.moves.empty()) return {meant(rules.rest.front())};
  const SolverLiteral all = new_variable();
  for (const Literal literal : rules.rest) add({-all, meant(literal)});
  if (!rules.moves.empty()) {
    std::vector<SolverLiteral> clause = one_is_made(rules.moves);
    clause.push_back(-all);
    add(clause);
  }
  return {all};
}

void StepFormula::add_refutation(Atom atom) {
  for (const FactoredRules& part : factor_rules(game_, rules_.sets, atom)) {
    if (limits_.exceeded()) return;
    std::vector<SolverLiteral> clause{variable(atom)};
    for (const Literal literal : part.rest) clause.push_back(meant_negation(literal));
    if (part.moves.empty()) {
      add(clause);
      continue;
    }
    clause.push_back(0);
    for (const SolverLiteral made : one_is_made(part.moves)) {
      clause.back() = -made;
      add(clause);
    }
  }
}

std::vector<SolverLiteral> StepFormula::one_is_made(const std::vector<std::uint32_t>& moves) {
  std::vector<SolverLiteral> result;
  for (std::size_t first = 0, last; first < moves.size(); first = last) {
    const std::uint32_t end = game_.first_move_of[game_.moves[moves[first]].role + 1];
    last =
        static_cast<std::size_t>(std::lower_bound(moves.begin(), moves.end(), end) - moves.begin());
    add_role_moves(std::span(moves).subspan(first, last - first), result);
  }
  return result;
}

void StepFormula::add_role_moves(std::span<const std::uint32_t> moves,
                                 std::vector<SolverLiteral>& out) {
  const std::uint32_t role = game_.moves[moves.front()].role;
  const std::uint32_t first = game_.first_move_of[role], last = game_.first_move_of[role + 1];
  if (moves.size() <= (last - first) / 2) {
    for (const std::uint32_t move : moves) out.push_back(make_variable(game_.does(move)));
    return;
  }
  std::vector<std::uint32_t> others;
  for (std::uint32_t m = first; m < last; ++m) {
    if (!std::binary_search(moves.begin(), moves.end(), m)) others.push_back(m);
  }
  out.push_back(none_is_made(others));
}

SolverLiteral StepFormula::none_is_made(const std::vector<std::uint32_t>& moves) {
  SolverLiteral& none = none_is_made_[moves];
  if (none != 0) return none;
  none = new_variable();
  std::vector<SolverLiteral> clause{none};
  for (const std::uint32_t move : moves) {
    clause.push_back(make_variable(game_.does(move)));
    add({-none, -clause.back()});
  }
  add(clause);
  return none;
}

}  // namespace zermelo::analysis
