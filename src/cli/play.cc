// play GAME --as ROLE: the user plays against the program in the terminal.
#include "app/play.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "app/write_file.h"
#include "cli/command.h"
#include "cli/game_input.h"
#include "cli/line_reader.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/style.h"
#include "gdl/validity.h"
#include "play/board.h"

namespace zermelo::cli {
namespace {

struct PlayOptions {
  std::string path;
  std::string role;
  std::string opponent = "auto:time=1s";
  std::string values;
  std::string record;  // a file; empty: none
  std::uint64_t seed = 1;
  LimitOptions limits;
  std::vector<std::string> allow;  // NAME=PATH
};

constexpr const char* help =
    "Type a move or its number. Part of a move lists the moves that contain it.\n"
    "moves: list all; undo: take back; hint: suggest a move; save FILE: write a match record;\n"
    "help: this text; quit: end.\n";
const std::vector<std::string> dialogue_commands = {"moves", "undo", "hint",
                                                    "save ", "help", "quit"};
constexpr std::size_t max_listed = 20;  // moves listed automatically

void name_record(play::MatchRecord& record, const PlayOptions& options) {
  record.match_id = fmt::format("zermelo.play.{}", options.seed);
  record.game = std::filesystem::path(options.path).filename().string();
}

// Writes the game so far as a record that `replay` reads.
base::Result<void> save_record(play::InteractiveGame& game, const PlayOptions& options,
                               const std::string& file) {
  std::vector<std::string> players;
  for (std::size_t role = 0; role < game.roles().size(); ++role) {
    players.push_back(role == game.person() ? "person" : options.opponent);
  }
  play::MatchRecord record = game.record(std::move(players));
  name_record(record, options);
  return app::write_file(file, play::to_json(record));
}

class Dialogue {
 public:
  Dialogue(play::InteractiveGame& game, const PlayOptions& options)
      : game_(game),
        options_(options),
        lines_("> ", paint_.coloured(),
               [this](const std::string& typed) { return completions(typed); }) {}

  // Ends early if stored values cannot be read.
  void run() {
    write_answer(help);
    while (!game_.terminal() && !game_.read_error()) {
      if (const auto role = game_.role_without_move()) {
        write_answer(fmt::format("{} has no legal move: the game cannot continue\n", *role));
        return;
      }
      if (game_.moves().size() == 1) {
        make(game_.moves().front());
        continue;
      }
      show_state();
      game_.ponder();
      if (game_.read_error() || !ask()) return;
    }
    if (game_.read_error()) return;
    show_state();
    const std::vector<int> goals = game_.goals();
    for (std::size_t role = 0; role < goals.size(); ++role) {
      write_answer(fmt::format("{}: {}\n", paint_(Style::bold, game_.roles()[role]),
                               paint_(Style::bold, std::to_string(goals[role]))));
    }
  }

 private:
  // Reads lines until a move is made or taken back. Returns false at the end of the input and for
  // "quit".
  bool ask() {
    while (const auto line = lines_.next()) {
      if (const auto move = game_.find(*line)) return make(*move), true;
      if (*line == "quit") return false;
      if (*line == "undo" && game_.undo()) return true;
      answer(*line);
    }
    return false;
  }

  // Lines that leave the game as it is.
  void answer(const std::string& line) {
    if (line == "undo") return complain("no move to take back");
    if (line == "help") return write_answer(help);
    if (line == "hint") return write_answer(game_.move_name(game_.hint()) + "\n");
    if (line == "save") return complain("name a file: save FILE");
    if (line.rfind("save ", 0) == 0) return save(line.substr(line.find_last_of(' ') + 1));
    if (list(line == "moves" ? "" : line)) return;
    complain(fmt::format("no move contains \"{}\"; type \"moves\" to list all {}", line,
                         game_.moves().size()));
  }

  void complain(const std::string& problem) { write_answer(paint_(Style::yellow, problem) + "\n"); }

  void save(const std::string& file) {
    const auto saved = save_record(game_, options_, file);
    if (!saved) return complain(saved.error().message);
    write_answer(fmt::format("saved; `zermelo replay {} {}` shows it\n", file, options_.path));
  }

  std::vector<std::string> completions(const std::string& typed) const {
    std::vector<std::string> found;
    const auto add = [&](const std::string& text) {
      if (text.rfind(typed, 0) == 0) found.push_back(text);
    };
    for (const play::Move move : game_.moves()) add(game_.move_name(move));
    for (const std::string& command : dialogue_commands) add(command);
    return found;
  }

  // Lists the moves that contain the text. Returns false if there are none.
  bool list(const std::string& part) {
    bool found = false;
    for (std::size_t i = 0; i < game_.moves().size(); ++i) {
      const play::Move move = game_.moves()[i];
      const std::string name = game_.move_name(move);
      if (name.find(part) == std::string::npos) continue;
      found = true;
      const auto value = game_.value_after(move);
      const std::string shown = value ? fmt::format("  {}", fmt::join(*value, " ")) : "";
      write_answer(fmt::format("{}  {}{}\n", paint_(Style::dim, fmt::format("{:>4}", i + 1)), name,
                               paint_(Style::green, shown)));
    }
    return found;
  }

  void make(play::Move own) {
    const std::vector<play::Move> joint = game_.make(own);
    std::string text;
    for (std::size_t role = 0; role < joint.size(); ++role) {
      text += fmt::format("{}: {}  ", paint_(Style::bold, game_.roles()[role]),
                          game_.move_name(joint[role]));
    }
    write_answer(text + "\n");
  }

