#include "app/factor.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "ground/ground.h"

namespace zermelo::app {
namespace {

using analysis::Grain;
using analysis::Subgame;

void add_name(std::vector<std::string>& names, std::string name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
}

class SubgameNames {
 public:
  SubgameNames(const ground::Game& game, Grain grain) : game_(game), grain_(grain) {}

  NamedSubgame of(const Subgame& subgame) const {
    NamedSubgame named;
    for (const ground::Atom f : subgame.fluents) {
      add(named.fluents, game_.fluents[f], game_.fluent_name(f));
      if (std::binary_search(game_.initial.begin(), game_.initial.end(), f)) {
        named.initial.push_back(game_.fluent_name(f));
      }
    }
    named.moves = of_moves(subgame.moves);
    named.action_independent = subgame.action_independent;
    named.is_read = subgame.is_read;
    named.is_kept = subgame.is_kept;
    return named;
  }

  std::vector<std::string> of_moves(const std::vector<std::uint32_t>& moves) const {
    std::vector<std::string> names;
    for (const std::uint32_t m : moves) {
      const std::string role =
          game_.roles.size() > 1 ? game_.role_name(game_.moves[m].role) + " " : "";
      add(names, game_.moves[m].term, role + game_.move_name(m));
    }
    return names;
  }

 private:
  void add(std::vector<std::string>& names, const gdl::Term& term, std::string ground) const {
    if (grain_ == Grain::ground) {
      names.push_back(std::move(ground));
    } else {
      add_name(names, std::string(game_.rulesheet->symbols.name(term.name)));
    }
  }

  const ground::Game& game_;
  const Grain grain_;
};

}  // namespace

base::Result<FactorResult> factor(const FactorRequest& request, const Context& context) {
  const base::Limits limits = request.limits.start(context);
  context.report("grounding");
  auto game = ground::ground(request.rules, {limits});
  if (!game) return tl::unexpected(game.error());
  FactorResult result;
  result.game = std::make_shared<const ground::Game>(std::move(*game));
  context.report("looking for subgames");
  const auto begin = std::chrono::steady_clock::now();
  const circuit::CompiledGame compiled(result.game);
  auto found = analysis::find_subgames(compiled, {request.grain, limits});
  if (!found) return tl::unexpected(found.error());
  result.decomposition = std::move(*found);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const SubgameNames names(*result.game, request.grain);
  for (const Subgame& subgame : result.decomposition.subgames) {
    result.subgames.push_back(names.of(subgame));
  }
  result.other_moves = names.of_moves(result.decomposition.other_moves);
  return result;
}

const char* name_of(Grain grain) { return grain == Grain::symbol ? "symbol" : "ground"; }

}  // namespace zermelo::app
