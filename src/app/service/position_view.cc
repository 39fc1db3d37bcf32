#include "app/service/position_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "app/draw.h"
#include "gdl/term_text.h"

namespace zermelo::app {
namespace {

base::Error bad_step(std::size_t step, const std::string& reason) {
  return {base::ErrorKind::invalid_request, fmt::format("step {}: {}", step + 1, reason)};
}

// The move of a role in a step.
base::Result<search::Move> chosen(const OpenGame& game, search::Walker& walker, std::size_t role,
                                  const std::optional<std::string>& name, std::size_t step) {
  const std::string& role_name = game.roles()[role];
  if (!name) {
    const auto legal = walker.legal(role);
    if (legal.size() == 1) return legal[0];
    return tl::unexpected(bad_step(step, role_name + " has no single move"));
  }
  const auto canonical = gdl::canonical_term(*name);
  const auto move =
      canonical ? search::find_move(*game.simulator(), walker, role, *canonical) : std::nullopt;
  if (!move) return tl::unexpected(bad_step(step, "not a legal move of " + role_name));
  return *move;
}

struct MadeStep {
  std::vector<std::string> names;     // of the moves, by role
  std::vector<std::size_t> choosers;  // the roles that had several moves
};

// Makes the moves of one step.
base::Result<MadeStep> make_step(const OpenGame& game, search::Walker& walker,
                                 const StepChoice& choice, std::size_t step) {
  if (walker.terminal()) return tl::unexpected(bad_step(step, "the game is over"));
  if (choice.size() != game.roles().size()) {
    return tl::unexpected(bad_step(step, "expected one move per role"));
  }
  MadeStep made;
  std::vector<search::Move> joint;
  for (std::size_t role = 0; role < game.roles().size(); ++role) {
    const auto move = chosen(game, walker, role, choice[role], step);
    if (!move) return tl::unexpected(move.error());
    joint.push_back(*move);
    made.names.push_back(game.simulator()->move_name(*move));
    if (walker.legal(role).size() > 1) made.choosers.push_back(role);
  }
  walker.make(joint);
  return made;
}

ExactValue exact_value(const search::Simulator& simulator, const solve::Rewards& rewards,
                       std::optional<std::uint32_t> distance) {
  ExactValue value{rewards, distance, {}};
  for (std::size_t role = 0; role < simulator.roles().size(); ++role) {
    value.outcomes.push_back(outcome_of(simulator, rewards, role));
  }
  return value;
}

class Viewer {
 public:
  Viewer(const OpenGame& game, ReachedPosition position, bool wants_line)
      : game_(game), position_(std::move(position)), wants_line_(wants_line) {}

  base::Result<PositionView> view() {
    search::Walker& walker = *position_.walker;
    const search::Simulator& simulator = *game_.simulator();
    view_.roles = game_.roles();
    view_.history = position_.history;
    view_.fluents = simulator.fluent_names(walker.state());
    picture_ = game_.scene().depict(view_.fluents);
    view_.svg = picture_as_svg(picture_, {.standalone = false});
    view_.terminal = walker.terminal();
    if (view_.terminal) {
      for (std::size_t role = 0; role < view_.roles.size(); ++role) {
        view_.goals.push_back(walker.goal(role));
      }
    } else {
      list_moves();
    }
    if (auto added = add_values(); !added) return tl::unexpected(added.error());
    return std::move(view_);
  }

 private:
  void list_moves() {
    search::Walker& walker = *position_.walker;
    for (const std::size_t role : deciding_roles(game_, walker)) {
      view_.deciding.push_back(view_.roles[role]);
      const auto span = walker.legal(role);
      const std::vector<search::Move> legal(span.begin(), span.end());
      for (const search::Move move : legal) {
        const std::string name = game_.simulator()->move_name(move);
        std::vector<std::string> cells = game_.scene().cells_of_move(name);
        if (cells.empty()) cells = cells_changed_by(role, move, legal.size());
        view_.moves.push_back({view_.roles[role], name, std::move(cells), {}, {}, false, false});
      }
    }
  }

  // The cells that change if the others make their first moves.
  std::vector<std::string> cells_changed_by(std::size_t role, search::Move move,
                                            std::size_t number_of_moves) {
    constexpr std::size_t max_moves = 60;  // depicting more positions would take too long
    search::Walker& walker = *position_.walker;
    std::vector<search::Move> joint;
    for (std::size_t other = 0; other < view_.roles.size(); ++other) {
      const auto legal = walker.legal(other);
      if (legal.empty() || number_of_moves > max_moves) return {};
      joint.push_back(other == role ? move : legal[0]);
    }
    walker.make(joint);
    const auto after = game_.scene().depict(game_.simulator()->fluent_names(walker.state()));
    walker.unmake();
    return analysis::changed_cells(picture_, after);
  }

  base::Result<void> add_values() {
    base::Result<void> result;
    view_.solved = game_.with_solution([&](solve::SolutionReader& solution) {
      const search::State state = position_.walker->state();
      const auto stored = solution.position(state, view_.history.size());
      if (!stored) {
        // Positions beyond the horizon of the solution do not exist, so the folder is damaged.
        result = base::fail(stored.error().kind, "the stored solution cannot be read");
        return;
      }
      add_values(*stored);
      if (!wants_line_) return;
      const auto line = solution.line(state, view_.history.size());
      if (!line) return;
      for (const solve::MoveValue& move : *line) {
        view_.line.push_back(game_.simulator()->move_name(move.move));
      }
    });
    return result;
  }

