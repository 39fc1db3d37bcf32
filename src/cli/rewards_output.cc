#include "cli/rewards_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace zermelo::cli {
namespace {

using solve::Rewards;

// "x 50, o 50".
std::string with_roles(const std::vector<std::string>& roles, const Rewards& rewards) {
  std::string text;
  for (std::size_t role = 0; role < roles.size(); ++role) {
    text += fmt::format("{}{} {}", role == 0 ? "" : ", ", roles[role], rewards[role]);
  }
  return text;
}

// Who wins, if there are several roles and their rewards add up to 100.
std::string winner(const std::vector<std::string>& roles, const Rewards& rewards) {
  if (roles.size() < 2 || std::accumulate(rewards.begin(), rewards.end(), 0) != 100) return "";
  const auto best = std::max_element(rewards.begin(), rewards.end());
  if (std::count(rewards.begin(), rewards.end(), *best) == 1) {
    return roles[static_cast<std::size_t>(best - rewards.begin())] + " wins: ";
  }
  return "a draw: ";
}

}  // namespace

std::string verdict(const std::vector<std::string>& roles, const Rewards& rewards) {
  if (rewards.empty()) return "the game never ends";
  return winner(roles, rewards) + with_roles(roles, rewards);
}

std::vector<std::string> cells(const std::vector<std::string>& roles, const Rewards& rewards) {
  std::vector<std::string> row(roles.size(), "-");
  for (std::size_t role = 0; role < rewards.size(); ++role) {
    row[role] = std::to_string(rewards[role]);
  }
  return row;
}

std::string cell(const std::optional<std::uint32_t>& distance) {
  return distance ? std::to_string(*distance) : "-";
}

std::string mark(bool keeps_value, bool best) { return best ? "best" : keeps_value ? "keeps" : ""; }

std::string numbered(const std::vector<std::string>& line) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    text += fmt::format("{}{}. {}", i == 0 ? "" : " ", i + 1, line[i]);
  }
  return text;
}

}  // namespace zermelo::cli
