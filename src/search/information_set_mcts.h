// Monte-Carlo tree search over information sets, for games with hidden information (GDL-II).
//
//   InformationSetMcts search(machine, {});
//   for (...) search.simulate(belief.sample(random));
//   search.statistics(role, information);
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/random.h"
#include "know/belief.h"
#include "machine/machine.h"

namespace zermelo::search {

struct InformationSetOptions {
  double exploration = 0.7;
  // Every role sees the state: the search then plays as if nothing was hidden. For the player that
  // determinises.
  bool sees_state = false;
  std::size_t max_sets = 1'000'000;  // with more, new ones are not stored
  std::uint64_t seed = 1;
};

class InformationSetMcts {
 public:
  struct MoveStatistics {
    machine::Move move = 0;
    std::uint32_t visits = 0;
    std::uint32_t available = 0;  // how often it was legal when the set was visited
    double rewards = 0;           // the sum, each from 0 to 1
  };

  InformationSetMcts(std::shared_ptr<const machine::Machine> machine,
                     const InformationSetOptions& options);

  // Plays one game from a world and learns from its end. The world must not be terminal.
  void simulate(const know::PossibleWorld& world);

  // Of a role that has this information (with sees_state, the key of the world's state). Empty if
  // the set was not visited.
  std::span<const MoveStatistics> statistics(std::size_t role,
                                             know::InformationKey information) const;
  // How often the role made the move, as a share; uniform as long as it was not there.
  double share(std::size_t role, know::InformationKey information, machine::Move move,
               std::size_t legal) const;

  static know::InformationKey key_of(const machine::State& state) { return state.hash(); }

 private:
  using Set = std::vector<MoveStatistics>;
  struct Choice {
    Set* set;
    std::size_t index;
    std::size_t role;
  };

  know::InformationKey table_key(std::size_t role, know::InformationKey information) const;
  bool choose_joint_move();
  machine::Move choose(std::size_t role, std::span<const machine::Move> legal);
  std::size_t select(Set& set, std::span<const machine::Move> legal);
  void advance();
  void learn();

  std::shared_ptr<const machine::Machine> machine_;
  InformationSetOptions options_;
  base::Random random_;
  machine::Cursor cursor_;
  machine::PerceptReader reader_;
  std::unordered_map<know::InformationKey, Set> sets_;
  // Of the current simulation.
  std::vector<know::InformationKey> information_;  // by role
  std::vector<machine::Move> joint_;
  std::vector<Choice> path_;
  bool is_in_tree_ = true;
};

}  // namespace zermelo::search
