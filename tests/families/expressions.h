// A minimal reader for prefix syntax. The families do not depend on the real parser.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace zermelo::families::test {

// A word, or a list of expressions.
struct Expression {
  std::string word;
  std::vector<Expression> items;

  // The relation of an atom: the word itself or the first of the list.
  const std::string& relation() const { return items.empty() ? word : items[0].word; }
};

inline bool is_space(char c) { return c == ' ' || c == '\n'; }

inline std::optional<std::vector<Expression>> read_expressions(const std::string& text) {
  std::vector<std::vector<Expression>> open(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_space(text[i])) continue;
    if (text[i] == ';') {
      i = text.find('\n', i);
    } else if (text[i] == '(') {
      open.emplace_back();
    } else if (text[i] == ')') {
      if (open.size() < 2) return std::nullopt;
      Expression list{"", std::move(open.back())};
      open.pop_back();
      open.back().push_back(std::move(list));
    } else {
      const std::size_t end = text.find_first_of(" \n()", i);
      open.back().push_back({text.substr(i, end - i), {}});
      i = end - 1;
    }
  }
  if (open.size() != 1) return std::nullopt;
  return open[0];
}

inline std::set<std::string> defined_relations(const std::vector<Expression>& rules) {
  std::set<std::string> relations;
  for (const Expression& rule : rules) {
    relations.insert(rule.relation() == "<=" ? rule.items[1].relation() : rule.relation());
  }
  return relations;
}

inline void collect_used(const Expression& condition, std::set<std::string>& relations) {
  const std::string& relation = condition.relation();
  if (relation == "true" || relation == "does" || relation == "distinct") return;
  if (relation == "not") return collect_used(condition.items[1], relations);
  relations.insert(relation);
}

inline std::set<std::string> used_relations(const std::vector<Expression>& rules) {
  std::set<std::string> relations;
  for (const Expression& rule : rules) {
    if (rule.relation() != "<=") continue;
    for (std::size_t i = 2; i < rule.items.size(); ++i) collect_used(rule.items[i], relations);
  }
  return relations;
}

}  // namespace zermelo::families::test
