// One match from the player's side. It has a thread of its own, besides the threads of its Thinker.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "gdl/term_text.h"
#include "serve/hidden_thinker.h"
#include "serve/message.h"
#include "serve/message_server.h"
#include "serve/thinker.h"

namespace zermelo::serve {

using Seconds = std::chrono::duration<double>;

struct PlayerOptions {
  std::string name = "zermelo";
  unsigned threads = 1;
  std::optional<std::size_t> memory_bytes;        // limit for the process, enforced by the engines
  std::size_t tree_bytes = std::size_t{1} << 30;  // for the search tree
  std::optional<Seconds> max_time;                // per move, if the clock allows more
  Seconds patience{1};  // beyond the clock, before a silent match is abandoned for a new one
  std::uint64_t seed = 1;
  std::function<void(const std::string&)> log = [](const std::string&) {};  // on any thread
};

// Returns how long before the end of a clock the answer is sent.
Seconds safety_margin(Seconds clock);

class PlayerMatch {
 public:
  // Starts a match. The reply to START is `ready`, or `busy` if the rules or the role cannot be
  // played. The options must outlive the match.
  PlayerMatch(Message start, Clock::time_point arrived, Reply reply, const PlayerOptions& options);
  // Joins the threads. Does not block if has_ended().
  ~PlayerMatch();

  const std::string& id() const { return id_; }
  // Returns whether a START asks for this match.
  bool is_started_by(const Message& start) const;
  // Handles a repetition of START, which gets the same answer.
  void start_again(Clock::time_point arrived, Reply reply);
  // Handles a PLAY of this match. The reply is sent before the clock ends: a legal move if one is
  // known, spelled as in the rules.
  void play(Message message, Clock::time_point arrived, Reply reply);
  // Announces that no more messages will arrive. Pending requests are answered soon.
  void end() { thread_.request_stop(); }
  // Returns whether it still answers. Becomes false before the answer `busy` is sent.
  bool is_playing() const { return is_playing_; }
  bool has_ended() const { return has_ended_; }
  // Returns whether no message has arrived for longer than the running clock allows.
  bool is_abandoned(Clock::time_point now) const;

 private:
  struct Turn {
    Message message;
    Clock::time_point arrived;
    Reply reply;
  };

  void run(const std::stop_token& stop);
  void close();
  void release_memory();
  bool start(const std::stop_token& stop);
  void answer_start(const std::string& answer);
  ThinkerOptions thinker_options() const;
  std::optional<Turn> next_turn(const std::stop_token& stop);
  void answer(Turn& turn, const std::stop_token& stop);
  std::string hidden_answer(Turn& turn, const std::stop_token& stop);
  std::shared_ptr<const gdl::Rulesheet> hidden_rules() const;
  Clock::time_point answer_time(Clock::time_point arrived, int clock) const;
  Clock::time_point latest_time(Clock::time_point arrived) const;
  void log(const std::string& text) const;

  const std::string id_;
  const PlayerOptions& options_;
  Message start_;  // its rules are moved to the Thinker
  const std::size_t rules_hash_;
  const Clock::time_point started_;
  Clock::time_point last_answer_;
  std::optional<Thinker> thinker_;
  std::optional<HiddenThinker> hidden_;  // instead, if the game has hidden information
  gdl::Dictionary spellings_;  // of the rules: managers may distinguish moveUp from moveup

  std::atomic<bool> is_playing_ = true;
  std::atomic<bool> has_ended_ = false;
  std::atomic<Clock::time_point> last_message_;
  std::atomic<bool> has_turn_ = false;  // a PLAY has arrived
  std::stop_source start_is_over_;      // requested by the first PLAY
  std::mutex mutex_;                    // guards the members below
  std::vector<Reply> start_replies_;    // to send when START is answered
  std::string start_answer_;            // empty before
  std::condition_variable_any arrived_;
  std::deque<Turn> turns_;
  std::jthread thread_;
};

}  // namespace zermelo::serve
