// A test engine that shares no code with the others. It evaluates all rules bottom-up, one stratum
// after the other, by the definition of the least model. Only for very small games.
#pragma once

#include <compare>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/state_machine.h"
#include "gdl/rulesheet.h"

namespace zermelo::testing {

// A ground term or atom.
struct GroundTerm {
  std::string name;
  std::vector<GroundTerm> arguments;

  bool operator==(const GroundTerm& other) const = default;
  bool operator<(const GroundTerm& other) const {
    return name != other.name ? name < other.name : arguments < other.arguments;
  }
  std::string print() const;
};

class NaiveModel {
 public:
  struct State {
    std::set<std::string> printed;  // the same fluents as text, for equality, order and hash
    std::vector<GroundTerm> fluents;
    bool operator==(const State& other) const { return printed == other.printed; }
    auto operator<=>(const State& other) const { return printed <=> other.printed; }
  };

  explicit NaiveModel(std::shared_ptr<const gdl::Rulesheet> rulesheet);

  const std::vector<std::string>& roles() const { return roles_; }
  State initial_state();
  std::vector<base::Move> legal_moves(const State& state, std::size_t role);
  State next_state(const State& state, std::span<const base::Move> joint);
  bool terminal(const State& state);
  std::vector<int> goals(const State& state, std::size_t role);
  std::string move_name(base::Move move) const { return moves_[move].print(); }
  std::vector<std::string> fluent_names(const State& state) const;

 private:
  using Atoms = std::map<std::string, std::set<GroundTerm>>;  // by predicate
  using Bindings = std::map<gdl::Symbol, GroundTerm>;
  using Formulas = std::vector<const gdl::Formula*>;

  void find_strata();
  int stratum_below(const gdl::Formula& formula, bool negated) const;
  const Atoms& model(const State& state, const std::vector<GroundTerm>& does);
  bool derive(const gdl::Clause& clause, Atoms& atoms) const;
  bool solve(Formulas waiting, const Bindings& bindings, const Atoms& atoms,
             const std::function<bool(const Bindings&)>& found) const;
  bool solve_atom(const gdl::Term& atom, const Formulas& waiting, const Bindings& bindings,
                  const Atoms& atoms, const std::function<bool(const Bindings&)>& found) const;
  bool match(const gdl::Term& pattern, const GroundTerm& term, Bindings& bindings) const;
  GroundTerm instantiate(const gdl::Term& term, const Bindings& bindings) const;
  std::string name(const gdl::Term& term) const;
  State collect(const Atoms& atoms, const std::string& predicate) const;

  std::shared_ptr<const gdl::Rulesheet> rulesheet_;
  std::map<std::string, int> strata_;
  int last_stratum_ = 0;
  std::vector<std::string> roles_;
  std::vector<GroundTerm> moves_;
  Atoms model_;
  std::set<GroundTerm> model_of_;
};

}  // namespace zermelo::testing

template <>
struct std::hash<zermelo::testing::NaiveModel::State> {
  std::size_t operator()(const zermelo::testing::NaiveModel::State& state) const {
    std::size_t h = 0;
    for (const std::string& fluent : state.printed) h = h * 31 + std::hash<std::string>{}(fluent);
    return h;
  }
};
