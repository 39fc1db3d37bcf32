// Scalable games: the rules of a family in a given size, as text in prefix syntax.
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
  std::string_view usage;    // the sizes as shown by the command line: "W H [K]"
  std::string_view largest;  // the maximum sizes
  std::string_view summary;  // one line
};

// All families, sorted by name.
std::span<const Family> list();

// Returns the rulesheet of a family. Fails for an unknown family or invalid sizes; the message says
// what is expected. The command line treats this as a usage error.
base::Result<std::string> generate(std::string_view family, const std::vector<std::string>& sizes);

}  // namespace zermelo::families
