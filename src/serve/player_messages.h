// A player of the GGP protocol: its answers to the messages of a game manager.
//
//   Player player(options);
//   const auto receive = [&](Arrival arrival) { player.receive(std::move(arrival)); };
//   (*HttpServer::listen({.port = 9147}))->run(message_handler(receive), stop);
//
// It plays one match at a time and answers `busy` to others. Every message is answered, most of
// them at once. The thread of the match answers START and PLAY shortly before their clocks end.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "serve/player_match.h"

namespace zermelo::serve {

class Player {
 public:
  explicit Player(PlayerOptions options);

  // Must be called by one thread. Never blocks.
  void receive(Arrival arrival);
  // Number of matches that were stopped or aborted.
  std::size_t matches_ended() const { return matches_ended_; }

 private:
  bool is_busy() const { return match_ && match_->is_playing(); }
  bool is_about_match(const Message& message) const {
    return is_busy() && match_->id() == message.match_id;
  }
  // A match whose manager has disappeared does not block new matches.
  bool is_available(Clock::time_point now) const { return !is_busy() || match_->is_abandoned(now); }
  std::string info(Clock::time_point now) const;
  void start(Message message, Arrival arrival);
  std::string end_match(const Message& message, const char* answer);
  void retire();
  void remove_ended();

  PlayerOptions options_;
  std::unique_ptr<PlayerMatch> match_;
  std::vector<std::unique_ptr<PlayerMatch>> retired_;  // ended, but a thread still computes
  std::size_t matches_ended_ = 0;
};

}  // namespace zermelo::serve
