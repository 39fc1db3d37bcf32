#include "support/naive_model.h"

#include <algorithm>

namespace zermelo::testing {

static_assert(base::StateMachine<NaiveModel>);

using gdl::Formula;
using gdl::Term;

std::string GroundTerm::print() const {
  if (arguments.empty()) return name;
  std::string text = "(" + name;
  for (const GroundTerm& argument : arguments) text += " " + argument.print();
  return text + ")";
}

NaiveModel::NaiveModel(std::shared_ptr<const gdl::Rulesheet> rulesheet)
    : rulesheet_(std::move(rulesheet)) {
  find_strata();
  for (const gdl::Clause& clause : rulesheet_->clauses) {
    if (clause.head.name == gdl::keyword::role) {
      roles_.push_back(rulesheet_->symbols.name(clause.head.arguments.front().name));
    }
  }
}

void NaiveModel::find_strata() {
  for (bool changed = true; changed;) {
    changed = false;
    for (const gdl::Clause& clause : rulesheet_->clauses) {
      int& stratum = strata_[name(clause.head)];
      for (const Formula& formula : clause.body) {
        const int below = stratum_below(formula, false);
        if (below > stratum) {
          stratum = below;
          changed = true;
        }
      }
      last_stratum_ = std::max(last_stratum_, stratum);
    }
  }
}

int NaiveModel::stratum_below(const Formula& formula, bool negated) const {
  if (formula.kind == Formula::Kind::atom) {
    const auto found = strata_.find(name(formula.atom));
    return (found == strata_.end() ? 0 : found->second) + (negated ? 1 : 0);
  }
  int highest = 0;
  for (const Formula& child : formula.children) {
    const bool under_negation = negated || formula.kind == Formula::Kind::negation;
    highest = std::max(highest, stratum_below(child, under_negation));
  }
  return highest;
}

const NaiveModel::Atoms& NaiveModel::model(const State& state,
                                           const std::vector<GroundTerm>& does) {
  std::set<GroundTerm> given;
  for (const GroundTerm& fluent : state.fluents) given.insert({"true", {fluent}});
  given.insert(does.begin(), does.end());
  if (!model_.empty() && given == model_of_) return model_;
  model_.clear();
  for (const GroundTerm& atom : given) model_[atom.name].insert(atom);
  for (int stratum = 0; stratum <= last_stratum_; ++stratum) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const gdl::Clause& clause : rulesheet_->clauses) {
        if (strata_.at(name(clause.head)) == stratum && derive(clause, model_)) changed = true;
      }
    }
  }
  model_of_ = std::move(given);
  return model_;
}

bool NaiveModel::derive(const gdl::Clause& clause, Atoms& atoms) const {
  std::vector<GroundTerm> heads;
  Formulas body;
  for (const Formula& formula : clause.body) body.push_back(&formula);
  solve(body, {}, atoms, [&](const Bindings& bindings) {
    heads.push_back(instantiate(clause.head, bindings));
    return false;
  });
  bool added = false;
  for (GroundTerm& head : heads) {
    if (atoms[head.name].insert(head).second) added = true;
  }
  return added;
}

// Tries all bindings that satisfy the formulas until `found` returns true. Atoms come first, then
// formulas that contain atoms, then negation and `distinct`, whose variables are bound by then.
bool NaiveModel::solve(Formulas waiting, const Bindings& bindings, const Atoms& atoms,
                       const std::function<bool(const Bindings&)>& found) const {
  if (waiting.empty()) return found(bindings);
  const auto rank = [](const Formula* formula) {
    switch (formula->kind) {
      case Formula::Kind::atom:
        return 0;
      case Formula::Kind::conjunction:
        return 1;
      case Formula::Kind::disjunction:
        return 2;
      default:
        return 3;
    }
  };
  const auto chosen =
      std::min_element(waiting.begin(), waiting.end(),
                       [&](const Formula* a, const Formula* b) { return rank(a) < rank(b); });
  const Formula& formula = **chosen;
  waiting.erase(chosen);
  switch (formula.kind) {
    case Formula::Kind::atom:
      return solve_atom(formula.atom, waiting, bindings, atoms, found);
    case Formula::Kind::conjunction:
      for (const Formula& child : formula.children) waiting.push_back(&child);
      return solve(waiting, bindings, atoms, found);
    case Formula::Kind::disjunction:
      return std::any_of(formula.children.begin(), formula.children.end(), [&](const Formula& f) {
        Formulas with_child = waiting;
        with_child.push_back(&f);
        return solve(with_child, bindings, atoms, found);
      });
    case Formula::Kind::negation:
      if (solve({&formula.children.front()}, bindings, atoms,
                [](const Bindings&) { return true; })) {
        return false;
      }
      return solve(waiting, bindings, atoms, found);
    case Formula::Kind::distinct:
      if (instantiate(formula.atom.arguments[0], bindings) ==
          instantiate(formula.atom.arguments[1], bindings)) {
        return false;
      }
      return solve(waiting, bindings, atoms, found);
  }
  return false;
}

