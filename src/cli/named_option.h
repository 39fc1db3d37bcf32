// An option whose values are the names of a table, such as solve::engines.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "cli/options.h"
#include "solve/common/algorithm.h"

namespace zermelo::cli {

// `value` must live until the command line is parsed.
template <class Value, std::size_t size>
void add_named_option(CLI::App& app, const std::string& option,
                      const std::array<solve::Named<Value>, size>& table, Value& value,
                      const std::string& description) {
  std::vector<std::string> names;
  for (const solve::Named<Value>& named : table) names.emplace_back(named.name);
  add_choice_option(
      app, option, names, [&table, &value](std::size_t choice) { value = table[choice].value; },
      description);
}

}  // namespace zermelo::cli
