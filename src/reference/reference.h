// The slow, obvious engine: evaluates the rulesheet itself, without grounding. It plays every valid
// game, also those too large to ground, and it is the twin that faster engines are compared with.
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
  // The fluents that hold, as numbers of the engine that made it.
  struct State {
    std::vector<TermId> fluents;  // ascending
    auto operator<=>(const State&) const = default;
  };

  // Requires a valid rulesheet; refuses GDL-II with not_applicable. Where limits are given, they
  // hold from now on: a question that reaches one throws LimitReached, and others can be asked.
  static base::Result<Reference> make(std::shared_ptr<const gdl::Rulesheet> rulesheet,
                                      const base::Limits& limits = {});

  const std::vector<std::string>& roles() const { return role_names_; }
  State initial_state();
  std::vector<base::Move> legal_moves(const State& state, std::size_t role);
  // One move per role. Moves need not be legal.
  State next_state(const State& state, std::span<const base::Move> joint);
  bool terminal(const State& state);
  std::vector<int> goals(const State& state, std::size_t role);

  const std::string& move_name(base::Move move) { return name(move); }
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
  std::optional<State> entered_;
  std::deque<std::string> names_;  // by term, empty until asked for; stable addresses
};

static_assert(std::is_move_constructible_v<Reference>);

}  // namespace zermelo::reference

template <>
struct std::hash<zermelo::reference::Reference::State> {
  std::size_t operator()(const zermelo::reference::Reference::State& state) const {
    return zermelo::reference::hash_terms(0, state.fluents);
  }
};