  void add_values(const solve::StoredPosition& stored) {
    const search::Simulator& simulator = *game_.simulator();
    view_.value = exact_value(simulator, stored.value.rewards, stored.value.distance);
    if (!stored.turn || stored.moves.empty()) return;
    const std::string& role = view_.roles[*stored.turn];
    std::vector<MoveView> ranked;
    for (const solve::MoveValue& move : stored.moves) {
      MoveView view{role, simulator.move_name(move.move), {}, {}, {}, false, false};
      const auto found = std::find_if(
          view_.moves.begin(), view_.moves.end(),
          [&](const MoveView& other) { return other.role == role && other.name == view.name; });
      if (found != view_.moves.end()) view.cells = found->cells;
      view.value = exact_value(simulator, move.rewards, move.distance);
      view.keeps_value = move.keeps_value;
      view.best = move.best;
      ranked.push_back(std::move(view));
    }
    add_deltas(ranked);
    view_.deciding = {role};
    view_.moves = std::move(ranked);
  }

  // Moves of one value are listed best first, so the first of them has the best distance.
  static void add_deltas(std::vector<MoveView>& moves) {
    for (MoveView& move : moves) {
      const auto best = std::find_if(moves.begin(), moves.end(), [&](const MoveView& other) {
        return other.value->rewards == move.value->rewards;
      });
      if (!move.value->distance || !best->value->distance) continue;
      const std::uint32_t a = *move.value->distance, b = *best->value->distance;
      move.delta = a > b ? a - b : b - a;
    }
  }

  const OpenGame& game_;
  ReachedPosition position_;
  bool wants_line_;
  analysis::Picture picture_;
  PositionView view_;
};

std::optional<int> loss_of(const ValueHistory::Step& before, const ValueHistory::Step& after,
                           std::size_t role) {
  if (!before.value || !after.value) return std::nullopt;
  if (before.value->rewards.empty() || after.value->rewards.empty()) return std::nullopt;
  return before.value->rewards[role] - after.value->rewards[role];
}

}  // namespace

const char* name_of(Outcome outcome) {
  constexpr const char* names[] = {"win", "draw", "lose", "endless"};
  return names[static_cast<std::size_t>(outcome)];
}

Outcome outcome_of(const search::Simulator& simulator, const solve::Rewards& rewards,
                   std::size_t role) {
  if (rewards.empty()) return Outcome::endless;
  const int own = rewards[role];
  if (rewards.size() == 1) {
    const std::vector<int> goals = simulator.goal_values(role);
    if (goals.empty()) return own == 100 ? Outcome::win : own == 0 ? Outcome::lose : Outcome::draw;
    return own == goals.back()    ? Outcome::win
           : own == goals.front() ? Outcome::lose
                                  : Outcome::draw;
  }
  int best_other = -1;
  for (std::size_t other = 0; other < rewards.size(); ++other) {
    if (other != role) best_other = std::max<int>(best_other, rewards[other]);
  }
  return own > best_other ? Outcome::win : own == best_other ? Outcome::draw : Outcome::lose;
}

std::vector<std::size_t> deciding_roles(const OpenGame& game, search::Walker& walker) {
  std::vector<std::size_t> deciding, all;
  for (std::size_t role = 0; role < game.roles().size(); ++role) {
    all.push_back(role);
    if (walker.legal(role).size() > 1) deciding.push_back(role);
  }
  if (!deciding.empty()) return deciding;
  const auto fluents = game.simulator()->fluent_names(walker.state());
  for (const std::size_t role : all) {
    const std::string turn = fmt::format("(control {})", game.roles()[role]);
    if (std::find(fluents.begin(), fluents.end(), turn) != fluents.end()) deciding.push_back(role);
  }
  return deciding.empty() ? all : deciding;
}

base::Result<ReachedPosition> reach(const OpenGame& game, const std::vector<StepChoice>& steps) {
  ReachedPosition position{game.simulator()->walker(), {}};
  search::Walker& walker = *position.walker;
  walker.go_to(game.simulator()->initial());
  for (std::size_t step = 0; step < steps.size(); ++step) {
    auto made = make_step(game, walker, steps[step], step);
    if (!made) return tl::unexpected(made.error());
    position.history.push_back(std::move(made->names));
  }
  return position;
}

base::Result<PositionView> view_position(const OpenGame& game, const PositionRequest& request) {
  auto position = reach(game, request.steps);
  if (!position) return tl::unexpected(position.error());
  return Viewer(game, std::move(*position), request.line).view();
}

base::Result<ValueHistory> value_history(const OpenGame& game,
                                         const std::vector<StepChoice>& steps) {
  const search::Simulator& simulator = *game.simulator();
  ValueHistory history{game.roles(), false, {}};
  const auto walker = simulator.walker();
  walker->go_to(simulator.initial());
  std::vector<search::State> states = {walker->state()};
  std::vector<MadeStep> made_steps;
  for (std::size_t step = 0; step < steps.size(); ++step) {
    auto made = make_step(game, *walker, steps[step], step);
    if (!made) return tl::unexpected(made.error());
    made_steps.push_back(std::move(*made));
    states.push_back(walker->state());
  }
  history.steps.resize(states.size());
  history.solved = game.with_solution([&](solve::SolutionReader& solution) {
    for (std::size_t i = 0; i < states.size(); ++i) {
      const auto value = solution.value(states[i], i);
      if (value) history.steps[i].value = exact_value(simulator, value->rewards, value->distance);
    }
  });
  for (std::size_t i = 0; i < states.size(); ++i) {
    history.steps[i].loss.resize(game.roles().size());
    if (i == 0) continue;
    for (const std::size_t role : made_steps[i - 1].choosers) {
      history.steps[i].loss[role] = loss_of(history.steps[i - 1], history.steps[i], role);
    }
  }
  return history;
}

}  // namespace zermelo::app
