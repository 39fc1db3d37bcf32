// Follows a match and thinks about it, in a thread of its own; can be asked for its move at any
// moment.
//
//   Thinker thinker(rules, role, {});
//   thinker.take_up({}, false);  // a PLAY
//   std::string move = thinker.move(deadline, latest, stop);
//   thinker.think_ahead(move);
//
// It reads the rules and plays on the reference engine until a second thread has the compiled game,
// and later the one with playouts in lanes: each engine takes the place of the one before. There is
// a move as soon as the legal ones are known, the first by name; random games on the reference
// engine, then the search, find better ones. Nothing of this is ever waited for longer than asked.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "search/uct.h"
#include "serve/position.h"
#include "serve/sampling.h"

namespace zermelo::serve {

using Clock = std::chrono::steady_clock;

// What is answered when there is no legal move: after the end, or before one is known.
inline constexpr const char* no_move = "nil";

struct ThinkerOptions {
  unsigned threads = 1;
  std::optional<std::size_t> memory_bytes;  // of the process; the engines keep it
  std::size_t tree_bytes = std::size_t{1} << 30;
  std::chrono::duration<double> preparation{10};      // for making the compiled game
  std::chrono::duration<double> longest_thought{60};  // about one state
  std::uint64_t seed = 1;
  std::function<void(const std::string&)> log = [](const std::string&) {};  // from any thread
};

class Thinker {
 public:
  // Takes any text as rules and any role; problem() tells what is wrong with them.
  Thinker(std::string rules, std::string role, ThinkerOptions options);
  // Waits for the threads, which give up what they do.
  ~Thinker();

  // Until the best move is proved, there is a problem, or the time is over.
  void wait(Clock::time_point deadline, const std::stop_token& stop);
  // Why the match cannot be played; empty as long as it seems it can.
  std::string problem() const;
  // Whether the compiled game is there.
  bool is_grounded() const;

  // The moves that were made, by role; empty for none. Moves that are not legal are ignored; the
  // last ones again, where that may be a mere repetition, are answered with the same move again.
  void take_up(std::vector<std::string> moves, bool may_be_repeated);
  // The move for the state after all that was told: at the deadline, or earlier where there is no
  // choice or the best is proved; later, up to `latest`, where the state is not known yet.
  std::string move(Clock::time_point deadline, Clock::time_point latest,
                   const std::stop_token& stop);
  // The move was answered: what follows is thought about, where the others have no choice.
  void think_ahead(const std::string& move);

 private:
  using Simulator = std::shared_ptr<const search::Simulator>;

  struct Told {
    std::vector<std::string> moves;
    bool may_be_repeated;
  };
  struct Opinion {
    std::string move = no_move;
    bool is_forced = false;  // there is no choice
    bool is_proved = false;
    std::uint64_t visits = 0;  // in the tree behind it
  };

  // How long the reference engine and the search may go on with what they do.
  struct Work {
    std::stop_token end;
    Clock::time_point latest = Clock::time_point::max();

    bool is_over() const { return end.stop_requested() || Clock::now() >= latest; }
  };

  void run(std::string rules);
  void ground();
  void offer(Simulator simulator);
  void refuse(const std::string& problem);
  void tell();

  void play();
  std::stop_token renew_news();
  void take_up_simulator();
  base::Result<Simulator> make_reference();
  void start_on(Simulator simulator);
  void give_up_reference();
  void forget_thoughts();
  bool take_up_next();
  bool is_repetition(const Told& told) const;
  void forget_answer();
  void advance(const Told& told);
  Opinion first_opinion(Position& position) const;
  Opinion opinion_on(Position& position);
  void publish(Opinion opinion);
  void publish_if_better(const std::optional<Opinion>& opinion);

  void think();
  std::optional<search::State> state_ahead();
  void sample();
  void search(const search::State& state, bool is_ahead);
  std::optional<Opinion> opinion_of_tree(bool is_proved);

  const std::string role_name_;
  const ThinkerOptions options_;
  std::stop_source stop_;              // of both threads
  std::stop_source better_simulator_;  // than the reference engine: it is there

  std::shared_ptr<const gdl::Rulesheet> rules_;  // of the thread, and not changed later
  // Of the thread alone.
  std::size_t role_ = 0;
  base::Random random_;
  Simulator simulator_;               // of the position
  std::optional<Position> position_;  // none before there is an engine, and when one was given up
  std::vector<std::vector<std::string>> history_;
  bool has_opinion_ = false;          // on the state after it
  std::optional<Sampling> sampling_;  // on the position
  std::unique_ptr<search::Uct> uct_;
  Work work_;

  mutable std::mutex mutex_;  // of all that follows
  std::condition_variable_any changed_;
  std::string problem_;
  Simulator ground_;             // the best there is of the compiled game
  bool is_ground_over_ = false;  // no other will come
  std::stop_source news_;        // there is something for the thread to take up
  std::deque<Told> told_;        // and not taken up yet
  Opinion opinion_;              // on the state after all that was taken up
  std::string answered_;         // the move in that state, once it was answered
  bool is_over_ = false;         // the thread does nothing more

  std::jthread grounding_;
  std::jthread thread_;
};

}  // namespace zermelo::serve
