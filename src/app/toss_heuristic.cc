#include "app/toss_heuristic.h"

#include <chrono>

#include "app/rules.h"
#include "ground/ground.h"
#include "toss/parser.h"
#include "toss/printer.h"
#include "translate/toss/read_toss.h"
#include "translate/toss/to_toss.h"

namespace zermelo::app {
namespace {

using GamePointer = std::shared_ptr<const toss::Game>;

base::Result<GamePointer> translated_game(const std::string& path, const base::Limits& limits) {
  const auto rules = read_rules(path, limits);
  if (!rules) return tl::unexpected(rules.error());
  auto game = ground::ground(*rules, {limits});
  if (!game) return tl::unexpected(game.error());
  const auto machine = machine::Machine::make(std::move(*game), limits);
  if (!machine) return tl::unexpected(machine.error());
  translate::toss::ToTossOptions options;
  options.limits = limits;
  auto translation = translate::toss::to_toss(*machine, options);
  if (!translation) return tl::unexpected(translation.error());
  return translation->game;
}

}  // namespace

base::Result<TossHeuristic> toss_heuristic(const TossHeuristicRequest& request,
                                           const Context& context) {
  const base::Limits limits = request.limits.start(context);
  TossHeuristic result;
  auto source = base::read_source(request.path);
  if (!source) return tl::unexpected(source.error());
  GamePointer game;
  if (translate::toss::is_toss(*source)) {
    toss::ParseResult parsed = toss::parse(*source);
    result.source = std::make_shared<const base::Source>(std::move(*source));
    result.diagnostics = std::move(parsed.diagnostics);
    if (base::has_errors(result.diagnostics)) return result;
    game = std::make_shared<const toss::Game>(std::move(parsed.game));
  } else {
    context.report("translating");
    auto translated = translated_game(request.path, limits);
    if (!translated) return tl::unexpected(translated.error());
    game = std::move(*translated);
  }
  toss::MachineOptions machine_options;
  machine_options.evaluation.limits = limits;
  auto machine = toss::StructureMachine::make(game, machine_options);
  if (!machine) return tl::unexpected(machine.error());
  const auto begin = std::chrono::steady_clock::now();
  context.report("deriving the heuristic");
  const auto heuristic = toss::make_heuristic(*machine, request.options);
  if (!heuristic) return tl::unexpected(heuristic.error());
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  result.method =
      heuristic->method == toss::HeuristicMethod::rule_conditions ? "conditions" : "existential";
  for (std::size_t l = 0; l < game->locations.size(); ++l) {
    for (std::size_t p = 0; p < game->players.size(); ++p) {
      result.terms.push_back(
          {game->locations[l].number, game->players[p], print(*heuristic->terms[l][p])});
    }
  }
  return result;
}

}  // namespace zermelo::app
