#include "serve/referee.h"

#include <fmt/format.h>

#include <cassert>
#include <exception>
#include <thread>

#include "base/random.h"
#include "gdl/printer.h"
#include "gdl/term_text.h"
#include "gdl/validity.h"
#include "serve/log_line.h"
#include "serve/message.h"
#include "serve/position.h"
#include "serve/scrambler.h"

namespace zermelo::serve {
namespace {

using Clock = std::chrono::steady_clock;

std::int64_t milliseconds_since_1970() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

class Referee {
 public:
  Referee(const std::shared_ptr<const search::Simulator>& simulator, const gdl::Rulesheet& rules,
          const std::vector<Seat>& seats, const RefereeOptions& options)
      : simulator_(*simulator),
        rules_(rules),
        seats_(seats),
        options_(options),
        position_(simulator),
        random_(options.seed) {
    if (options.scramble) scrambler_.emplace(rules, *options.scramble);
    if (gdl::uses_imperfect_information(rules)) stepper_.emplace(simulator->machine());
    percepts_.resize(seats.size());
  }

  RefereeResult run() {
    open_record();
    send_start();
    while (record_state()) ask_all();
    finish();
    return std::move(result_);
  }

 private:
  play::MatchRecord& record() { return result_.record; }
  void log(std::string text) const { options_.log(log_line(std::move(text))); }

  void open_record() {
    record().match_id = options_.match_id;
    record().game = options_.game_name;
    record().start_time = milliseconds_since_1970();
    record().start_clock = options_.start_clock;
    record().play_clock = options_.play_clock;
    record().roles = simulator_.roles();
    record().scrambled = options_.scramble.has_value();
    for (const Seat& seat : seats_) record().players.push_back(seat ? seat->name : "random");
  }

  // Sends each player its message, all at the same time. Returns the answers by role.
  template <class TextOf>
  std::vector<Answer> send_all(int clock, TextOf text_of) {
    const auto time = std::chrono::seconds(clock) + options_.grace;
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(time);
    std::vector<Answer> answers(seats_.size());
    std::vector<std::jthread> threads;
    for (std::size_t role = 0; role < seats_.size(); ++role) {
      if (!seats_[role]) continue;
      threads.emplace_back([&, role, text = text_of(role)] {
        try {
          answers[role] = post(*seats_[role], text, deadline);
        } catch (const std::exception& problem) {  // out of memory: counts as no answer
          log(fmt::format("{}: {}", seats_[role]->name, problem.what()));
        }
      });
    }
    threads.clear();
    return answers;
  }

  std::string to_players(const std::string& term) const {
    return scrambler_ ? scrambler_->scramble(term) : term;
  }
  std::string from_players(const std::string& term) const {
    return scrambler_ ? scrambler_->unscramble(term) : term;
  }

  void send_start() {
    Message message;
    message.match_id = options_.match_id;
    message.rules =
        scrambler_ ? scrambler_->scrambled_rules() : gdl::print(rules_, gdl::Syntax::prefix);
    message.start_clock = options_.start_clock;
    message.play_clock = options_.play_clock;
    const auto answers = send_all(options_.start_clock, [&](std::size_t role) {
      message.role = to_players(simulator_.roles()[role]);
      return write_start(message);
    });
    record().errors.emplace_back(seats_.size());
    for (std::size_t role = 0; role < seats_.size(); ++role) {
      if (!seats_[role] || gdl::canonical_term(answers[role].body) == "ready") continue;
      ++result_.faults.unprepared;
      record().errors.back()[role] = missing(answers[role]);
      log(fmt::format("{} is not ready", seats_[role]->name));
    }
  }

  // Returns the error code of the record for a missing answer, or "" if there is one.
  static const char* missing(const Answer& answer) {
    switch (answer.kind) {
      case Answer::Kind::late:
        return "TO";
      case Answer::Kind::failed:
        return "CE";
      case Answer::Kind::received:
        break;
    }
    return "";
  }

  // Describes an error code of the record for the log.
  static std::string described(const std::string& error) {
    if (error == "TO") return "late answer";
    if (error == "CE") return "no answer";
    return "illegal move" + error.substr(2);
  }

