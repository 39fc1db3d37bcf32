// Scalable games: the rules of a family in the size asked for, as text in prefix syntax.
//
//   auto rules = families::generate("connect-four", {"7", "6"});
//   if (rules) use(*rules); else show(rules.error().message);
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace zermelo::families {

struct Family {
  std::string_view name;
  std::string_view usage;    // the sizes, as a command line shows them: "W H [K]"
  std::string_view largest;  // sizes, as far as they go
  std::string_view summary;  // one line
};

// Every family, by name.
std::span<const Family> list();

// The rulesheet of a family. An unknown family or sizes that do not fit are the caller's mistake:
// the error's message says what is expected (a command line answers with "wrong use").
base::Result<std::string> generate(std::string_view family, const std::vector<std::string>& sizes);

}  // namespace zermelo::families
