// One random game as text: every move with the number of legal moves, the changes of the state, and
// the goals at the end. Engines that agree write the same text.
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/state_machine.h"

namespace zermelo::testing {

template <base::StateMachine M>
class Playthrough {
 public:
  Playthrough(M& machine, std::uint64_t seed) : machine_(machine), random_(seed) {
    text_ = "seed " + std::to_string(seed) + "\nroles";
    for (const std::string& role : machine_.roles()) text_ += " " + role;
    text_ += "\n";
  }

  // Plays to the end, or for at most `max_moves` moves.
  std::string record(std::size_t max_moves) {
    auto state = machine_.initial_state();
    text_ += "start\n";
    write(" ", machine_.fluent_names(state));
    for (std::size_t n = 1; n <= max_moves && !machine_.terminal(state); ++n) {
      text_ += "move " + std::to_string(n) + "\n";
      auto successor = machine_.next_state(state, choose(state));
      write_changes(machine_.fluent_names(state), machine_.fluent_names(successor));
      state = std::move(successor);
    }
    text_ += machine_.terminal(state) ? "end\n" : "not ended\n";
    for (std::size_t r = 0; r < machine_.roles().size(); ++r) write_goals(state, r);
    return text_;
  }

 private:
  using Names = std::vector<std::string>;

  std::vector<base::Move> choose(const typename M::State& state) {
    std::vector<base::Move> joint;
    for (std::size_t r = 0; r < machine_.roles().size(); ++r) {
      const std::vector<base::Move> legal = machine_.legal_moves(state, r);
      joint.push_back(legal.at(random_.below(static_cast<std::uint32_t>(legal.size()))));
      text_ += "  " + machine_.roles()[r] + ": " + std::string(machine_.move_name(joint.back())) +
               " of " + std::to_string(legal.size()) + "\n";
    }
    return joint;
  }

  void write_changes(const Names& before, const Names& after) {
    Names gone, come;
    std::set_difference(before.begin(), before.end(), after.begin(), after.end(),
                        std::back_inserter(gone));
    std::set_difference(after.begin(), after.end(), before.begin(), before.end(),
                        std::back_inserter(come));
    write("-", gone);
    write("+", come);
  }

  // Writes names after a mark, in lines of at most 100 columns if they fit.
  void write(const std::string& mark, const Names& names) {
    const std::string line_start = "  " + mark;
    std::string line = line_start;
    for (const std::string& name : names) {
      if (line.size() > line_start.size() && line.size() + 1 + name.size() > 100) {
        text_ += line + "\n";
        line = line_start;
      }
      line += " " + name;
    }
    if (line != line_start) text_ += line + "\n";
  }

  void write_goals(const typename M::State& state, std::size_t role) {
    text_ += "  " + machine_.roles()[role] + ":";
    for (const int goal : machine_.goals(state, role)) text_ += " " + std::to_string(goal);
    text_ += "\n";
  }

  M& machine_;
  base::Random random_;
  std::string text_;
};

}  // namespace zermelo::testing
