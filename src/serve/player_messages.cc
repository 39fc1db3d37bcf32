#include "serve/player_messages.h"

#include <fmt/format.h>

#include "serve/log_line.h"

namespace zermelo::serve {
namespace {

// New matches are refused while this many ended matches are still computing.
constexpr std::size_t max_retired = 16;

}  // namespace

Player::Player(PlayerOptions options) : options_(std::move(options)) {
  options_.log = [log = std::move(options_.log)](const std::string& text) { log(log_line(text)); };
}

void Player::receive(Arrival arrival) {
  using Kind = Message::Kind;
  remove_ended();
  auto message = parse_message(arrival.body);
  arrival.body = {};
  if (!message) return arrival.reply("error");
  switch (message->kind) {
    case Kind::info:
      return arrival.reply(info(arrival.time));
    case Kind::ping:
      return arrival.reply(is_available(arrival.time) ? "ready" : "busy");
    case Kind::preview:
      return arrival.reply("ready");
    case Kind::start:
      return start(std::move(*message), std::move(arrival));
    case Kind::play:
      if (!is_about_match(*message)) return arrival.reply("busy");
      return match_->play(std::move(*message), arrival.time, std::move(arrival.reply));
    case Kind::stop:
      return arrival.reply(end_match(*message, "done"));
    case Kind::abort:
      return arrival.reply(end_match(*message, "aborted"));
  }
}

std::string Player::info(Clock::time_point now) const {
  return fmt::format("((name {}) (status {}) (species alien))", options_.name,
                     is_available(now) ? "available" : "busy");
}

void Player::start(Message message, Arrival arrival) {
  if (is_busy() && match_->is_started_by(message) && !match_->is_abandoned(arrival.time))
    return match_->start_again(arrival.time, std::move(arrival.reply));
  if (!is_available(arrival.time) || retired_.size() >= max_retired) return arrival.reply("busy");
  if (is_busy()) {
    options_.log(fmt::format("match {}: abandoned, its manager sends no messages", match_->id()));
  }
  retire();
  options_.log(fmt::format("match {}: start clock {} s, play clock {} s", message.match_id,
                           message.start_clock, message.play_clock));
  match_ = std::make_unique<PlayerMatch>(std::move(message), arrival.time, std::move(arrival.reply),
                                         options_);
}

std::string Player::end_match(const Message& message, const char* answer) {
  if (!is_about_match(message)) return "busy";
  options_.log(fmt::format("match {}: {}", match_->id(), answer));
  ++matches_ended_;
  retire();
  return answer;
}

void Player::retire() {
  if (!match_) return;
  match_->end();
  retired_.push_back(std::move(match_));
  remove_ended();
}

void Player::remove_ended() {
  std::erase_if(retired_, [](const auto& match) { return match->has_ended(); });
}

}  // namespace zermelo::serve
