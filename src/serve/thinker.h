// Follows a match and searches in threads of its own. It can be asked for its move at any time.
//
//   Thinker thinker(rules, role, {});
//   thinker.observe({}, false);  // a PLAY
//   std::string move = thinker.move(deadline, latest, stop);
//   thinker.ponder(move);
//
// It plays on the reference engine until a second thread has compiled the game, then on the
// compiled game, and finally with bit-sliced playouts. A move is available as soon as the legal
// moves are known: first the first one by name, then better ones from flat Monte Carlo on the
// reference engine, then from the kind of player that suits the game (play/auto_choice.h): UCT,
// alpha-beta, the planner in a game of one role, or the values of a solved game. In a game of
// several roles whose subgames decide its values, UCT has exact values. No call blocks longer than
// its deadline.
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

#include "eval/state_values.h"
#include "play/agent.h"
#include "search/alpha_beta.h"
#include "search/planner/planner.h"
#include "search/uct.h"
#include "serve/position.h"
#include "serve/sampling.h"

namespace zermelo::serve {

using Clock = std::chrono::steady_clock;

// The answer when there is no legal move: after the end, or before any is known.
inline constexpr const char* no_move = "nil";

struct ThinkerOptions {
  unsigned threads = 1;
  std::optional<std::size_t> memory_bytes;  // limit for the process, enforced by the engines
  std::size_t tree_bytes = std::size_t{1} << 30;
  std::chrono::duration<double> preparation{10};      // for compiling the game
  std::chrono::duration<double> max_search_time{60};  // per state
  Clock::time_point decision{};                       // until then kinds of players may be compared
  std::uint64_t seed = 1;
  std::function<void(const std::string&)> log = [](const std::string&) {};  // on any thread
};

class Thinker {
 public:
  // Accepts any rules and any role; problem() reports what is wrong with them.
  Thinker(std::string rules, std::string role, ThinkerOptions options);
  // Cancels the threads and joins them.
  ~Thinker();

  // Waits until the best move is proved, there is a problem, or the deadline has passed.
  void wait(Clock::time_point deadline, const std::stop_token& stop);
  // Returns why the match cannot be played; empty if no reason is known.
  std::string problem() const;
  // Returns whether the compiled game is available.
  bool is_grounded() const;

  // Adds the moves that were made, by role; empty for none. Illegal moves are ignored. Moves that
  // equal the last ones count as a repetition of the message, which gets the same answer, if
  // may_be_repeated or if they do not contain the move that was answered.
  void observe(std::vector<std::string> moves, bool may_be_repeated);
  // Returns the move for the state after all observed moves. Returns at the deadline, or earlier if
  // the move is forced or proved. Waits until `latest` if the state is not known yet.
  std::string move(Clock::time_point deadline, Clock::time_point latest,
                   const std::stop_token& stop);
  // Reports that the move was answered. The search moves on to the next state if the other roles
  // have no choice.
  void ponder(const std::string& move);

 private:
  using Simulator = std::shared_ptr<const search::Simulator>;
  using Values = std::shared_ptr<const eval::StateValues>;

  struct Observation {
    std::vector<std::string> moves;
    bool may_be_repeated;
  };
  struct Decision {
    std::string move = no_move;
    bool is_forced = false;  // no other legal move
    bool is_proved = false;
    std::uint64_t visits = 0;  // in the search tree
  };

  // Limits of the current work of the reference engine and the search.
  struct Work {
    std::stop_token end;
    Clock::time_point latest = Clock::time_point::max();

    bool is_over() const { return end.stop_requested() || Clock::now() >= latest; }
  };

  void run(std::string rules);
  void ground();
  void offer(Simulator simulator);
  void offer(Values values);
  void refuse(const std::string& problem);
  void wake();

  void play();
  std::stop_token reset_wakeup();
  void switch_simulator();
  base::Result<Simulator> make_reference();
  void start_on(Simulator simulator);
  void discard_reference();
  void discard_search();
  bool process_next();
  bool is_repetition(const Observation& observation) const;
  void clear_answer();
  void advance(const Observation& observation);
  Decision first_decision(Position& position) const;
  Decision decision_for(Position& position);
  void publish(Decision decision);
  void publish_if_better(const std::optional<Decision>& decision);

  void think();
  bool is_engine_final() const;
  void choose_kind();
  std::optional<search::State> ponder_state();
  void sample();
  void search(const search::State& state, bool is_pondering);
  void make_uct();
  bool has_values() const;
  std::optional<Decision> decision_of_tree(bool is_proved);
  bool search_alpha_beta(const search::State& state, bool is_pondering);
  void play_perfectly(const search::State& state);
  void plan(const search::State& state, bool is_pondering);
  std::optional<Decision> decision_of_plan() const;

  const std::string role_name_;
  const ThinkerOptions options_;
  std::stop_source stop_;              // for both threads
  std::stop_source better_simulator_;  // requested once there is a better engine than the reference

  std::shared_ptr<const gdl::Rulesheet> rules_;  // set by the match thread, constant afterwards
  // Used by the match thread only.
  std::size_t role_ = 0;
  base::Random random_;
  Simulator simulator_;               // engine of the position
  std::optional<Position> position_;  // none before there is an engine, and after one was discarded
  std::vector<std::vector<std::string>> history_;
  bool has_decision_ = false;            // for the state after history_
  std::optional<Sampling> sampling_;     // for the position
  std::optional<play::AgentSpec> kind_;  // of player, once it is decided
  std::unique_ptr<search::Uct> uct_;
  Values tree_values_;                                 // with which uct_ was made
  std::optional<search::AlphaBeta> alpha_beta_;        // if that is the kind
  std::unique_ptr<search::planner::Planner> planner_;  // for games of one role, instead
  Work work_;

  mutable std::mutex mutex_;  // guards the members below
  std::condition_variable_any changed_;
  std::string problem_;
  Simulator ground_;                  // best available form of the compiled game
  bool is_grounding_done_ = false;    // no better one will follow
  Values values_;                     // from the subgames; null: none
  std::stop_source wakeup_;           // requested when there is something to process
  std::deque<Observation> observed_;  // messages not processed yet
  Decision decision_;                 // for the state after all processed messages
  std::string answered_;              // the move in that state, once it was answered
  bool is_over_ = false;              // the match thread has ended

  std::jthread grounding_;
  std::jthread thread_;
};

}  // namespace zermelo::serve
