#include "serve/message.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace zermelo::serve {
namespace {

constexpr int max_clock = 1'000'000;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f'; }

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return result;
}

// Goes through the words and parentheses of a text.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  // A parenthesis or a word; empty at the end.
  std::string_view next() {
    skip();
    const std::size_t begin = at_;
    if (at_ == text_.size()) return {};
    ++at_;
    if (text_[begin] == '(' || text_[begin] == ')') return text_.substr(begin, 1);
    while (at_ < text_.size() && !ends_word(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  // A word or a list with everything in it; nothing at the end or where a list is not whole.
  std::optional<std::string_view> item() {
    skip();
    const std::size_t begin = at_;
    std::size_t open = 0;
    do {
      const std::string_view token = next();
      if (token.empty() || (token == ")" && open == 0)) return std::nullopt;
      if (token == "(") ++open;
      if (token == ")") --open;
    } while (open > 0);
    return text_.substr(begin, at_ - begin);
  }

  bool at_end() {
    skip();
    return at_ == text_.size();
  }

 private:
  static bool ends_word(char c) { return is_blank(c) || c == '(' || c == ')' || c == ';'; }

  void skip() {
    while (at_ < text_.size() && (is_blank(text_[at_]) || text_[at_] == ';')) {
      at_ = text_[at_] == ';' ? std::min(text_.find('\n', at_), text_.size()) : at_ + 1;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// Writes a term token by token. A list of one word is that word, as for the parser of rules.
class TermWriter {
 public:
  // False where the token cannot stand there.
  bool add(std::string_view token) {
    if (token == ")") return close();
    if (open_.back().parts++ > 0) text_ += ' ';
    if (token == "(") return open();
    text_ += lower_case(token);
    return true;
  }

  std::optional<std::string> finish() {
    if (open_.size() != 1 || open_.back().parts != 1) return std::nullopt;
    return std::move(text_);
  }

 private:
  static constexpr std::size_t max_nesting = 200;

  struct List {
    std::size_t begin = 0;
    std::size_t parts = 0;
  };

  bool open() {
    const bool is_name = open_.size() > 1 && open_.back().parts == 1;
    if (is_name || open_.size() > max_nesting) return false;
    open_.push_back({text_.size(), 0});
    text_ += '(';
    return true;
  }

  bool close() {
    const List list = open_.back();
    open_.pop_back();
    if (open_.empty() || list.parts == 0) return false;
    if (list.parts == 1) {
      text_.erase(list.begin, 1);
    } else {
      text_ += ')';
    }
    return true;
  }

  std::vector<List> open_ = {List()};  // the first is around the whole
  std::string text_;
};

// What stands between the parentheses of a list.
std::string_view inside(std::string_view list) { return list.substr(1, list.size() - 2); }
bool is_list(std::string_view item) { return item.front() == '('; }

// At most `most` items; nothing where there are more or one is not whole.
std::optional<std::vector<std::string_view>> items_of(std::string_view text, std::size_t most) {
  Scanner scanner(text);
  std::vector<std::string_view> items;
  while (!scanner.at_end()) {
    const auto item = scanner.item();
    if (!item || items.size() == most) return std::nullopt;
    items.push_back(*item);
  }
  return items;
}

std::optional<int> clock_of(std::string_view word) {
  int clock = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), clock);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  if (clock < 0 || clock > max_clock) return std::nullopt;
  return clock;
}

using Items = std::vector<std::string_view>;

bool read_id(const Items& items, std::size_t count, Message& message) {
  if (items.size() != count || is_list(items[1])) return false;
  message.match_id = items[1];
  return true;
}

bool read_start(const Items& items, Message& message) {
  if (!read_id(items, 6, message) || !is_list(items[3])) return false;
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

bool read_preview(const Items& items, Message& message) {
  if (items.size() != 3 || !is_list(items[1]) || !clock_of(items[2])) return false;
  message.rules = inside(items[1]);
  return true;
}

bool read_moves(const Items& items, Message& message) {
  constexpr std::size_t most_roles = 1000;
  if (!read_id(items, 3, message)) return false;
  if (!is_list(items[2])) return lower_case(items[2]) == "nil";
  const auto moves = items_of(inside(items[2]), most_roles);
  if (!moves) return false;
  for (const std::string_view move : *moves) {
    const auto term = canonical_term(move);
    if (!term) return false;
    message.moves.push_back(*term);
  }
  return true;
}

struct Keyword {
  std::string_view word;
  Message::Kind kind;
  bool (*read)(const Items& items, Message& message);
};

bool read_nothing(const Items& items, Message&) { return items.size() == 1; }
bool read_id_alone(const Items& items, Message& message) { return read_id(items, 2, message); }

constexpr Keyword keywords[] = {
    {"info", Message::Kind::info, read_nothing},       {"ping", Message::Kind::ping, read_nothing},
    {"preview", Message::Kind::preview, read_preview}, {"start", Message::Kind::start, read_start},
    {"play", Message::Kind::play, read_moves},         {"stop", Message::Kind::stop, read_moves},
    {"abort", Message::Kind::abort, read_id_alone}};

// The items of the message, whether or not there are parentheses around a single word.
std::optional<Items> message_items(std::string_view text) {
  constexpr std::size_t most_items = 6;
  const auto outer = items_of(text, 1);
  if (!outer || outer->empty()) return std::nullopt;
  if (!is_list(outer->front())) return outer;
  return items_of(inside(outer->front()), most_items);
}

}  // namespace

base::Result<Message> parse_message(std::string_view text) {
  const auto items = message_items(text);
  const std::string word = items && !items->empty() ? lower_case(items->front()) : "";
  for (const Keyword& keyword : keywords) {
    Message message;
    message.kind = keyword.kind;
    if (word == keyword.word && keyword.read(*items, message)) return message;
  }
  return base::fail(base::ErrorKind::unreadable_input, "no message of the protocol");
}

std::string write_start(const Message& message) {
  return fmt::format("(START {} {} ({}) {} {})", message.match_id, message.role, message.rules,
                     message.start_clock, message.play_clock);
}

std::string write_moves(const Message& message) {
  const char* keyword = message.kind == Message::Kind::play ? "PLAY" : "STOP";
  if (message.moves.empty()) return fmt::format("({} {} NIL)", keyword, message.match_id);
  return fmt::format("({} {} ({}))", keyword, message.match_id, fmt::join(message.moves, " "));
}

std::optional<std::string> canonical_term(std::string_view text) {
  TermWriter writer;
  Scanner scanner(text);
  for (std::string_view token = scanner.next(); !token.empty(); token = scanner.next()) {
    if (!writer.add(token)) return std::nullopt;
  }
  return writer.finish();
}

}  // namespace zermelo::serve
