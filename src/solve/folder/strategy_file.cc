// The file of strategies: lines of text, one per term, player, information set and choice, so that
// it can be read by people and by simple scripts. docs/reference/formats.md specifies it.

#include <fmt/format.h>

#include <charconv>
#include <iterator>
#include <optional>
#include <string_view>

#include "solve/folder/strategy_folder.h"

namespace zermelo::solve {
namespace {

constexpr std::string_view strategies_head = "zermelo strategies 1\n";

template <class Number>
std::optional<Number> number_of(std::string_view word) {
  Number number{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

class StrategyReader {
 public:
  explicit StrategyReader(std::string_view text) : text_(text) {}

  base::Result<StoredStrategies> run() {
    if (!text_.starts_with(strategies_head)) return refuse("unexpected first line");
    text_.remove_prefix(strategies_head.size());
    for (std::size_t line = 2; !text_.empty(); ++line) {
      const std::size_t end = text_.find('\n');
      if (end == text_.npos || !read_line(text_.substr(0, end)))
        return refuse(fmt::format("line {}", line));
      text_.remove_prefix(end + 1);
    }
    return std::move(result_);
  }

 private:
  static base::Result<StoredStrategies> refuse(const std::string& what) {
    return base::fail(base::ErrorKind::unreadable_input, what);
  }

  bool read_line(std::string_view line) {
    if (line.size() < 3 || line[1] != ' ') return false;
    rest_ = line.substr(2);
    switch (line[0]) {
      case 't':
        result_.terms.emplace_back(rest_);
        return result_.players.empty();
      case 'p':
        result_.players.push_back({std::string(rest_), {{}}});
        return true;
      case 'n':
        return read_node();
      case 'c':
        return read_choice();
      default:
        return false;
    }
  }

  std::string_view word() {
    const std::size_t end = std::min(rest_.find(' '), rest_.size());
    const std::string_view word = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return word;
  }

  std::optional<std::uint32_t> number_below(std::size_t end) {
    const auto number = number_of<std::uint32_t>(word());
    return number && *number < end ? number : std::nullopt;
  }

  bool read_node() {
    if (result_.players.empty()) return false;
    auto& nodes = result_.players.back().nodes;
    const auto before = number_below(nodes.size());
    const auto move = number_below(result_.terms.size());
    if (!before || !move) return false;
    StoredStrategy::Node node{*before, *move, {}, {}};
    while (!rest_.empty()) {
      const auto percept = number_below(result_.terms.size());
      if (!percept) return false;
      node.percepts.push_back(*percept);
    }
    nodes.push_back(std::move(node));
    return true;
  }

  bool read_choice() {
    if (result_.players.empty()) return false;
    const auto move = number_below(result_.terms.size());
    const auto probability = number_of<double>(word());
    if (!move || !probability || !(*probability >= 0 && *probability <= 1) || !rest_.empty())
      return false;
    result_.players.back().nodes.back().choices.push_back({*move, *probability});
    return true;
  }

  std::string_view text_, rest_;
  StoredStrategies result_;
};

}  // namespace

std::string text_of(const StoredStrategies& strategies) {
  std::string text(strategies_head);
  const auto out = std::back_inserter(text);
  for (const std::string& term : strategies.terms) fmt::format_to(out, "t {}\n", term);
  for (const StoredStrategy& player : strategies.players) {
    fmt::format_to(out, "p {}\n", player.role);
    for (std::size_t n = 0; n < player.nodes.size(); ++n) {
      const StoredStrategy::Node& node = player.nodes[n];
      if (n > 0) {
        fmt::format_to(out, "n {} {}", node.before, node.move);
        for (const std::uint32_t percept : node.percepts) fmt::format_to(out, " {}", percept);
        text += '\n';
      }
      for (const StoredStrategy::Choice& choice : node.choices)
        fmt::format_to(out, "c {} {}\n", choice.move, choice.probability);
    }
  }
  return text;
}

base::Result<StoredStrategies> strategies_of(const std::string& text) {
  return StrategyReader(text).run();
}

}  // namespace zermelo::solve
