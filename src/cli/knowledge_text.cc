#include "cli/knowledge_text.h"

#include <fmt/format.h>

#include "cli/output.h"

namespace zermelo::cli {
namespace {

std::string finding_text(const std::optional<know::Confusion>& confusion,
                         const know::KnowledgeProperties& found) {
  if (confusion) {
    return fmt::format("refuted: {}; one: {}; the other: {}", confusion->reason,
                       line_text(confusion->line), line_text(confusion->other));
  }
  const std::string developments = counted(found.developments, "development");
  if (found.complete())
    return fmt::format("proved: all {} of {}", developments, counted(found.rounds, "round"));
  return fmt::format("open: true in the first {} ({}); {}", counted(found.rounds, "round"),
                     developments, found.limit->message);
}

// The finding that all players share, or that of the first player with another one.
std::string players_text(const know::KnowledgeProperties& found,
                         std::optional<know::Confusion> know::PlayerKnowledge::*property) {
  for (const know::PlayerKnowledge& player : found.players) {
    if (player.*property) return finding_text(player.*property, found);
  }
  return finding_text({}, found);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> knowledge_lines(
    const know::KnowledgeProperties& found) {
  using Player = know::PlayerKnowledge;
  return {{"moves known", players_text(found, &Player::moves)},
          {"end known", players_text(found, &Player::end)},
          {"goal known", players_text(found, &Player::goal)},
          {"state known", players_text(found, &Player::state)}};
}

std::string line_text(const know::Line& line) {
  if (line.empty()) return "no move";
  std::vector<std::string> steps;
  for (std::size_t i = 0; i < line.size(); ++i)
    steps.push_back(fmt::format("{}. {}", i + 1, fmt::join(line[i], ", ")));
  return fmt::format("{}", fmt::join(steps, " "));
}

}  // namespace zermelo::cli
