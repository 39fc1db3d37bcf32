#include "analysis/scene/relations.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "base/limited_steps.h"
#include "reference/query_evaluator.h"

namespace zermelo::analysis::scene {
namespace {

using reference::PredicateId;
using reference::TermId;

// Relations that are only a means of calculation, such as the sums of all numbers, are larger.
constexpr std::uint32_t max_tuples = 20'000;

std::string text_of(const reference::TermStore& terms, const gdl::SymbolTable& symbols,
                    TermId term) {
  std::string text = symbols.name(terms.name(term));
  if (terms.arguments(term).empty()) return text;
  for (const TermId argument : terms.arguments(term))
    text += ' ' + text_of(terms, symbols, argument);
  return '(' + text + ')';
}

bool is_wanted(gdl::Symbol name, std::size_t arity) {
  return arity >= 2 && arity <= 5 && name != gdl::keyword::legal && name != gdl::keyword::goal &&
         name != gdl::keyword::does && name != gdl::keyword::input && name != gdl::keyword::sees;
}

Relation relation_of(const std::string& name, const reference::TupleSet& tuples,
                     const reference::TermStore& terms, const gdl::SymbolTable& symbols,
                     std::size_t arity) {
  Relation relation{name, arity, {}, std::vector<std::set<std::string>>(arity)};
  for (std::uint32_t i = 0; i < tuples.size(); ++i) {
    Words& words = relation.tuples.emplace_back();
    for (const TermId term : tuples[i]) words.push_back(text_of(terms, symbols, term));
    for (std::size_t k = 0; k < arity; ++k) relation.values[k].insert(words[k]);
  }
  return relation;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool same_stem(const std::set<std::string>& values) {
  const std::string first = stem(*values.begin());
  return std::all_of(values.begin(), values.end(), [&](const std::string& value) {
    return stem(value) == first && value.size() > first.size();
  });
}

// Letters without a gap, from a on.
bool are_first_letters(const std::set<std::string>& values) {
  char next = 'a';
  return std::all_of(values.begin(), values.end(), [&](const std::string& value) {
    return value.size() == 1 && value[0] == next++;
  });
}

bool are_letters(const std::set<std::string>& values) {
  return std::all_of(values.begin(), values.end(), [](const std::string& value) {
    return value.size() == 1 && value[0] >= 'a' && value[0] <= 'z';
  });
}

// Several numbers and several first letters: 1, 2, 3, a, b.
bool are_numbers_and_letters(const std::set<std::string>& values) {
  std::set<std::string> letters;
  std::copy_if(values.begin(), values.end(), std::inserter(letters, letters.end()),
               [](const std::string& value) { return !is_number(value); });
  return letters.size() >= 2 && values.size() >= letters.size() + 2 && are_first_letters(letters);
}

// The values along the pairs of the relation, if these are a single chain through all values.
std::optional<Words> chain(const std::set<std::string>& values, const Relation& relation) {
  std::map<std::string, std::string> after;
  std::set<std::string> targets;
  for (const Words& pair : relation.tuples) {
    if (!values.contains(pair[0]) || !values.contains(pair[1])) continue;
    if (!after.emplace(pair[0], pair[1]).second || !targets.insert(pair[1]).second) {
      return std::nullopt;
    }
  }
  if (after.size() + 1 != values.size()) return std::nullopt;
  const auto first = std::find_if(values.begin(), values.end(),
                                  [&](const std::string& v) { return !targets.contains(v); });
  if (first == values.end()) return std::nullopt;
  Words order{*first};
  for (auto next = after.find(*first); next != after.end(); next = after.find(next->second)) {
    order.push_back(next->second);
  }
  if (order.size() != values.size()) return std::nullopt;
  return order;
}

}  // namespace

bool is_number(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

std::string stem(const std::string& text) {
  std::size_t end = text.size();
  while (end > 0 && is_digit(text[end - 1])) --end;
  return text.substr(0, end);
}

bool is_before(const std::string& a, const std::string& b) {
  const std::string a_stem = stem(a), b_stem = stem(b);
  if (a_stem != b_stem) return a_stem < b_stem;
  const auto value = [](const std::string& text, std::size_t from) {
    const std::size_t first = std::min(text.find_first_not_of('0', from), text.size());
    return std::pair(text.size() - first, text.substr(first));
  };
  const auto a_value = value(a, a_stem.size()), b_value = value(b, b_stem.size());
  return a_value != b_value ? a_value < b_value : a < b;
}

std::optional<Words> in_order(const std::set<std::string>& values,
                              const std::vector<Relation>& relations) {
  if (values.size() < 2) return std::nullopt;
  Words sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end(), is_before);
  if (same_stem(values) || are_first_letters(values) || are_numbers_and_letters(values)) {
    return sorted;
  }
  for (const Relation& relation : relations) {
    if (relation.arity != 2) continue;
    if (auto order = chain(values, relation)) return are_letters(values) ? sorted : *order;
  }
  return std::nullopt;
}

std::vector<Relation> static_relations(const gdl::Rulesheet& rulesheet,
                                       const base::Limits& limits) {
  std::vector<Relation> relations;
  try {
    base::LimitedSteps steps(limits);
    base::Result<reference::RuleProgram> program = reference::make_program(rulesheet, steps);
    if (!program) return relations;
    const auto named = program->named;
    reference::QueryEvaluator evaluator(std::move(*program), limits);
    for (const auto& [key, predicate] : named) {
      const auto& [name, arity] = key;
      if (!is_wanted(name, arity)) continue;
      if (evaluator.program().predicates[predicate].depends !=
          reference::Predicate::Depends::nothing) {
        continue;
      }
      const std::vector<TermId> any(arity, reference::no_term);
      const reference::TupleSet& tuples = evaluator.ask(predicate, any);
      if (tuples.size() == 0 || tuples.size() > max_tuples) continue;
      relations.push_back(relation_of(rulesheet.symbols.name(name), tuples,
                                      evaluator.program().terms, rulesheet.symbols, arity));
    }
  } catch (const base::LimitReached&) {
    return relations;
  }
  return relations;
}

}  // namespace zermelo::analysis::scene
