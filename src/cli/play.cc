// play GAME --as ROLE: the user plays against the program in the terminal.
#include "app/play.h"

#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "cli/command.h"
#include "cli/game_input.h"
#include "cli/options.h"
#include "cli/output.h"
#include "play/board.h"

namespace zermelo::cli {
namespace {

struct PlayOptions {
  std::string path;
  std::string role;
  std::string opponent = "uct:time=1s";
  std::string values;
  std::uint64_t seed = 1;
  LimitOptions limits;
};

constexpr const char* help =
    "Type a move or its number. Part of a move lists the moves that contain it.\n"
    "moves: list all; undo: take back; hint: suggest a move; help: this text; quit: end.\n";
constexpr std::size_t max_listed = 20;  // moves listed automatically

std::string trimmed(const std::string& line) {
  constexpr const char* blanks = " \t\r";
  const std::size_t begin = line.find_first_not_of(blanks);
  if (begin == std::string::npos) return "";
  return line.substr(begin, line.find_last_not_of(blanks) + 1 - begin);
}

class Dialogue {
 public:
  explicit Dialogue(play::InteractiveGame& game) : game_(game) {}

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
      write_answer(fmt::format("{}: {}\n", game_.roles()[role], goals[role]));
    }
  }

 private:
  // Reads lines until a move is made or taken back. Returns false at the end of the input and for
  // "quit".
  bool ask() {
    std::string line;
    while (true) {
      write_answer("> ");
      flush_answer();
      if (!std::getline(std::cin, line)) return false;
      line = trimmed(line);
      if (const auto move = game_.find(line)) return make(*move), true;
      if (line == "quit") return false;
      if (line == "undo") {
        if (game_.undo()) return true;
        write_answer("no move to take back\n");
      } else if (line == "moves") {
        list("");
      } else if (line == "help") {
        write_answer(help);
      } else if (line == "hint") {
        write_answer(game_.move_name(game_.hint()) + "\n");
      } else if (!list(line)) {
        write_answer(fmt::format("no move contains \"{}\"; type \"moves\" to list all {}\n", line,
                                 game_.moves().size()));
      }
    }
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
      write_answer(fmt::format("{:>4}  {}{}\n", i + 1, name,
                               value ? fmt::format("  {}", fmt::join(*value, " ")) : ""));
    }
    return found;
  }

  void make(play::Move own) {
    const std::vector<play::Move> joint = game_.make(own);
    std::string text;
    for (std::size_t role = 0; role < joint.size(); ++role) {
      text += fmt::format("{}: {}  ", game_.roles()[role], game_.move_name(joint[role]));
    }
    write_answer(text + "\n");
  }

  void show_state() {
    const std::vector<std::string> fluents = game_.fluents();
    const std::vector<std::string> possible = game_.possible_fluents();
    const auto board = play::draw_board(fluents, possible);
    write_answer(fmt::format("\n{}{}\n", board.value_or(""),
                             fmt::join(play::beside_board(fluents, possible), " ")));
    if (!game_.terminal() && game_.moves().size() <= max_listed) list("");
  }

  play::InteractiveGame& game_;
};

base::Result<ExitCode> play_game(const PlayOptions& options) {
  const auto opponent = app::read_player(options.opponent);
  if (!opponent) return tl::unexpected(opponent.error());
  const auto rules = read_game(options.path, options.limits);
  if (!rules) return tl::unexpected(rules.error());
  auto game = app::start_game(
      {*rules, options.role, *opponent, options.values, options.seed, options.limits});
  if (!game) return tl::unexpected(game.error());
  Dialogue(*game).run();
  if (auto error = game->read_error()) return tl::unexpected(std::move(*error));
  return ExitCode::success;
}

Action declare_play(CLI::App& app) {
  auto options = std::make_shared<PlayOptions>();
  add_game_argument(app, options->path);
  add_text_option(app, "--as", "ROLE", options->role, Presence::optional,
                  "The role you play (default: the first)");
  add_text_option(app, "--against", "SPEC", options->opponent, Presence::optional,
                  "The player of the other roles (default: uct:time=1s)");
  add_text_option(app, "--values", "FOLDER", options->values, Presence::optional,
                  "Folder of a stored solution; shows the value of every move");
  add_seed_option(app, options->seed);
  add_limit_options(app, options->limits);
  return [options] { return play_game(*options); };
}

}  // namespace

const Command play_command = {"play", "Play against the program in the terminal",
                              "zermelo play games/tic_tac_toe.kif --as x", declare_play};

}  // namespace zermelo::cli