  void show_state() {
    const analysis::Picture picture = game_.picture();
    const auto beside = fmt::format("{}", fmt::join(play::beside_boards(picture), " "));
    write_answer(fmt::format("\n{}{}\n", paint_.board(play::boards_as_text(picture)),
                             paint_(Style::dim, beside)));
    if (!game_.terminal() && game_.moves().size() <= max_listed) list("");
  }

  play::InteractiveGame& game_;
  const PlayOptions& options_;
  Painter paint_;
  LineReader lines_;
};

// Plays a game with hidden information: shows what the person's role sees, and nothing else.
class HiddenDialogue {
 public:
  explicit HiddenDialogue(play::HiddenGame& game)
      : game_(game), lines_("> ", paint_.coloured(), [](const std::string&) {
          return std::vector<std::string>();
        }) {}

  void run() {
    write_answer(fmt::format("You are {}. {}", paint_(Style::bold, game_.role()), hidden_help));
    while (!game_.terminal()) {
      if (game_.is_stuck()) {
        write_answer("a role has no legal move: the game cannot continue\n");
        return;
      }
      if (game_.moves().size() == 1) {
        make(game_.moves().front());
      } else if (!ask()) {
        return;
      }
    }
    write_answer(fmt::format("{}: {}\n", paint_(Style::bold, game_.role()),
                             paint_(Style::bold, std::to_string(game_.goal()))));
  }

 private:
  static constexpr const char* hidden_help =
      "You see only what this role sees. Type a move or its number.\n"
      "moves: list all; hint: suggest a move; help: this text; quit: end.\n";

  // Returns false at the end of the input and for "quit".
  bool ask() {
    list();
    while (const auto line = lines_.next()) {
      if (const auto move = game_.find(*line)) return make(*move), true;
      if (*line == "quit") return false;
      if (*line == "hint") {
        write_answer(game_.move_name(game_.hint()) + "\n");
      } else if (*line == "help") {
        write_answer(hidden_help);
      } else if (*line == "moves") {
        list();
      } else {
        write_answer(paint_(Style::yellow, "no such move; type \"moves\" to list all") + "\n");
      }
    }
    return false;
  }

  void list() {
    for (std::size_t i = 0; i < game_.moves().size(); ++i) {
      write_answer(fmt::format("{}  {}\n", paint_(Style::dim, fmt::format("{:>4}", i + 1)),
                               game_.move_name(game_.moves()[i])));
    }
  }

  void make(play::Move move) {
    if (game_.moves().size() > 1)
      write_answer(
          fmt::format("{}: {}\n", paint_(Style::bold, game_.role()), game_.move_name(move)));
    const std::vector<std::string> seen = game_.make_move(move);
    if (!seen.empty()) write_answer(fmt::format("you see {}\n", fmt::join(seen, " ")));
  }

  play::HiddenGame& game_;
  Painter paint_;
  LineReader lines_;
};

// A record is written only after the end, because it shows what the person may not know before.
base::Result<ExitCode> play_hidden_game(const PlayOptions& options,
                                        const app::PlayRequest& request) {
  auto game = app::start_hidden_game(request);
  if (!game) return tl::unexpected(game.error());
  HiddenDialogue(*game).run();
  if (options.record.empty() || !game->terminal()) return ExitCode::success;
  play::MatchRecord record = game->record(options.opponent);
  name_record(record, options);
  const auto saved = app::write_file(options.record, play::to_json(record));
  if (!saved) return tl::unexpected(saved.error());
  return ExitCode::success;
}

base::Result<ExitCode> play_game(const PlayOptions& options) {
  const auto opponent = app::read_player(options.opponent);
  if (!opponent) return tl::unexpected(opponent.error());
  const auto rules = read_game(options.path, options.limits, options.allow);
  if (!rules) return tl::unexpected(rules.error());
  const app::PlayRequest request{*rules,         options.role, *opponent,
                                 options.values, options.seed, options.limits};
  if (gdl::uses_imperfect_information(**rules)) return play_hidden_game(options, request);
  auto game = app::start_game(request);
  if (!game) return tl::unexpected(game.error());
  Dialogue(*game, options).run();
  if (auto error = game->read_error()) return tl::unexpected(std::move(*error));
  if (options.record.empty()) return ExitCode::success;
  const auto saved = save_record(*game, options, options.record);
  if (!saved) return tl::unexpected(saved.error());
  return ExitCode::success;
}

Action declare_play(CLI::App& app) {
  auto options = std::make_shared<PlayOptions>();
  add_game_argument(app, options->path);
  add_allow_option(app, options->allow);
  add_text_option(app, "--as", "ROLE", options->role, Presence::optional,
                  "The role you play (default: the first)");
  add_text_option(app, "--against", "SPEC", options->opponent, Presence::optional,
                  "The player of the other roles (default: auto:time=1s)");
  add_text_option(app, "--values", "FOLDER", options->values, Presence::optional,
                  "Folder of a stored solution; shows the value of every move");
  add_text_option(app, "--record", "FILE", options->record, Presence::optional,
                  "Write a match record of the game at its end, for replay");
  add_seed_option(app, options->seed);
  add_limit_options(app, options->limits);
  return [options] { return play_game(*options); };
}

}  // namespace

const Command play_command = {"play", "Play against the program in the terminal",
                              "zermelo play games/tic_tac_toe.kif --as x", declare_play};

}  // namespace zermelo::cli
