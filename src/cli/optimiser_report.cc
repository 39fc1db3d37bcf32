#include "cli/optimiser_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/exclusive_moves.h"
#include "cli/output.h"
#include "lanes/sliced_machine.h"

namespace zermelo::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_rules = 1'000'000;

std::size_t count(const std::vector<bool>& flags) {
  return static_cast<std::size_t>(std::count(flags.begin(), flags.end(), true));
}

std::size_t count_constant(const circuit::LastingFacts& facts, bool value) {
  return static_cast<std::size_t>(
      std::count(facts.constant.begin(), facts.constant.end(), std::optional<bool>(value)));
}

std::size_t in_groups(const analysis::MutexGroups& found) {
  std::size_t fluents = 0;
  for (const analysis::MutexGroup& group : found.groups) fluents += group.fluents.size();
  return fluents;
}

}  // namespace

std::optional<OptimiserFacts> optimiser_facts(
    const std::shared_ptr<const circuit::CompiledGame>& compiled, const base::Limits& limits) {
  if (compiled->game().rules() > most_rules || limits.exceeded()) return std::nullopt;
  lanes::SlicedOptions options;
  options.exclusive_moves = analysis::exclusive_moves(compiled->game(), limits);
  options.limits = limits;
  options.backend = lanes::LaneBackend::avx2;  // the same operations on every processor
  auto passes = circuit::pass_sizes(*compiled, limits);
  const auto found = compiled->facts(limits);
  const auto sliced = lanes::SlicedMachine::make(compiled, options);
  if (!passes || !found || !sliced) return std::nullopt;
  OptimiserFacts facts;
  facts.passes = std::move(*passes);
  facts.lasting = (*found)->lasting;
  facts.phases = (*sliced)->phases().size();
  facts.operations_per_step = (*sliced)->operations() / facts.phases;
  return facts;
}

Json as_json(const OptimiserFacts& facts) {
  Json passes = Json::array();
  for (const circuit::PassSize& pass : facts.passes) {
    passes.push_back({{"pass", pass.pass}, {"gates", pass.size.gates}, {"wires", pass.size.wires}});
  }
  return {{"passes", passes},
          {"always_true", count_constant(facts.lasting, true)},
          {"always_false", count_constant(facts.lasting, false)},
          {"stay_true", count(facts.lasting.stays_true)},
          {"stay_false", count(facts.lasting.stays_false)},
          {"lasting_gates", facts.lasting.lasting_gates},
          {"phases", facts.phases},
          {"operations_per_step", facts.operations_per_step}};
}

void add_mutex_groups(const analysis::MutexGroups& found, const ground::Game& game, Json& json) {
  Json groups = Json::array(), sizes = Json::array();
  for (const analysis::MutexGroup& group : found.groups) {
    Json names = Json::array();
    for (const ground::Atom fluent : group.fluents) names.push_back(game.fluent_name(fluent));
    groups.push_back(std::move(names));
    sizes.push_back(group.exactly_one);
  }
  json["mutex_groups"] = std::move(groups);
  json["mutex_proof"] = {{"evidence", "proved"},
                         {"exactly_one", std::move(sizes)},
                         {"finished", found.finished},
                         {"reason", found.summary}};
}

Lines optimiser_lines(const OptimiserFacts& facts) {
  std::vector<std::string> passes;
  for (const circuit::PassSize& pass : facts.passes) {
    passes.push_back(
        fmt::format("{} {} ({})", pass.pass, grouped(pass.size.gates), grouped(pass.size.wires)));
  }
  return {
      {"optimiser", fmt::format("gates (wires): {}", fmt::join(passes, ", "))},
      {"lasting facts", fmt::format("{} always true, {} never, {} stay once true, {} once false",
                                    counted(count_constant(facts.lasting, true), "fluent"),
                                    grouped(count_constant(facts.lasting, false)),
                                    grouped(count(facts.lasting.stays_true)),
                                    grouped(count(facts.lasting.stays_false)))},
      {"random play",
       fmt::format("{} in a step of 256 games, {}", counted(facts.operations_per_step, "operation"),
                   counted(facts.phases, "phase"))}};
}

Lines mutex_lines(const analysis::MutexGroups& found, const ground::Game& game) {
  return {{"mutex groups", fmt::format("{} of the {} are in one; {}", grouped(in_groups(found)),
                                       counted(game.fluents.size(), "fluent"), found.summary)}};
}

}  // namespace zermelo::cli
