// The ground rules evaluated with three values: whether an atom can hold and whether it must hold,
// under assumptions about a state and given moves.
//
//   ThreeValued values(game, groups, Reevaluation::changed);
//   values.begin();                        // a non-terminal state, no moves
//   values.assume(game.legal[move], true);
//   values.evaluate_state();
//   values.set_move(move, {true, true});
//   values.evaluate_step();
//   ... values.of(atom) ...
#pragma once

#include <cstdint>
#include <optional>
#include <queue>
#include <vector>

#include "analysis/mutex_groups.h"
#include "ground/game.h"

namespace zermelo::translate::toss {

struct Bounds {
  bool can = true, must = false;
  bool operator==(const Bounds&) const = default;
};

// What is evaluated after an assumption: what depends on it, or everything. The results are the
// same; the second is the twin for tests.
enum class Reevaluation : std::uint8_t { changed, everything };

class ThreeValued {
 public:
  // The arguments must outlive this.
  ThreeValued(const ground::Game& game, const analysis::MutexGroups& groups, Reevaluation how);
  // The memory that it takes, roughly.
  static std::size_t bytes_for(const ground::Game& game);

  // Forgets all assumptions.
  void begin();
  // An assumption about an atom that does not depend on moves. False where it contradicts others.
  bool assume(ground::Atom atom, bool value);
  // That the rule applies.
  bool assume_body(ground::RuleIndex rule);
  // Evaluates what depends on the state only; then, with moves set, the rest.
  void evaluate_state() { evaluate(game_.first_after_does); }
  void set_move(std::uint32_t move, Bounds value) { change(game_.does(move), value); }
  void evaluate_step() { evaluate(game_.atoms); }

  const Bounds& of(ground::Atom atom) const { return bounds_[atom]; }
  std::size_t group(ground::Atom fluent) const { return group_of_[fluent]; }
  // The bounds of an atom where the fluent has this value, as far as a few levels of rules show.
  Bounds where(ground::Atom fluent, bool value, ground::Atom atom);
  // The atoms for which something within reach of `where` is not as after begin(), and all atoms
  // whose own bounds are not. Sorted.
  std::vector<ground::Atom> touched() const;
  // Atoms evaluated since the last call.
  std::size_t take_steps() { return std::exchange(steps_, 0); }

  static constexpr std::size_t no_group = ~std::size_t{0};

 private:
  bool assume_common(ground::RuleIndex first, ground::RuleIndex last);
  bool assume_group(ground::Atom atom, bool value);
  void change(ground::Atom atom, Bounds value);
  void schedule(ground::Atom atom);
  void evaluate(ground::Atom last);
  void evaluate_component(const ground::Game::Component& component);
  Bounds local(ground::Atom fluent, bool value, ground::Atom atom, int depth);
  template <class BoundsOf>
  Bounds of_rules(ground::Atom atom, BoundsOf bounds_of) const;
  // Calls function(atom, reader) for every atom in a rule, once for each reader of it.
  template <class Function>
  void for_each_dependent(const Function& function) const;
  void list_dependents();

  const ground::Game& game_;
  Reevaluation how_;
  const analysis::MutexGroups& groups_;
  std::vector<std::size_t> group_of_;         // by fluent
  std::vector<std::uint32_t> component_;      // by atom: number of its component and 1, or 0
  std::vector<std::size_t> first_dependent_;  // by atom; one more at the end
  std::vector<ground::Atom> dependents_;
  std::vector<Bounds> start_, bounds_;  // by atom: after begin(), now
  std::vector<bool> assumed_, scheduled_;
  std::vector<ground::Atom> changed_;  // since begin(), with repetitions
  std::vector<ground::Atom> assumptions_;
  std::priority_queue<ground::Atom, std::vector<ground::Atom>, std::greater<>> queue_;
  bool consistent_ = true;
  bool start_consistent_ = true;
  std::size_t local_steps_ = 0;
  std::size_t steps_ = 0;
};

}  // namespace zermelo::translate::toss
