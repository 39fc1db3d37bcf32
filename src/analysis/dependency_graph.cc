// A fluent is a precondition of a move if the legality of the move depends on it, or the next value
// of a fluent that the move acts on (Definition 3 of "Factoring General Games"). Constants and
// action-independent fluents have no edges, because they connect nothing.
#include "analysis/dependency_graph.h"

#include <map>
#include <memory>

#include "analysis/step_dependencies.h"

namespace zermelo::analysis {

using ground::Atom;

namespace {

class GraphBuilder {
 public:
  GraphBuilder(const ground::Game& game, const Decomposition& found)
      : game_(game), found_(found), subgame_of_(game.fluents.size(), none) {
    for (std::uint32_t i = 0; i < found.subgames.size(); ++i) {
      for (const Atom f : found.subgames[i].fluents) {
        subgame_of_[f] = i;
        fluent(f);
      }
      for (const std::uint32_t m : found.subgames[i].moves) move(m, i);
    }
    for (const std::uint32_t m : found.other_moves) {
      move(m, static_cast<std::uint32_t>(found.subgames.size()));
    }
  }

  void add_phase(StepDependencies& phase) {
    for (Atom f = 0; f < game_.fluents.size(); ++f) {
      if (is_drawn(f) && !phase.is_fixed(f)) add_effects(phase, f);
    }
    for (std::uint32_t m = 0; m < game_.moves.size(); ++m) {
      if (!phase.is_choice(m)) continue;
      for (const Atom f : phase.support(phase.circuit().legal[m]).fluents) add_precondition(f, m);
    }
  }

  DependencyGraph graph() { return std::move(graph_); }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  bool is_drawn(Atom f) const {
    return subgame_of_[f] != none && !found_.subgames[subgame_of_[f]].action_independent;
  }

  std::uint32_t node(const std::string& key, const std::string& name, bool is_move,
                     std::uint32_t subgame) {
    const auto [entry, is_new] =
        numbers_.emplace(key, static_cast<std::uint32_t>(graph_.nodes.size()));
    if (is_new) graph_.nodes.push_back({name, is_move, subgame});
    return entry->second;
  }

  std::uint32_t fluent(Atom f) {
    const std::string name = name_of(game_.fluents[f], game_.fluent_name(f));
    return node("f" + name, name, false, subgame_of_[f]);
  }

  std::uint32_t move(std::uint32_t m, std::uint32_t subgame) {
    const std::string name = name_of(game_.moves[m].term, game_.move_name(m));
    return node("m" + std::to_string(subgame) + name, name, true, subgame);
  }

  std::string name_of(const gdl::Term& term, const std::string& ground) const {
    return found_.grain == Grain::ground ? ground : game_.rulesheet->symbols.name(term.name);
  }

  void add_effects(StepDependencies& phase, Atom f) {
    const ConditionSupport next = phase.of_next(f);
    for (const std::uint32_t m : phase.effect(f).moves) {
      graph_.edges.insert({move(m, subgame_of_[f]), fluent(f)});
      for (const Atom read : next.fluents) add_precondition(read, m);
    }
  }

  void add_precondition(Atom f, std::uint32_t m) {
    if (is_drawn(f)) graph_.edges.insert({fluent(f), move(m, subgame_of_[f])});
  }

  const ground::Game& game_;
  const Decomposition& found_;
  std::vector<std::uint32_t> subgame_of_;  // by fluent
  std::map<std::string, std::uint32_t> numbers_;
  DependencyGraph graph_;
};

}  // namespace

base::Result<DependencyGraph> dependency_graph(const circuit::CompiledGame& compiled,
                                               const Decomposition& found,
                                               const base::Limits& limits) {
  const auto facts = compiled.facts(limits);
  if (!facts) return tl::unexpected(facts.error());
  return base::within_limits([&] {
    GraphBuilder builder(compiled.game(), found);
    for (const circuit::FixedFluents& fixed : (*facts)->phases) {
      StepDependencies phase(compiled.game(), fixed, limits);
      builder.add_phase(phase);
    }
    return builder.graph();
  });
}

}  // namespace zermelo::analysis
