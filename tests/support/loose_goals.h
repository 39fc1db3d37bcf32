// Rules that leave roles without a goal value in some terminal states, and with several in others.
#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace zermelo::testing {

// The rules with other goals: each role has 80, 30 and 10 under conditions of their own, so that
// any number of them may hold. Requires a clause per line, and a fluent that is initially true.
inline std::string with_loose_goals(const std::string& rules) {
  std::string text;
  std::vector<std::string> roles, fluents;
  std::istringstream lines(rules);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("(<= (goal ", 0) == 0) continue;
    if (line.rfind("(role ", 0) == 0) roles.push_back(line.substr(6, line.size() - 7));
    if (line.rfind("(init ", 0) == 0) fluents.push_back(line.substr(6, line.size() - 7));
    text += line + "\n";
  }
  const auto holds = [&](std::size_t i) { return "(true " + fluents[i % fluents.size()] + ")"; };
  for (std::size_t r = 0; r < roles.size(); ++r) {
    const std::string head = "(<= (goal " + roles[r] + " ";
    text += head + "80) " + holds(r + 1) + " (not " + holds(r + 2) + "))\n";
    text += head + "30) " + holds(r + 3) + ")\n";
    text += head + "10) " + holds(r + 2) + " (not " + holds(r + 1) + "))\n";
  }
  return text;
}

}  // namespace zermelo::testing