bool NaiveModel::solve_atom(const Term& atom, const Formulas& waiting, const Bindings& bindings,
                            const Atoms& atoms,
                            const std::function<bool(const Bindings&)>& found) const {
  const auto candidates = atoms.find(rulesheet_->symbols.name(atom.name));
  if (candidates == atoms.end()) return false;
  for (const GroundTerm& candidate : candidates->second) {
    Bindings extended = bindings;
    if (match(atom, candidate, extended) && solve(waiting, extended, atoms, found)) return true;
  }
  return false;
}

bool NaiveModel::match(const Term& pattern, const GroundTerm& term, Bindings& bindings) const {
  if (pattern.kind == Term::Kind::variable) {
    return bindings.try_emplace(pattern.name, term).first->second == term;
  }
  if (rulesheet_->symbols.name(pattern.name) != term.name ||
      pattern.arguments.size() != term.arguments.size()) {
    return false;
  }
  for (std::size_t i = 0; i < term.arguments.size(); ++i) {
    if (!match(pattern.arguments[i], term.arguments[i], bindings)) return false;
  }
  return true;
}

GroundTerm NaiveModel::instantiate(const Term& term, const Bindings& bindings) const {
  if (term.kind == Term::Kind::variable) return bindings.at(term.name);
  GroundTerm ground{rulesheet_->symbols.name(term.name), {}};
  for (const Term& argument : term.arguments) {
    ground.arguments.push_back(instantiate(argument, bindings));
  }
  return ground;
}

std::string NaiveModel::name(const Term& term) const { return rulesheet_->symbols.name(term.name); }

NaiveModel::State NaiveModel::collect(const Atoms& atoms, const std::string& predicate) const {
  State state;
  const auto found = atoms.find(predicate);
  if (found == atoms.end()) return state;
  for (const GroundTerm& atom : found->second) {
    state.printed.insert(atom.arguments.front().print());
    state.fluents.push_back(atom.arguments.front());
  }
  return state;
}

NaiveModel::State NaiveModel::initial_state() { return collect(model({}, {}), "init"); }

std::vector<base::Move> NaiveModel::legal_moves(const State& state, std::size_t role) {
  std::vector<base::Move> moves;
  const Atoms& atoms = model(state, {});
  const auto legal = atoms.find("legal");
  if (legal == atoms.end()) return moves;
  for (const GroundTerm& atom : legal->second) {
    if (atom.arguments[0].name != roles_[role]) continue;
    const auto known = std::find(moves_.begin(), moves_.end(), atom.arguments[1]);
    moves.push_back(static_cast<base::Move>(known - moves_.begin()));
    if (known == moves_.end()) moves_.push_back(atom.arguments[1]);
  }
  std::sort(moves.begin(), moves.end(),
            [&](base::Move a, base::Move b) { return move_name(a) < move_name(b); });
  return moves;
}

NaiveModel::State NaiveModel::next_state(const State& state, std::span<const base::Move> joint) {
  std::vector<GroundTerm> does;
  for (std::size_t r = 0; r < roles_.size(); ++r) {
    does.push_back({"does", {{roles_[r], {}}, moves_[joint[r]]}});
  }
  return collect(model(state, does), "next");
}

bool NaiveModel::terminal(const State& state) { return model(state, {}).contains("terminal"); }

std::vector<int> NaiveModel::goals(const State& state, std::size_t role) {
  std::vector<int> values;
  const Atoms& atoms = model(state, {});
  const auto goals = atoms.find("goal");
  if (goals == atoms.end()) return values;
  for (const GroundTerm& atom : goals->second) {
    if (atom.arguments[0].name == roles_[role]) values.push_back(std::stoi(atom.arguments[1].name));
  }
  std::sort(values.begin(), values.end());
  return values;
}

std::vector<std::string> NaiveModel::fluent_names(const State& state) const {
  return {state.printed.begin(), state.printed.end()};
}

}  // namespace zermelo::testing
