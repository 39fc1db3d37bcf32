#include "translate/toss/toss_names.h"

#include <fmt/format.h>

#include <cctype>

namespace zermelo::translate::toss {
namespace {

// A name of Toss made of letters, digits and underscores.
std::string toss_name(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c))) {
      result += c;
    } else if (!result.empty() && result.back() != '_') {
      result += '_';
    }
  }
  while (!result.empty() && result.back() == '_') result.pop_back();
  if (result.empty() || std::isdigit(static_cast<unsigned char>(result[0]))) result = "n" + result;
  return result;
}

}  // namespace

std::string unique_name(const std::string& text, std::set<std::string>& used) {
  static const std::set<std::string> words = {
      "and",  "or",  "not",    "ex",     "all",   "tc",    "lfp",   "gfp",    "let",
      "in",   "emb", "pre",    "post",   "with",  "Sum",   "true",  "false",  "REL",
      "RULE", "LOC", "PLAYER", "PAYOFF", "MOVES", "START", "MODEL", "PLAYERS"};
  const std::string name = toss_name(text);
  std::string result = name;
  for (std::size_t n = 2; words.count(result) > 0 || !used.insert(result).second; ++n) {
    result = fmt::format("{}_{}", name, n);
  }
  return result;
}

}  // namespace zermelo::translate::toss
