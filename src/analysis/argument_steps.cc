// Michulke, "Heuristic Interpretation of Predicate Logic Expressions in General Game Playing", the
// section on relative distances, looks for rules of the form
//
//   next(location(pacman, X, Z)) :- true(location(pacman, X, Y)), a_predicate(Y, Z).
//
// In most games such a rule is not written at once: the fluent that held before is a condition of
// the move being legal, and the relation is hidden in a predicate such as `adjacent`. So the body
// of a clause of `next` is unfolded: does(r, m) into the bodies of the clauses of legal(r, m),
// other predicates that depend on the state into those of their clauses, one literal at a time, as
// in a resolution from left to right. After each step, the positive literals at hand are searched
// for the pattern. Disjunctions contribute the literals of all branches, so a pattern may combine
// literals of different branches; it is a heuristic reading anyway.
#include "analysis/argument_steps.h"

#include <algorithm>
#include <deque>

namespace zermelo::analysis {
namespace {

using gdl::Formula;
using gdl::Term;

constexpr std::size_t max_combinations = 300;  // of clauses, for one clause of `next`
constexpr int max_unfoldings = 6;

// The positive atoms of a body, also within connectives.
void collect_atoms(const std::vector<Formula>& formulas, std::vector<Term>& out) {
  for (const Formula& formula : formulas) {
    if (formula.kind == Formula::Kind::atom) {
      out.push_back(formula.atom);
    } else if (formula.kind == Formula::Kind::conjunction ||
               formula.kind == Formula::Kind::disjunction) {
      collect_atoms(formula.children, out);
    }
  }
}

class StepFinder {
 public:
  StepFinder(LiftedRules& rules, const base::Limits& limits) : rules_(rules), limits_(limits) {}

  void add_clause(const gdl::Clause& clause) {
    Combination first{clause.head.arguments.front(), {}, 0};
    collect_atoms(clause.body, first.atoms);
    std::deque<Combination> open;
    open.push_back(std::move(first));
    for (std::size_t done = 0; !open.empty() && done < max_combinations; ++done) {
      if (done % 64 == 0 && limits_.exceeded()) return;
      const Combination combination = std::move(open.front());
      open.pop_front();
      find(combination);
      unfold_next(combination, open);
    }
  }

  std::vector<ArgumentStep> steps;

 private:
  struct Combination {
    Term fluent;
    std::vector<Term> atoms;
    int unfoldings;
  };

  void find(const Combination& combination) {
    for (const Term& atom : combination.atoms) {
      if (atom.name != gdl::keyword::true_ || atom.arguments.size() != 1) continue;
      const Term& before = atom.arguments.front();
      if (gdl::signature(before) != gdl::signature(combination.fluent)) continue;
      for (std::size_t i = 0; i < before.arguments.size(); ++i) {
        find_relation(combination, before.arguments[i], i);
      }
    }
  }

  void find_relation(const Combination& combination, const Term& old_value, std::size_t position) {
    const Term& new_value = combination.fluent.arguments[position];
    if (old_value == new_value) return;
    for (const Term& atom : combination.atoms) {
      if (atom.arguments.size() != 2 || !rules_.is_static(atom)) continue;
      if (atom.name == gdl::keyword::distinct) continue;
      const bool forward = atom.arguments[0] == old_value && atom.arguments[1] == new_value;
      const bool backward = atom.arguments[0] == new_value && atom.arguments[1] == old_value;
      if (forward || backward) add({combination.fluent, position, atom, forward});
    }
  }

  void add(ArgumentStep step) {
    const auto is_same = [&](const ArgumentStep& other) {
      return other.position == step.position && other.forward == step.forward &&
             gdl::signature(other.relation) == gdl::signature(step.relation) &&
             is_variant(other.fluent, step.fluent);
    };
    if (std::none_of(steps.begin(), steps.end(), is_same)) steps.push_back(std::move(step));
  }

  // Equal except for the names of variables, which are not compared with each other.
  static bool is_variant(const Term& a, const Term& b) {
    if (a.kind != b.kind || a.arguments.size() != b.arguments.size()) return false;
    if (a.kind != Term::Kind::variable && a.name != b.name) return false;
    for (std::size_t i = 0; i < a.arguments.size(); ++i) {
      if (!is_variant(a.arguments[i], b.arguments[i])) return false;
    }
    return true;
  }

  // A static predicate of more than two arguments that is defined by rules, such as nextcell(d, x,
  // y, x2, y2) in mazes.
  bool hides_steps(const Term& atom) const {
    const std::vector<std::size_t>& clauses = rules_.clauses_of(atom);
    return atom.arguments.size() > 2 &&
           std::any_of(clauses.begin(), clauses.end(),
                       [&](std::size_t c) { return !rules_.clause(c).body.empty(); });
  }

  // Unfolds the first atom that can be, in every way.
  void unfold_next(const Combination& combination, std::deque<Combination>& open) {
    if (combination.unfoldings >= max_unfoldings) return;
    for (std::size_t i = 0; i < combination.atoms.size(); ++i) {
      Term atom = combination.atoms[i];
      if (atom.name == gdl::keyword::true_ || (rules_.is_static(atom) && !hides_steps(atom)))
        continue;
      if (atom.name == gdl::keyword::does) atom.name = gdl::keyword::legal;
      if (rules_.is_recursive(atom)) continue;
      for (const LiftedRules::Unfolding& unfolding : rules_.unfold(atom)) {
        Combination next{
            substituted(combination.fluent, unfolding.bindings), {}, combination.unfoldings + 1};
        for (std::size_t j = 0; j < combination.atoms.size(); ++j) {
          if (j != i) next.atoms.push_back(substituted(combination.atoms[j], unfolding.bindings));
        }
        collect_atoms(unfolding.body, next.atoms);
        open.push_back(std::move(next));
      }
      return;
    }
  }

  LiftedRules& rules_;
  const base::Limits& limits_;
};

}  // namespace

std::vector<ArgumentStep> find_argument_steps(LiftedRules& rules,
                                              const std::set<std::uint64_t>& signatures,
                                              const base::Limits& limits) {
  StepFinder finder(rules, limits);
  for (std::size_t i = 0; i < rules.clauses() && !limits.exceeded(); ++i) {
    const Term& head = rules.clause(i).head;
    if (head.name != gdl::keyword::next || head.arguments.size() != 1) continue;
    if (!signatures.contains(gdl::signature(head.arguments.front()))) continue;
    finder.add_clause(rules.renamed(rules.clause(i)));
  }
  return std::move(finder.steps);
}

}  // namespace zermelo::analysis
