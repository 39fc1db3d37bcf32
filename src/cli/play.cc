// play GAME --as ROLE: a person against the program, in the terminal.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iostream>
#include <memory>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/player_options.h"
#include "gdl/term_text.h"
#include "play/board.h"

namespace zermelo::cli {
namespace {

struct Options {
  std::string path;
  std::string role;
  std::string opponent = "uct:time=1s";
  std::string values;
  std::uint64_t seed = 1;
  LimitOptions limits;
};

using Agents = std::vector<std::unique_ptr<play::Agent>>;  // by role

constexpr const char* help =
    "A number or a move makes the move; part of a move lists those that contain it.\n"
    "moves: list all; undo: take back; hint: what the program would play; help: this; quit: end.\n";

std::string trimmed(const std::string& line) {
  constexpr const char* blanks = " \t\r";
  const std::size_t begin = line.find_first_not_of(blanks);
  if (begin == std::string::npos) return "";
  return line.substr(begin, line.find_last_not_of(blanks) + 1 - begin);
}

class Table {
 public:
  Table(const search::Simulator& engine, std::size_t person, Agents agents, Values values)
      : engine_(engine),
        person_(person),
        agents_(std::move(agents)),
        values_(std::move(values)),
        walker_(engine.walker()) {
    walker_->go_to(engine.initial());
  }

  void run() {
    write_answer(help);
    while (!walker_->terminal()) {
      if (const auto role = role_without_move()) {
        write_answer(fmt::format("{} has no legal move: the game cannot go on\n", *role));
        return;
      }
      const std::span<const search::Move> legal = walker_->legal(person_);
      moves_.assign(legal.begin(), legal.end());
      if (moves_.size() == 1) {
        step(moves_.front());
        continue;
      }
      show_state();
      for (std::size_t role = 0; role < agents_.size(); ++role) {
        if (role != person_) agents_[role]->ponder(walker_->state());
      }
      if (!ask()) return;
    }
    show_state();
    for (std::size_t role = 0; role < engine_.roles().size(); ++role) {
      write_answer(fmt::format("{}: {}\n", engine_.roles()[role], walker_->goal(role)));
    }
  }

 private:
  std::optional<std::string> role_without_move() {
    for (std::size_t role = 0; role < engine_.roles().size(); ++role) {
      if (walker_->legal(role).empty()) return engine_.roles()[role];
    }
    return std::nullopt;
  }

  // Until a move is made or taken back; false at the end of the input or of the person's patience.
  bool ask() {
    std::string line;
    while (true) {
      write_answer("> ");
      flush_answer();
      if (!std::getline(std::cin, line)) return false;
      line = trimmed(line);
      if (const auto move = move_of(line)) return make(*move), true;
      if (line == "quit") return false;
      if (line == "undo") {
        if (undo()) return true;
        write_answer("there is no move of yours to take back\n");
      } else if (line == "moves") {
        list("");
      } else if (line == "help") {
        write_answer(help);
      } else if (line == "hint") {
        const search::Move move = agents_[person_]->choose(walker_->state(), std::nullopt);
        write_answer(engine_.move_name(move) + "\n");
      } else if (!list(line)) {
        write_answer(fmt::format("no move contains \"{}\"; there are {}: moves lists them\n", line,
                                 moves_.size()));
      }
    }
  }

  // A move is known by its name, in any layout, or else by its number in the list.
  std::optional<search::Move> move_of(const std::string& line) {
    const std::string name = gdl::canonical_term(line).value_or("");
    if (const auto move = search::find_move(engine_, *walker_, person_, name)) return move;
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
    const bool is_number = error == std::errc() && end == line.data() + line.size();
    if (!is_number || number < 1 || number > moves_.size()) return std::nullopt;
    return moves_[number - 1];
  }

  void make(search::Move move) {
    before_.push_back(walker_->state());
    step(move);
  }

  // The moves that contain the text; false where there are none.
  bool list(const std::string& part) {
    bool found = false;
    for (std::size_t i = 0; i < moves_.size(); ++i) {
      const std::string name = engine_.move_name(moves_[i]);
      if (name.find(part) == std::string::npos) continue;
      found = true;
      write_answer(fmt::format("{:>4}  {}{}\n", i + 1, name, value_of(moves_[i])));
    }
    return found;
  }

