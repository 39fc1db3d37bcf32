// Random rulesheets for round-trip tests. They have no meaning and cover the whole syntax.
#pragma once

#include <string>
#include <vector>

#include "base/random.h"
#include "gdl/rulesheet.h"

namespace zermelo::gdl {

class RandomRulesheet {
 public:
  explicit RandomRulesheet(std::uint64_t seed) : random_(seed) {}

  Rulesheet make() {
    Rulesheet sheet;
    symbols_ = &sheet.symbols;
    const std::uint32_t count = random_.below(12);
    for (std::uint32_t i = 0; i < count; ++i) sheet.clauses.push_back(clause());
    return sheet;
  }

 private:
  static constexpr int max_depth = 4;

  std::uint32_t below(std::uint32_t bound) { return random_.below(bound); }

  template <class T, class Make>
  std::vector<T> several(std::uint32_t least, Make make) {
    std::vector<T> items;
    const std::uint32_t count = least + below(4);
    for (std::uint32_t i = 0; i < count; ++i) items.push_back(make());
    return items;
  }

  // Usual names, keywords, and random strings.
  std::string name() {
    static const char* const common[] = {"a",   "cell", "role", "x1", "1",    "100",
                                         "a-b", "+",    "_",    "_1", "true", "p_q"};
    if (below(3) > 0) return common[below(std::size(common))];
    static const std::string_view characters = "abz09_+-*/<>=!\"#$%&',.:@[\\]^`{|}~";
    std::string result = below(8) == 0 ? "\xc3\xa9" : "";
    do {
      result += characters[below(static_cast<std::uint32_t>(characters.size()))];
    } while (below(3) > 0);
    return result;
  }

  Symbol symbol() { return symbols_->intern(name()); }

  // A name for a relation; connectives are excluded.
  Symbol relation() {
    const Symbol chosen = symbol();
    const bool reserved = chosen == keyword::not_ || chosen == keyword::and_ ||
                          chosen == keyword::or_ || chosen == keyword::distinct ||
                          chosen == keyword::implied_by;
    return reserved ? keyword::true_ : chosen;
  }

  Term application(Symbol name, int depth) {
    auto arguments = several<Term>(0, [&] { return term(depth + 1); });
    const auto kind = arguments.empty() ? Term::Kind::constant : Term::Kind::function;
    return {kind, name, std::move(arguments), {}};
  }

  Term term(int depth) {
    if (below(3) == 0) return {Term::Kind::variable, symbol(), {}, {}};
    if (below(6) == 0) return {Term::Kind::constant, word_of_the_language(), {}, {}};
    if (depth >= max_depth || below(2) == 0) return {Term::Kind::constant, symbol(), {}, {}};
    return application(relation(), depth);
  }

  Symbol word_of_the_language() { return static_cast<Symbol>(below(17)); }

  Formula formula(int depth) {
    const std::uint32_t choice = depth >= max_depth ? below(2) : below(6);
    if (choice == 0) return {Formula::Kind::distinct, distinct(), {}, {}};
    if (choice < 3) return {Formula::Kind::atom, application(relation(), depth), {}, {}};
    if (choice == 3) return {Formula::Kind::negation, {}, {formula(depth + 1)}, {}};
    const auto kind = choice == 4 ? Formula::Kind::conjunction : Formula::Kind::disjunction;
    return {kind, {}, several<Formula>(0, [&] { return formula(depth + 1); }), {}};
  }

  Term distinct() { return {Term::Kind::function, keyword::distinct, {term(1), term(1)}, {}}; }

  Clause clause() {
    Clause result;
    result.head = application(relation(), 0);
    if (below(2) == 0) result.body = several<Formula>(1, [&] { return formula(0); });
    return result;
  }

  base::Random random_;
  SymbolTable* symbols_ = nullptr;
};

}  // namespace zermelo::gdl
