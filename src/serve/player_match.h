// One match as a player sees it, in a thread of its own, with the thread of its Thinker beside it.
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
#include "serve/http_server.h"
#include "serve/message.h"
#include "serve/thinker.h"

namespace zermelo::serve {

using Seconds = std::chrono::duration<double>;

struct PlayerOptions {
  std::string name = "zermelo";
  unsigned threads = 1;
  std::optional<std::size_t> memory_bytes;        // of the process; the engines keep it
  std::size_t tree_bytes = std::size_t{1} << 30;  // of the search
  std::optional<Seconds> most_time;  // to think about a move, where the clock allows more
  Seconds patience{30};  // beyond its clocks, until a silent match is given up for a new one
  std::uint64_t seed = 1;
  std::function<void(const std::string&)> log = [](const std::string&) {};  // from any thread
};

// How long before the end of a clock the answer is sent.
Seconds safety_margin(Seconds clock);

class PlayerMatch {
 public:
  // Takes a START. It is answered with `ready`, or with `busy` where the rules or the role cannot
  // be played. The options must outlive the match.
  PlayerMatch(Message start, Clock::time_point arrived, Reply reply, const PlayerOptions& options);
  // Waits for the threads; has_ended() tells that this takes no time.
  ~PlayerMatch();

  const std::string& id() const { return id_; }
  // Takes a PLAY of this match. Answered before the clock ends, with a legal move as soon as one is
  // known, in the words of the rules as they were written.
  void play(std::vector<std::string> moves, Clock::time_point arrived, Reply reply);
  // No more messages will come. What is not answered yet is answered soon.
  void end() { thread_.request_stop(); }
  // Whether it still answers; false before the answer `busy` is sent.
  bool is_playing() const { return is_playing_; }
  bool has_ended() const { return has_ended_; }
  // Whether nothing has been heard for longer than the clocks allow.
  bool is_forgotten(Clock::time_point now) const;

 private:
  struct Turn {
    std::vector<std::string> moves;
    Clock::time_point arrived;
    Reply reply;
  };

  void run(const std::stop_token& stop);
  void close();
  void give_back_memory();
  bool start(const std::stop_token& stop);
  ThinkerOptions thinker_options() const;
  std::optional<Turn> next_turn(const std::stop_token& stop);
  void answer(const Turn& turn, const std::stop_token& stop);
  Clock::time_point answer_time(Clock::time_point arrived, int clock) const;
  Clock::time_point latest_time(Clock::time_point arrived) const;
  void log(const std::string& text) const;

  const std::string id_;
  const PlayerOptions& options_;
  Message start_;
  Turn start_turn_;
  Clock::time_point last_answer_;
  std::optional<Thinker> thinker_;
  gdl::Dictionary spellings_;  // of the rules: managers may tell moveUp from moveup

  std::atomic<bool> is_playing_ = true;
  std::atomic<bool> has_ended_ = false;
  std::atomic<Clock::time_point> last_message_;
  std::mutex mutex_;  // of turns_
  std::condition_variable_any arrived_;
  std::deque<Turn> turns_;
  std::jthread thread_;
};

}  // namespace zermelo::serve
