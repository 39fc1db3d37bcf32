#include "play/replay.h"

#include <fmt/format.h>

#include <set>

#include "play/board.h"
#include "play/scene_of.h"

namespace zermelo::play {
namespace {

class Replayer {
 public:
  Replayer(const search::Simulator& simulator, std::shared_ptr<const eval::StateValues> values)
      : simulator_(simulator),
        values_(std::move(values)),
        walker_(simulator.walker()),
        scene_(scene_of(simulator, nullptr)) {}

  Replay run(const MatchRecord& record) {
    walker_->go_to(simulator_.initial());
    look({}, {});
    check_state(record);
    for (const std::vector<std::string>& moves : record.moves) {
      if (replay_.problem.empty()) make(moves);
      if (replay_.problem.empty()) check_state(record);
    }
    if (replay_.problem.empty()) check_end(record);
    return std::move(replay_);
  }

 private:
  using Fluents = std::set<std::string>;

  void make(const std::vector<std::string>& names) {
    if (walker_->terminal()) return disagree("the game was over before");
    if (names.size() > simulator_.roles().size()) {
      return disagree("a step has more moves than roles");
    }
    std::vector<search::Move> joint;
    std::vector<std::size_t> deciders;
    for (std::size_t role = 0; role < simulator_.roles().size(); ++role) {
      const auto move = role < names.size()
                            ? search::find_move(simulator_, *walker_, role, names[role])
                            : std::nullopt;
      if (!move) return disagree("a move is not legal");
      joint.push_back(*move);
      if (walker_->legal(role).size() > 1) deciders.push_back(role);
    }
    walker_->make(joint);
    look(names, deciders);
  }

  void look(const std::vector<std::string>& moves, const std::vector<std::size_t>& deciders) {
    const search::State state = walker_->state();
    ReplayStep step{moves, values_ ? values_->value(state) : std::nullopt, {}, {}};
    step.board = board_of(state);
    for (const std::size_t role : deciders) {
      if (fell(step, role)) step.lost_value.push_back(simulator_.roles()[role]);
    }
    replay_.steps.push_back(std::move(step));
  }

  std::string board_of(const search::State& state) const {
    return boards_as_text(scene_.depict(simulator_.fluent_names(state)));
  }

  bool fell(const ReplayStep& step, std::size_t role) const {
    const auto& before = replay_.steps.back().value;
    return before && step.value && prefers(values_->model(), role, *before, *step.value);
  }

  // The state after the last step must be the record's, where it has one.
  void check_state(const MatchRecord& record) {
    const std::size_t step = replay_.steps.size() - 1;
    if (step >= record.states.size()) return;
    const std::vector<std::string> here = simulator_.fluent_names(walker_->state());
    const std::vector<std::string>& there = record.states[step];
    if (Fluents(here.begin(), here.end()) != Fluents(there.begin(), there.end())) {
      disagree("the state differs", step);
    }
  }

  void check_end(const MatchRecord& record) {
    if (!walker_->terminal()) {
      if (record.is_completed) disagree("the game is not over");
      return;
    }
    for (std::size_t role = 0; role < simulator_.roles().size(); ++role) {
      replay_.goals.push_back(walker_->goal(role));
    }
    if (record.is_completed && replay_.goals != record.goals) disagree("the goals are others");
  }

  void disagree(const char* reason) { disagree(reason, replay_.steps.size()); }
  void disagree(const char* reason, std::size_t step) {
    replay_.problem = fmt::format("step {}: {}", step, reason);
  }

  const search::Simulator& simulator_;
  std::shared_ptr<const eval::StateValues> values_;
  std::unique_ptr<search::Walker> walker_;
  analysis::Scene scene_;
  Replay replay_;
};

}  // namespace

Replay replay(const search::Simulator& simulator, const MatchRecord& record,
              std::shared_ptr<const eval::StateValues> values) {
  return Replayer(simulator, std::move(values)).run(record);
}

}  // namespace zermelo::play
