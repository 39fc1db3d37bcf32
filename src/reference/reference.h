// The reference engine: slow and simple. It evaluates the rulesheet directly, without grounding. It
// plays every valid game, including those too large to ground, and tests compare the faster engines
// with it.
//
//   auto engine = Reference::make(rulesheet);
//   Reference::State state = engine->initial_state();
//   while (!engine->terminal(state))
//     state = engine->next_state(state, choose(engine->legal_moves(state, 0), ...));
#pragma once

#include <compare>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/state_machine.h"
#include "gdl/rulesheet.h"
#include "reference/query_evaluator.h"

namespace zermelo::reference {

class Reference {
 public:
  // The fluents that hold. The ids are only valid for the engine that created the state.
  struct State {
    std::vector<TermId> fluents;  // ascending
    auto operator<=>(const State&) const = default;
  };

  // Requires a valid rulesheet, of GDL-II too. The limits apply from this call on: a member
  // function that reaches one throws LimitReached, and the engine stays usable.
  static base::Result<Reference> make(std::shared_ptr<const gdl::Rulesheet> rulesheet,
                                      const base::Limits& limits = {});

  const std::vector<std::string>& roles() const { return role_names_; }
  State initial_state();
  std::vector<base::Move> legal_moves(const State& state, std::size_t role);
  // One move per role. Moves need not be legal.
  State next_state(const State& state, std::span<const base::Move> joint);
  bool terminal(const State& state);
  std::vector<int> goals(const State& state, std::size_t role);
  // One move per role. Moves need not be legal.
  std::vector<base::Percept> percepts(const State& state, std::span<const base::Move> joint,
                                      std::size_t role);

  const std::string& move_name(base::Move move) { return name(move); }
  const std::string& percept_name(base::Percept percept) { return name(percept); }
  std::vector<std::string> fluent_names(const State& state);

 private:
  Reference(std::shared_ptr<const gdl::Rulesheet> rulesheet, RuleProgram program,
            const base::Limits& limits);

  void enter(const State& state);
  State collect_state(const TupleSet& answers) const;
  const std::string& name(TermId term);
  std::string print(TermId term) const;

  std::shared_ptr<const gdl::Rulesheet> rulesheet_;
  QueryEvaluator evaluator_;
  std::vector<TermId> roles_;
  std::vector<std::string> role_names_;
  std::vector<bool> is_random_;  // by role
  std::optional<State> entered_;
  std::deque<std::string> names_;  // by term, filled on first use; stable addresses
};

static_assert(std::is_move_constructible_v<Reference>);

}  // namespace zermelo::reference

template <>
struct std::hash<zermelo::reference::Reference::State> {
  std::size_t operator()(const zermelo::reference::Reference::State& state) const {
    return zermelo::reference::hash_terms(0, state.fluents);
  }
};
