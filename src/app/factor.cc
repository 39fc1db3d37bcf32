#include "app/factor.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <utility>

#include "analysis/subgame_rules.h"
#include "app/draw_dependencies.h"
#include "app/output_folder.h"
#include "app/write_file.h"
#include "gdl/validity.h"
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

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// By name of the file.
base::Result<std::map<std::string, std::string>> subgame_texts(const FactorResult& result) {
  std::map<std::string, std::string> texts;
  for (std::size_t i = 0; i < result.decomposition.subgames.size(); ++i) {
    if (result.decomposition.subgames[i].action_independent) continue;
    auto rules = analysis::subgame_rules(*result.game, result.decomposition, i);
    if (!rules) {
      return base::fail(rules.error().kind,
                        fmt::format("subgame {} cannot be written as a game of its own: {}", i + 1,
                                    rules.error().message));
    }
    texts.emplace(fmt::format("subgame_{}.kif", i + 1), std::move(*rules));
  }
  return texts;
}

base::Result<void> write_subgames(const std::string& folder, FactorResult& result) {
  const auto texts = subgame_texts(result);
  if (!texts) return tl::unexpected(texts.error());
  auto out = OutputFolder::open(folder);
  if (!out) return tl::unexpected(out.error());
  for (const auto& [name, text] : *texts) {
    out->write(name, text);
    result.files.push_back((std::filesystem::path(folder) / name).string());
  }
  return out->written();
}

base::Result<void> draw_dependencies(const std::string& path, const circuit::CompiledGame& compiled,
                                     const base::Limits& limits, FactorResult& result) {
  const auto graph = analysis::dependency_graph(compiled, result.decomposition, limits);
  if (!graph) return tl::unexpected(graph.error());
  result.files.push_back(path);
  return write_file(
      path, ends_with(path, ".svg") ? dependencies_as_svg(*graph) : dependencies_as_dot(*graph));
}

base::Result<void> check_drawing(const std::string& path) {
  if (path.empty() || ends_with(path, ".svg") || ends_with(path, ".dot")) return {};
  return base::fail(base::ErrorKind::invalid_request,
                    fmt::format("the drawing {} must end with .svg or .dot", path));
}

}  // namespace

base::Result<FactorResult> factor(const FactorRequest& request, const Context& context) {
  if (const auto valid = check_drawing(request.draw); !valid) return tl::unexpected(valid.error());
  if (const auto perfect = gdl::require_perfect_information(*request.rules, "factor"); !perfect) {
    return tl::unexpected(perfect.error());
  }
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
  base::Result<void> written;
  if (!request.out.empty()) written = write_subgames(request.out, result);
  if (written && !request.draw.empty()) {
    written = draw_dependencies(request.draw, compiled, limits, result);
  }
  if (!written) return tl::unexpected(written.error());
  return result;
}

const char* name_of(Grain grain) { return grain == Grain::symbol ? "symbol" : "ground"; }

}  // namespace zermelo::app
