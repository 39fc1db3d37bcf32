#include "serve/scrambler.h"

#include <algorithm>
#include <unordered_set>

#include "base/random.h"
#include "gdl/functions.h"
#include "gdl/printer.h"

namespace zermelo::serve {
namespace {

bool is_number(const std::string& name) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return std::all_of(name.begin(), name.end(), is_digit);
}

// Three syllables give 1.2 million words.
std::string random_word(base::Random& random) {
  constexpr std::string_view consonants = "bcdfghjklmnpqrstvwxyz", vowels = "aeiou";
  std::string word;
  for (int i = 0; i < 3; ++i) {
    word += consonants[random.below(static_cast<std::uint32_t>(consonants.size()))];
    word += vowels[random.below(static_cast<std::uint32_t>(vowels.size()))];
  }
  return word;
}

gdl::Symbol symbol_at(std::size_t i) { return gdl::Symbol{static_cast<std::uint32_t>(i)}; }
bool is_keyword(gdl::Symbol symbol) { return symbol <= gdl::keyword::random; }

// The names that declare computed functions, and the functions. They have a meaning outside the
// rules, and so have all numbers with them.
std::unordered_set<std::string> function_words(const gdl::Rulesheet& rules) {
  const gdl::FunctionTable functions(rules);
  if (functions.empty()) return {};
  std::unordered_set<std::string> words{"include", "use"};
  for (const gdl::UsedFunction& function : functions.functions()) {
    words.insert(function.text);
    words.insert(rules.symbols.name(function.module));
    words.insert(rules.symbols.name(functions.source_of(function.module)->name));
  }
  return words;
}

}  // namespace

Scrambler::Scrambler(const gdl::Rulesheet& rules, std::uint64_t seed) : rules_(rules) {
  base::Random random(seed);
  const std::size_t count = rules.symbols.size();
  std::unordered_set<std::string> taken;
  for (std::size_t i = 0; i < count; ++i) taken.insert(rules.symbols.name(symbol_at(i)));
  const std::unordered_set<std::string> kept = function_words(rules);
  const auto keeps_name = [&](std::size_t i, const std::string& name) {
    if (is_keyword(symbol_at(i)) || is_number(name)) return true;
    return !kept.empty() && (kept.count(name) != 0 || gdl::Decimal::parse(name));
  };
  for (std::size_t i = 0; i < count; ++i) {
    const std::string& name = rules.symbols.name(symbol_at(i));
    std::string word = name;
    if (!keeps_name(i, name)) {
      while (!taken.insert(word).second) word = random_word(random);
    }
    scrambled_[name] = word;
    original_[word] = name;
  }
}

std::string Scrambler::scrambled_rules() const {
  gdl::Rulesheet scrambled;
  scrambled.source = rules_.source;
  scrambled.clauses = rules_.clauses;
  for (std::size_t i = 0; i < rules_.symbols.size(); ++i) {
    scrambled.symbols.intern(scrambled_.at(rules_.symbols.name(symbol_at(i))));
  }
  return gdl::print(scrambled, gdl::Syntax::prefix);
}

}  // namespace zermelo::serve
