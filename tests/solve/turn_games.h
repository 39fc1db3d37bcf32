// Random games in which the roles take turns.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "support/random_game.h"

namespace zermelo::solve {

inline bool begins_with(const std::string& line, const std::string& prefix) {
  return line.rfind(prefix, 0) == 0;
}

// The rewards of a role by two fluents.
inline std::string goal_rules(const std::string& role, const std::string& a, const std::string& b) {
  const std::string first = "(true " + a + ")", second = "(true " + b + ")";
  return "(<= (goal " + role + " 80) " + first + ")\n(<= (goal " + role + " 30) (not " + first +
         ") " + second + ")\n(<= (goal " + role + " 10) (not " + first + ") (not " + second +
         "))\n";
}

// The random game with turns: moves other than noop are legal for the role in control only. Its
// goals, which seldom differ from state to state, are replaced.
inline std::string with_turns(const std::string& rules) {
  std::string text = "(init (control r0))\n";
  std::size_t roles = 0;
  std::vector<std::string> fluents;
  std::istringstream lines(rules);
  for (std::string line; std::getline(lines, line);) {
    if (begins_with(line, "(<= (goal ")) continue;
    if (begins_with(line, "(role ")) ++roles;
    if (begins_with(line, "(init ")) fluents.push_back(line.substr(6, line.size() - 7));
    const std::string legal = "(<= (legal ";
    if (begins_with(line, legal)) {
      const std::string role = line.substr(legal.size(), 2);
      line.insert(line.size() - 1, " (true (control " + role + "))");
    }
    text += line + "\n";
  }
  for (std::size_t r = 0; r < roles; ++r) {
    const std::string role = "r" + std::to_string(r), next = "r" + std::to_string((r + 1) % roles);
    text += "(<= (next (control " + next + ")) (true (control " + role + ")))\n";
    const auto fluent = [&](std::size_t i) { return fluents[i % fluents.size()]; };
    text += goal_rules(role, fluent(fluents.size() - 1 - r), fluent(r + 1));
  }
  return text;
}

// Both roles have two moves; the rules of `successor` say who decides where the game ends.
inline std::string two_choosers(const std::string& successor) {
  return R"(
    (role a) (role b)
    (init start)
    (choice left) (choice right)
    (<= (legal ?role ?move) (role ?role) (choice ?move))
    (<= terminal (not (true start)))
    (<= (goal a 100) (true (end left)))
    (<= (goal a 0) (not (true (end left))))
    (<= (goal b 0) (true (end left)))
    (<= (goal b 100) (not (true (end left))))
  )" + successor;
}

}  // namespace zermelo::solve
