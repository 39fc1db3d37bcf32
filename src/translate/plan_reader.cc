#include "translate/plan_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

namespace zermelo::translate {

namespace {

using Words = std::vector<std::string>;

class Reader {
 public:
  Reader(const base::Source& plan, const Glossary& glossary) : plan_(plan), glossary_(glossary) {}

  base::Result<std::vector<gdl::Term>> run() {
    std::vector<gdl::Term> moves;
    std::istringstream lines{std::string(plan_.text())};
    std::string line;
    for (line_ = 1; std::getline(lines, line); ++line_) {
      line.resize(std::min(line.find(';'), line.size()));
      const auto first = line.find_first_not_of(" \t\r");
      if (first == std::string::npos) continue;
      column_ = first + 1;
      auto move = read(line.substr(first, line.find_last_not_of(" \t\r") - first + 1));
      if (!move) return tl::unexpected(move.error());
      if (*move) moves.push_back(std::move(**move));
    }
    return moves;
  }

 private:
  tl::unexpected<base::Error> fail(const std::string& message) const {
    return base::fail(base::ErrorKind::unreadable_input,
                      fmt::format("{}:{}:{}: {}", plan_.name(), line_, column_, message));
  }

  static Words words_of(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::istringstream stream(text);
    Words words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
  }

  base::Result<std::optional<gdl::Term>> read(const std::string& text) const {
    if (text.size() < 2 || text.front() != '(' || text.back() != ')' ||
        text.find_first_of("()", 1) != text.size() - 1) {
      return fail("expected one action in parentheses, found \"" + text + "\"");
    }
    const Words words = words_of(text.substr(1, text.size() - 2));
    if (words.empty()) return fail("expected the name of an action");
    const auto action = glossary_.actions.find(words[0]);
    if (action == glossary_.actions.end()) return fail("the task has no action " + words[0]);
    if (words.size() - 1 != action->second.parameters) {
      return fail(fmt::format("the action {} takes {} arguments, found {}", words[0],
                              action->second.parameters, words.size() - 1));
    }
    return action->second.move ? instance(*action->second.move, words)
                               : base::Result<std::optional<gdl::Term>>();
  }

  base::Result<std::optional<gdl::Term>> instance(const Pattern& pattern,
                                                  const Words& words) const {
    std::vector<gdl::Term> arguments;
    for (std::size_t i = 1; i < words.size(); ++i) {
      const auto object = glossary_.objects.find(words[i]);
      if (object == glossary_.objects.end()) return fail("the task has no object " + words[i]);
      arguments.push_back(object->second);
    }
    return instantiate(pattern, arguments);
  }

  const base::Source& plan_;
  const Glossary& glossary_;
  std::size_t line_ = 0;
  std::size_t column_ = 0;
};

}  // namespace

base::Result<std::vector<gdl::Term>> read_plan(const base::Source& plan, const Glossary& glossary) {
  return Reader(plan, glossary).run();
}

}  // namespace zermelo::translate
