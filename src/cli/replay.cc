// replay RECORD GAME: a recorded game, step by step, checked against the rules.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "base/source.h"
#include "cli/command.h"
#include "cli/json_output.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/player_options.h"
#include "play/board.h"
#include "play/record.h"

namespace zermelo::cli {
namespace {

struct Options {
  std::string record;
  std::string path;
  std::string values;
  bool boards = false;
  LimitOptions limits;
  bool json = false;
};

struct Step {
  std::vector<std::string> moves;       // by role
  std::optional<eval::Rewards> value;   // after it, where known
  std::vector<std::string> lost_value;  // the roles that had a choice and whose value fell
  std::string board;
};

struct Story {
  std::vector<Step> steps;  // the first has no moves
  std::vector<int> goals;   // at the end
  std::string problem;      // why the record does not fit the rules
};

class Replay {
 public:
  Replay(const search::Simulator& engine, Values values)
      : engine_(engine), values_(std::move(values)), walker_(engine.walker()) {}

  Story run(const play::MatchRecord& record) {
    walker_->go_to(engine_.initial());
    look({}, {});
    check_state(record);
    for (const std::vector<std::string>& moves : record.moves) {
      if (story_.problem.empty()) make(moves);
      if (story_.problem.empty()) check_state(record);
    }
    if (story_.problem.empty()) check_end(record);
    return std::move(story_);
  }

 private:
  using Fluents = std::set<std::string>;

  void make(const std::vector<std::string>& names) {
    if (walker_->terminal()) return disagree("the game was over before");
    if (names.size() > engine_.roles().size()) {
      return disagree("a step has more moves than roles");
    }
    std::vector<search::Move> joint;
    std::vector<std::size_t> deciders;
    for (std::size_t role = 0; role < engine_.roles().size(); ++role) {
      const auto move = role < names.size()
                            ? search::find_move(engine_, *walker_, role, names[role])
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
    Step step{moves, values_ ? values_->value(state) : std::nullopt, {}, {}};
    step.board = play::draw_board(engine_.fluent_names(state)).value_or("");
    for (const std::size_t role : deciders) {
      if (fell(step, role)) step.lost_value.push_back(engine_.roles()[role]);
    }
    story_.steps.push_back(std::move(step));
  }

  bool fell(const Step& step, std::size_t role) const {
    const auto& before = story_.steps.back().value;
    return before && step.value && prefers(values_->model(), role, *before, *step.value);
  }

  // The state after the last step must be the record's, where it has one.
  void check_state(const play::MatchRecord& record) {
    const std::size_t step = story_.steps.size() - 1;
    if (step >= record.states.size()) return;
    const std::vector<std::string> here = engine_.fluent_names(walker_->state());
    const std::vector<std::string>& there = record.states[step];
    if (Fluents(here.begin(), here.end()) != Fluents(there.begin(), there.end())) {
      disagree("the state is another", step);
    }
  }

  void check_end(const play::MatchRecord& record) {
    if (!walker_->terminal()) {
      if (record.is_completed) disagree("the game is not over");
      return;
    }
    for (std::size_t role = 0; role < engine_.roles().size(); ++role) {
      story_.goals.push_back(walker_->goal(role));
    }
    if (record.is_completed && story_.goals != record.goals) disagree("the goals are others");
  }

  void disagree(const char* reason) { disagree(reason, story_.steps.size()); }
  void disagree(const char* reason, std::size_t step) {
    story_.problem = fmt::format("step {}: {}", step, reason);
  }

  const search::Simulator& engine_;
  Values values_;
  std::unique_ptr<search::Walker> walker_;
  Story story_;
};

std::string as_text(const Story& story, bool boards) {
  std::string text;
  for (std::size_t i = 0; i < story.steps.size(); ++i) {
    const Step& step = story.steps[i];
    if (i > 0) text += fmt::format("{:>4}  {}", i, fmt::join(step.moves, "  "));
    if (step.value) text += fmt::format("  [{}]", fmt::join(*step.value, " "));
    if (!step.lost_value.empty()) {
      text += fmt::format("  value lost by {}", fmt::join(step.lost_value, ", "));
    }
    if (i > 0 || step.value) text += "\n";
    if (boards && !step.board.empty()) text += step.board + "\n";
  }
  if (!story.problem.empty()) return text + "does not fit the rules: " + story.problem + "\n";
  return text + (story.goals.empty() ? "not over\n"
                                     : fmt::format("goals {}\n", fmt::join(story.goals, " ")));
}

nlohmann::ordered_json as_json(const Story& story) {
  nlohmann::ordered_json steps = nlohmann::ordered_json::array();
  for (const Step& step : story.steps) {
    nlohmann::ordered_json value = nullptr;
    if (step.value) value = *step.value;
    steps.push_back({{"moves", step.moves}, {"values", value}, {"lost_value", step.lost_value}});
  }
  return {{"fits", story.problem.empty()},
          {"problem", story.problem},
          {"steps", steps},
          {"goals", story.goals}};
}

base::Result<ExitCode> replay(const Options& options) {
  const auto source = base::read_source(options.record);
  if (!source) return tl::unexpected(source.error());
  const auto record = play::read_record(std::string(source->text()));
  if (!record) return tl::unexpected(record.error());
  const auto engine = read_engine(options.path, options.limits);
  if (!engine) return tl::unexpected(engine.error());
  auto values = open_values(options.values, **engine);
  if (!values) return tl::unexpected(values.error());
  const Story story = Replay(**engine, std::move(*values)).run(*record);
  if (options.json) {
    write_json(as_json(story));
  } else {
    write_answer(as_text(story, options.boards));
  }
  return story.problem.empty() ? ExitCode::success : ExitCode::answer_is_no;
}

Action declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  add_argument(app, "RECORD", options->record, Presence::required, "File with a match record");
  add_game_argument(app, options->path);
  add_text_option(app, "--values", "FOLDER", options->values, Presence::optional,
                  "A stored solution: marks the moves that lost value");
  add_flag(app, "--boards", options->boards, "Draw the board after every step");
  add_limit_options(app, options->limits);
  add_json_option(app, options->json);
  return [options] { return replay(*options); };
}

}  // namespace

const Command replay_command = {"replay", "Show a recorded game and check it against the rules",
                                "zermelo replay records/zermelo.1.0.json games/tic_tac_toe.kif",
                                declare};

}  // namespace zermelo::cli