  // "  50 50": what the state after the move is worth, if the others make their first moves.
  std::string value_of(search::Move move) {
    if (!values_) return "";
    const search::State here = walker_->state();
    std::vector<search::Move> joint;
    for (std::size_t role = 0; role < engine_.roles().size(); ++role) {
      joint.push_back(role == person_ ? move : walker_->legal(role).front());
    }
    walker_->make(joint);
    const auto value = values_->value(walker_->state());
    walker_->go_to(here);
    return value ? fmt::format("  {}", fmt::join(*value, " ")) : "";
  }

  void step(search::Move own) {
    const search::State state = walker_->state();
    std::vector<search::Move> joint;
    std::string text;
    for (std::size_t role = 0; role < engine_.roles().size(); ++role) {
      joint.push_back(role == person_ ? own : agents_[role]->choose(state, std::nullopt));
      text += fmt::format("{}: {}  ", engine_.roles()[role], engine_.move_name(joint.back()));
    }
    write_answer(text + "\n");
    walker_->go_to(state);
    walker_->make(joint);
  }

  bool undo() {
    if (before_.empty()) return false;
    walker_->go_to(before_.back());
    before_.pop_back();
    return true;
  }

  void show_state() {
    const std::vector<std::string> fluents = engine_.fluent_names(walker_->state());
    const auto board = play::draw_board(fluents);
    write_answer(
        fmt::format("\n{}{}\n", board.value_or(""), fmt::join(play::beside_board(fluents), " ")));
    if (!walker_->terminal() && moves_.size() <= 20) list("");
  }

  const search::Simulator& engine_;
  std::size_t person_;
  Agents agents_;
  Values values_;
  std::unique_ptr<search::Walker> walker_;
  std::vector<search::Move> moves_;    // of the person
  std::vector<search::State> before_;  // the person's moves
};

// They think while the person does, unless they were given a number of playouts, with which games
// can be repeated.
base::Result<Agents> make_agents(play::AgentSpec spec,
                                 const std::shared_ptr<const search::Simulator>& engine,
                                 const Options& options) {
  if (!spec.ponder) spec.ponder = !spec.simulations;
  spec.memory_share = options.limits.memory_left() / engine->roles().size();
  Agents agents;
  for (std::size_t role = 0; role < engine->roles().size(); ++role) {
    auto agent = play::make_agent(spec, {engine, role, options.seed + role});
    if (!agent) return tl::unexpected(agent.error());
    agents.push_back(std::move(*agent));
  }
  return agents;
}

base::Result<ExitCode> play_game(const Options& options) {
  const auto spec = play::parse_agent(options.opponent);
  if (!spec) {
    write_message(fmt::format("zermelo: {}\n", spec.error()));
    return ExitCode::usage;
  }
  const auto engine = read_engine(options.path, options.limits);
  if (!engine) return tl::unexpected(engine.error());
  const std::vector<std::string>& roles = (*engine)->roles();
  const auto role =
      options.role.empty() ? roles.begin() : std::find(roles.begin(), roles.end(), options.role);
  if (role == roles.end()) {
    write_message(fmt::format("zermelo: the roles are {}\n", fmt::join(roles, ", ")));
    return ExitCode::usage;
  }
  auto values = open_values(options.values, **engine);
  if (!values) return tl::unexpected(values.error());
  auto agents = make_agents(*spec, *engine, options);
  if (!agents) return tl::unexpected(agents.error());
  const auto person = static_cast<std::size_t>(role - roles.begin());
  Table(**engine, person, std::move(*agents), std::move(*values)).run();
  return ExitCode::success;
}

Action declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  add_game_argument(app, options->path);
  add_text_option(app, "--as", "ROLE", options->role, Presence::optional,
                  "The role you play (default: the first)");
  add_text_option(app, "--against", "SPEC", options->opponent, Presence::optional,
                  "The player of the other roles (default: uct:time=1s)");
  add_text_option(app, "--values", "FOLDER", options->values, Presence::optional,
                  "A stored solution: shows what every move is worth");
  add_seed_option(app, options->seed);
  add_limit_options(app, options->limits);
  return [options] { return play_game(*options); };
}

}  // namespace

const Command play_command = {"play", "Play against the program in the terminal",
                              "zermelo play games/tic_tac_toe.kif --as x", declare};

}  // namespace zermelo::cli
