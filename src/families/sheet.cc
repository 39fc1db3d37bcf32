#include "families/sheet.h"

#include <fmt/format.h>

namespace zermelo::families {
namespace {

constexpr std::size_t line_width = 88;

// Joins words with spaces and starts a new line where the next word does not fit.
std::string wrapped(const std::vector<std::string>& words, std::string_view line_start) {
  std::string text;
  std::string line(line_start);
  for (const std::string& word : words) {
    if (line.size() > line_start.size() && line.size() + 1 + word.size() > line_width) {
      text += line + '\n';
      line = line_start;
    }
    if (line.size() > line_start.size()) line += ' ';
    line += word;
  }
  return text + line + '\n';
}

std::vector<std::string> words_of(std::string_view prose) {
  std::vector<std::string> words(1);
  for (const char c : prose) {
    if (c == ' ' || c == '\n') {
      if (!words.back().empty()) words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

}  // namespace

Sheet::Sheet(std::string_view call) { comment(call).comment(""); }

Sheet& Sheet::comment(std::string_view prose) {
  const std::vector<std::string> words = words_of(prose);
  text_ += words.empty() ? ";\n" : wrapped(words, "; ");
  return *this;
}

Sheet& Sheet::rules(std::string_view text) {
  const std::size_t first = text.find_first_not_of('\n');
  const std::size_t last = text.find_last_not_of('\n');
  text_ += text.substr(first, last + 1 - first);
  text_ += '\n';
  return *this;
}

Sheet& Sheet::facts(const std::vector<std::string>& facts) {
  if (!facts.empty()) text_ += wrapped(facts, "");
  return *this;
}

Sheet& Sheet::gap() {
  text_ += '\n';
  return *this;
}

Sheet& Sheet::numbers(std::string_view relation, int first, int last) {
  std::vector<std::string> all;
  for (int i = first; i <= last; ++i) all.push_back(fmt::format("({} {})", relation, i));
  return facts(all);
}

Sheet& Sheet::chain(std::string_view relation, int first, int last) {
  std::vector<std::string> all;
  for (int i = first; i < last; ++i) all.push_back(fmt::format("({} {} {})", relation, i, i + 1));
  return facts(all);
}

Sheet& Sheet::grid(int columns, int rows) {
  numbers("column", 1, columns).numbers("row", 1, rows);
  return chain("right", 1, columns).chain("up", 1, rows);
}

Sheet& Sheet::edge_neighbours(int columns, int rows) {
  if (columns > 1) {
    rules(R"(
(<= (beside ?c ?r ?d ?r)
    (right ?c ?d)
    (row ?r))
(<= (beside ?d ?r ?c ?r)
    (right ?c ?d)
    (row ?r))
)");
  }
  if (rows > 1) {
    rules(R"(
(<= (beside ?c ?r ?c ?s)
    (column ?c)
    (up ?r ?s))
(<= (beside ?c ?s ?c ?r)
    (column ?c)
    (up ?r ?s))
)");
  }
  return *this;
}

Sheet& Sheet::turns(std::string_view first, std::string_view second) {
  return rules(fmt::format(R"(
; The turn alternates; the player who is not to move can only wait.
(init (control {0}))
(<= (next (control {0}))
    (true (control {1})))
(<= (next (control {1}))
    (true (control {0})))
(<= (legal {0} noop)
    (true (control {1})))
(<= (legal {1} noop)
    (true (control {0})))
)",
                           first, second));
}

Sheet& Sheet::step_limit(int limit) {
  rules(fmt::format(R"(
; At most {0} moves.
(init (step 0))
(<= (next (step ?n))
    (true (step ?m))
    (tick ?m ?n))
(<= terminal
    (true (step {0})))
)",
                    limit));
  return chain("tick", 0, limit);
}

Sheet& Sheet::puzzle_end() {
  return rules(R"(
(<= terminal
    (not unsolved))
(<= (goal player 100)
    (not unsolved))
(<= (goal player 0)
    unsolved)
)");
}

std::string letter(int i) { return std::string(1, static_cast<char>('a' + i)); }

}  // namespace zermelo::families
