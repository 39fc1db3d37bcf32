#include "cli/hidden_output.h"

#include <fmt/format.h>

#include "cli/equilibrium_output.h"
#include "cli/output.h"

namespace zermelo::cli {
namespace {

using app::HiddenView;

// With more decisions of a player, the text says how to get them.
constexpr std::size_t most_listed_decisions = 40;

// Of a HiddenView or a HiddenAnswer.
template <class View>
std::string hidden_value_text(const View& view) {
  std::string text;
  for (std::size_t p = 0; p < view.players.size(); ++p) {
    text += fmt::format("{}{} {}", p == 0 ? "" : ", ", view.players[p],
                        decimal(view.low[p] + (view.high[p] - view.low[p]) / 2));
  }
  if (!view.exact_value.empty()) return text + fmt::format(", exactly {}", view.exact_value);
  return text + fmt::format(", error at most {:.1e}", view.exploitability);
}

std::string size_text(const HiddenView& view) {
  std::string text;
  for (std::size_t p = 0; p < view.players.size(); ++p) {
    text +=
        fmt::format("{}{} of {}", p == 0 ? "" : ", ",
                    p == 0 ? counted(view.decisions[p], "decision") : grouped(view.decisions[p]),
                    view.players[p]);
  }
  return fmt::format("{}; {}, {}, {} terminal", text, counted(view.rounds, "round"),
                     counted(view.worlds, "world"), grouped(view.terminal_worlds));
}

// What the player did where it had a choice, and what it saw.
std::string memory_text(const HiddenView::Decision& decision) {
  std::string text;
  for (const HiddenView::Step& step : decision.memory) {
    if (step.had_choice) text += "; " + step.move;
    if (!step.percepts.empty()) text += fmt::format("; saw {}", fmt::join(step.percepts, " "));
  }
  return text;
}

std::string decision_text(const std::vector<std::string>& players,
                          const HiddenView::Decision& decision) {
  std::string text = fmt::format("\n{}, round {}{}\n", players[decision.player], decision.round,
                                 memory_text(decision));
  for (const HiddenView::Choice& choice : decision.moves)
    text += fmt::format("  {:>8}  {}\n", decimal(choice.probability), choice.move);
  return text;
}

std::string decision_list(const HiddenView& view, std::size_t player) {
  std::string text;
  for (const HiddenView::Decision& decision : view.strategies) {
    if (decision.player == player) text += decision_text(view.players, decision);
  }
  return text;
}

std::string decision_lists(const HiddenView& view) {
  std::string text;
  for (std::size_t p = 0; p < view.players.size(); ++p) {
    if (view.decisions[p] > 0 && view.decisions[p] <= most_listed_decisions &&
        !view.strategies.empty())
      text += decision_list(view, p);
  }
  return text;
}

}  // namespace

std::string hidden_text(const app::SolveResult& result) {
  const HiddenView& view = *result.hidden;
  const bool is_lead = result.summary.model == solve::OpponentModel::difference;
  std::vector<std::pair<std::string, std::string>> lines = {
      {is_lead ? "best lead" : "best play", hidden_value_text(view)},
      {"concept", view.players.size() == 1 ? "the best strategy of one player"
                                           : concept_text(solve::SolutionConcept::minimax)},
      {"information", size_text(view)},
      {"model", name_of(result.summary.model)}};
  const std::string reason = result.reason.empty() ? "" : fmt::format(" ({})", result.reason);
  const std::string iterations =
      view.iterations > 0 ? ", " + counted(view.iterations, "iteration") : "";
  lines.emplace_back("solved by",
                     fmt::format("{}, {}{}{}", name_of(result.summary.engine),
                                 name_of(result.summary.algorithm), iterations, reason));
  return name_value_lines(lines) + decision_lists(view);
}

std::string hidden_text(const app::QueryResult& result) {
  const app::HiddenAnswer& answer = *result.hidden;
  std::vector<std::pair<std::string, std::string>> lines;
  if (!result.position.empty())
    lines.emplace_back("position", fmt::format("{}", fmt::join(result.position, " ")));
  if (result.terminal) {
    std::string goals;
    for (std::size_t p = 0; p < answer.players.size(); ++p)
      goals += fmt::format("{}{} {}", p == 0 ? "" : ", ", answer.players[p], answer.goals[p]);
    lines.emplace_back("game over", goals);
  }
  lines.emplace_back(answer.is_lead ? "lead" : "value",
                     hidden_value_text(answer) + " (whole game)");
  if (answer.decisions.empty() && !result.terminal)
    lines.emplace_back("decides", "nobody but chance");
  std::string text = (result.board.empty() ? "" : result.board + "\n") + name_value_lines(lines);
  for (const HiddenView::Decision& decision : answer.decisions)
    text += decision_text(answer.players, decision);
  return text;
}

}  // namespace zermelo::cli
