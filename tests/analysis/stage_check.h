// Checks a stage of a serial composition by play: what is proved of it must hold.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/rule_evaluator.h"
#include "analysis/serial_stages.h"
#include "base/random.h"
#include "machine/machine.h"
#include "machine/perft.h"

namespace zermelo::testing {

// The values of the stage's conditions in a state, preceded by whether it is over.
class StageView {
 public:
  using State = machine::State;

  StageView(const ground::Game& game, const analysis::SerialStage& stage)
      : stage_(stage),
        evaluator_(game, roots(stage), [](ground::Atom) { return false; }),
        bounds_(game.atoms),
        fluents_(game.fluents.size()) {}

  bool is_over(const State& state) {
    derive(state);
    return bounds_.surely[stage_.over.atom()] != stage_.over.negated();
  }

  // What the rest of the game can still see: the other fluents, and the conditions.
  std::pair<State, std::vector<bool>> visible(State state) {
    derive(state);
    std::vector<bool> values;
    for (const ground::Atom atom : stage_.conditions) values.push_back(bounds_.surely[atom]);
    for (const ground::Atom f : stage_.fluents) state.reset(f);
    return {std::move(state), std::move(values)};
  }

 private:
  static std::vector<ground::Atom> roots(const analysis::SerialStage& stage) {
    std::vector<ground::Atom> atoms = stage.conditions;
    atoms.push_back(stage.over.atom());
    return atoms;
  }

  void derive(const State& state) {
    for (std::size_t f = 0; f < fluents_; ++f)
      bounds_.set(static_cast<ground::Atom>(f), state.test(f));
    evaluator_.derive(bounds_);
  }

  const analysis::SerialStage& stage_;
  analysis::RuleEvaluator evaluator_;
  analysis::AtomBounds bounds_;
  std::size_t fluents_;
};

// Random play. Where the stage is over, a step must keep it over and keep its fluents. A hybrid, in
// which these fluents are those of another such state with the same conditions, must have the same
// legal moves, and the same move must lead to the same other fluents, end and rewards.
class StageCheck {
 public:
  using State = machine::State;
  using Move = machine::Move;

  StageCheck(std::shared_ptr<const machine::Machine> machine, const analysis::SerialStage& stage)
      : stepper_(machine), stage_(stage), view_(machine->game(), stage), random_(1) {}

  // Returns what is wrong, if anything is.
  std::optional<std::string> run(std::size_t steps) {
    State state = stepper_.initial_state();
    for (std::size_t i = 0; i < steps; ++i) {
      const auto legal = machine::all_legal_moves(stepper_, state);
      const bool is_stuck =
          std::any_of(legal.begin(), legal.end(), [](const auto& moves) { return moves.empty(); });
      if (stepper_.terminal(state) || is_stuck) {
        state = stepper_.initial_state();
        continue;
      }
      std::vector<Move> joint;
      for (const auto& moves : legal) {
        joint.push_back(moves[random_.below(static_cast<std::uint32_t>(moves.size()))]);
      }
      if (view_.is_over(state)) {
        if (auto wrong = check(state, joint)) return wrong;
      }
      state = stepper_.next_state(state, joint);
    }
    return std::nullopt;
  }

 private:
  std::optional<std::string> check(const State& state, const std::vector<Move>& joint) {
    const State next = stepper_.next_state(state, joint);
    if (!view_.is_over(next)) return "a stage does not stay over";
    for (const ground::Atom f : stage_.fluents) {
      if (next.test(f) != state.test(f)) return "a finished stage changes";
    }
    const State mixed = hybrid(state);
    if (machine::all_legal_moves(stepper_, mixed) != machine::all_legal_moves(stepper_, state)) {
      return "legal moves depend on more of a finished stage";
    }
    const State mixed_next = stepper_.next_state(mixed, joint);
    const bool is_same = view_.visible(mixed_next) == view_.visible(next) &&
                         stepper_.terminal(mixed_next) == stepper_.terminal(next) &&
                         rewards(mixed_next) == rewards(next);
    return is_same ? std::nullopt
                   : std::optional<std::string>("the rest depends on more of a finished stage");
  }

  // The state with the stage of another one, of the same conditions. Remembers the state.
  State hybrid(const State& state) {
    auto [others, values] = view_.visible(state);
    std::vector<State>& known = known_[std::move(values)];
    if (known.size() < 64) known.push_back(state);
    const State& other = known[random_.below(static_cast<std::uint32_t>(known.size()))];
    State result = std::move(others);
    for (const ground::Atom f : stage_.fluents) {
      if (other.test(f)) result.set(f);
    }
    return result;
  }

  std::vector<std::vector<int>> rewards(const State& state) {
    std::vector<std::vector<int>> result;
    if (!stepper_.terminal(state)) return result;
    for (std::size_t role = 0; role < stepper_.roles().size(); ++role) {
      result.push_back(stepper_.goals(state, role));
    }
    return result;
  }

  machine::Stepper stepper_;
  const analysis::SerialStage& stage_;
  StageView view_;
  base::Random random_;
  std::map<std::vector<bool>, std::vector<State>> known_;  // by conditions
};

}  // namespace zermelo::testing