  // Records the state. Returns false if the match is over.
  bool record_state() {
    record().states.push_back(simulator_.fluent_names(position_.state()));
    record().state_times.push_back(milliseconds_since_1970());
    if (position_.terminal()) {
      record().is_completed = true;
      return false;
    }
    return position_.everybody_can_move() && record().moves.size() < options_.longest &&
           !options_.stop.stop_requested();
  }

  std::string moves_message(Message::Kind kind) const {
    Message message;
    message.kind = kind;
    message.match_id = options_.match_id;
    if (!result_.record.moves.empty()) {
      for (const std::string& move : result_.record.moves.back()) {
        message.moves.push_back(to_players(move));
      }
    }
    return write_moves(message);
  }

  // In a game with hidden information, every player is told its own move and percepts only.
  std::string message_to(std::size_t role, Message::Kind kind) const {
    if (!stepper_) return moves_message(kind);
    Message message;
    message.kind = kind;
    message.match_id = options_.match_id;
    message.turn = static_cast<int>(result_.record.moves.size());
    if (!result_.record.moves.empty())
      message.own_move = to_players(result_.record.moves.back()[role]);
    for (const std::string& percept : percepts_[role])
      message.percepts.push_back(to_players(percept));
    return write_moves(message);
  }

  // What the roles see of a joint move from here.
  void see(std::span<const Move> joint) {
    for (std::size_t role = 0; role < seats_.size(); ++role) {
      percepts_[role].clear();
      for (const base::Percept percept : stepper_->percepts(position_.state(), joint, role))
        percepts_[role].push_back(stepper_->percept_name(percept));
    }
  }

  void ask_all() {
    const auto answers = send_all(options_.play_clock, [&](std::size_t role) {
      return message_to(role, Message::Kind::play);
    });
    std::vector<Move> joint;
    std::vector<std::string> names, errors;
    for (std::size_t role = 0; role < seats_.size(); ++role) {
      std::string error;
      joint.push_back(accept(role, answers[role], error));
      names.push_back(simulator_.move_name(joint.back()));
      if (!error.empty()) {
        log(fmt::format("{}: {} at move {}; played {}", seats_[role]->name, described(error),
                        record().moves.size() + 1, names.back()));
      }
      errors.push_back(std::move(error));
    }
    if (stepper_) see(joint);
    position_.make(std::span<const Move>(joint));
    record().moves.push_back(std::move(names));
    record().errors.push_back(std::move(errors));
  }

  // Returns the player's move, or a random move with `error` set.
  Move accept(std::size_t role, const Answer& answer, std::string& error) {
    if (seats_[role] && answer.kind == Answer::Kind::received) {
      const auto term = gdl::canonical_term(answer.body);
      const std::string name = term ? from_players(*term) : answer.body;
      if (const auto move = position_.find(role, name)) return *move;
      error = "IL " + name.substr(0, 200);
      ++result_.faults.illegal;
    } else if (seats_[role]) {
      error = missing(answer);
      ++(answer.kind == Answer::Kind::late ? result_.faults.late : result_.faults.unreachable);
    }
    const auto legal = position_.legal(role);
    return legal[random_.below(static_cast<std::uint32_t>(legal.size()))];
  }

  void finish() {
    constexpr int stop_clock = 2;  // players answer STOP at once
    send_all(stop_clock, [&](std::size_t role) {
      return record().is_completed ? message_to(role, Message::Kind::stop)
                                   : fmt::format("(ABORT {})", options_.match_id);
    });
    for (std::size_t role = 0; record().is_completed && role < seats_.size(); ++role) {
      record().goals.push_back(position_.goal(role));
    }
  }

  const search::Simulator& simulator_;
  const gdl::Rulesheet& rules_;
  const std::vector<Seat>& seats_;
  const RefereeOptions& options_;
  Position position_;
  base::Random random_;
  std::optional<Scrambler> scrambler_;
  std::optional<machine::Stepper> stepper_;         // if the game has hidden information
  std::vector<std::vector<std::string>> percepts_;  // by role, of the last joint move
  RefereeResult result_;
};

}  // namespace

RefereeResult run_network_match(const std::shared_ptr<const search::Simulator>& simulator,
                                const gdl::Rulesheet& rules, const std::vector<Seat>& seats,
                                const RefereeOptions& options) {
  assert(seats.size() == simulator->roles().size());
  return Referee(simulator, rules, seats, options).run();
}

}  // namespace zermelo::serve
