#include "serve/message.h"

#include <fmt/format.h>

#include <charconv>

#include "gdl/term_text.h"

namespace zermelo::serve {
namespace {

constexpr int max_clock = 1'000'000;
constexpr std::size_t max_id_length = 256;

// Returns the text between the parentheses of a list.
std::string_view inside(std::string_view list) { return list.substr(1, list.size() - 2); }
bool is_list(std::string_view item) { return item.front() == '('; }

std::optional<int> clock_of(std::string_view word) {
  int clock = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), clock);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  if (clock < 0 || clock > max_clock) return std::nullopt;
  return clock;
}

using gdl::canonical_term;
using gdl::items_of;
using Items = std::vector<std::string_view>;

// Requires a second item.
bool read_id(const Items& items, Message& message) {
  if (is_list(items[1]) || items[1].size() > max_id_length) return false;
  message.match_id = items[1];
  return true;
}

bool read_start(const Items& items, Message& message) {
  if (items.size() < 6 || !read_id(items, message) || !is_list(items[3])) return false;
  const auto role = canonical_term(items[2]);
  const auto start_clock = clock_of(items[4]);
  const auto play_clock = clock_of(items[5]);
  if (!role || !start_clock || !play_clock) return false;
  message.role = *role;
  message.rules = inside(items[3]);
  message.start_clock = *start_clock;
  message.play_clock = *play_clock;
  return true;
}

bool read_preview(const Items& items, Message&) {
  const bool has_clock = items.size() == 3 && clock_of(items[2]);
  return (has_clock || items.size() == 2) && is_list(items[1]);
}

// A list of terms, or NIL.
bool read_terms(std::string_view item, std::vector<std::string>& terms) {
  if (!is_list(item)) return canonical_term(item) == "nil";
  const auto items = items_of(inside(item), item.size());
  if (!items) return false;
  for (const std::string_view one : *items) {
    const auto term = canonical_term(one);
    if (!term) return false;
    terms.push_back(*term);
  }
  return true;
}

bool read_percepts(const Items& items, Message& message) {
  constexpr int max_turn = 1'000'000;
  int turn = 0;
  const auto [end, error] =
      std::from_chars(items[2].data(), items[2].data() + items[2].size(), turn);
  if (error != std::errc() || end != items[2].data() + items[2].size()) return false;
  const auto move = canonical_term(items[3]);
  if (!move || turn < 0 || turn > max_turn) return false;
  message.turn = turn;
  message.own_move = *move == "nil" ? "" : *move;
  return read_terms(items[4], message.percepts);
}

bool read_moves(const Items& items, Message& message) {
  if (items.size() == 5) return read_id(items, message) && read_percepts(items, message);
  return items.size() == 3 && read_id(items, message) && read_terms(items[2], message.moves);
}

struct Keyword {
  std::string_view word;
  Message::Kind kind;
  bool (*read)(const Items& items, Message& message);
};

bool read_nothing(const Items& items, Message&) { return items.size() == 1; }
bool read_id_alone(const Items& items, Message& message) {
  return items.size() == 2 && read_id(items, message);
}

constexpr Keyword keywords[] = {
    {"info", Message::Kind::info, read_nothing},       {"ping", Message::Kind::ping, read_nothing},
    {"preview", Message::Kind::preview, read_preview}, {"start", Message::Kind::start, read_start},
    {"play", Message::Kind::play, read_moves},         {"stop", Message::Kind::stop, read_moves},
    {"abort", Message::Kind::abort, read_id_alone}};

// Returns the items of the message. Parentheses around a single word are optional.
std::optional<Items> message_items(std::string_view text) {
  constexpr std::size_t max_items = 16;
  const auto outer = items_of(text, 1);
  if (!outer || outer->empty()) return std::nullopt;
  if (!is_list(outer->front())) return outer;
  return items_of(inside(outer->front()), max_items);
}

}  // namespace

base::Result<Message> parse_message(std::string_view text) {
  const auto items = message_items(text);
  const bool has_word = items && !items->empty() && !is_list(items->front());
  const auto word = has_word ? canonical_term(items->front()) : std::nullopt;
  for (const Keyword& keyword : keywords) {
    Message message;
    message.kind = keyword.kind;
    if (word == keyword.word && keyword.read(*items, message)) return message;
  }
  return base::fail(base::ErrorKind::unreadable_input, "not a message of the GGP protocol");
}

std::string write_start(const Message& message) {
  return fmt::format("(START {} {} ({}) {} {})", message.match_id, message.role, message.rules,
                     message.start_clock, message.play_clock);
}

std::string write_moves(const Message& message) {
  const char* keyword = message.kind == Message::Kind::play ? "PLAY" : "STOP";
  if (message.turn && message.own_move.empty())
    return fmt::format("({} {} {} NIL NIL)", keyword, message.match_id, *message.turn);
  if (message.turn) {
    return fmt::format("({} {} {} {} ({}))", keyword, message.match_id, *message.turn,
                       message.own_move, fmt::join(message.percepts, " "));
  }
  if (message.moves.empty()) return fmt::format("({} {} NIL)", keyword, message.match_id);
  return fmt::format("({} {} ({}))", keyword, message.match_id, fmt::join(message.moves, " "));
}

}  // namespace zermelo::serve
