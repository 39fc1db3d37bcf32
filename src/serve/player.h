// A player of the GGP protocol: what it answers to each message of a game manager.
//
//   Player player(options);
//   (*HttpServer::listen({.port = 9147}))->run([&](Arrival a) { player.receive(std::move(a)); },
//   stop);
//
// It plays one match at a time and is `busy` for others. Every message is answered, most at once;
// START and PLAY when their clock comes near its end, by the thread of the match.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "serve/player_match.h"

namespace zermelo::serve {

class Player {
 public:
  explicit Player(PlayerOptions options);

  // Must be called by one thread. Never waits.
  void receive(Arrival arrival);
  // Matches that were stopped or aborted.
  std::size_t matches_ended() const { return matches_ended_; }

 private:
  bool is_busy() const { return match_ && match_->is_playing(); }
  bool is_about_match(const Message& message) const {
    return is_busy() && match_->id() == message.match_id;
  }
  // A match whose manager is gone keeps nobody waiting.
  bool is_available(Clock::time_point now) const { return !is_busy() || match_->is_forgotten(now); }
  std::string info(Clock::time_point now) const;
  void start(Message message, Arrival arrival);
  std::string end_match(const Message& message, const char* answer);
  void retire();
  void forget_ended();

  PlayerOptions options_;
  std::unique_ptr<PlayerMatch> match_;
  std::vector<std::unique_ptr<PlayerMatch>>
      retired_;  // ended, but for a thread that still computes
  std::size_t matches_ended_ = 0;
};

}  // namespace zermelo::serve
