#include "app/describe.h"

#include <algorithm>
#include <map>
#include <utility>

#include "analysis/subgames.h"
#include "ground/ground.h"
#include "know/properties.h"
#include "machine/machine.h"

namespace zermelo::app {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr Seconds usual_subgame_time{2};
constexpr Seconds usual_knowledge_time{2};
constexpr std::size_t max_described_worlds = 1'000'000;

class Describer {
 public:
  Describer(const DescribeRequest& request, const Context& context)
      : request_(request), context_(context), limits_(request.limits.start(context)) {}

  base::Result<GameDescription> run() {
    if (auto grounded = ground(); !grounded) return tl::unexpected(grounded.error());
    if (request_.conditions || request_.more_states || request_.symbolic) {
      if (auto added = add_facts(); !added) return tl::unexpected(added.error());
    }
    return std::move(facts_);
  }

 private:
  base::Result<void> ground() {
    context_.report("grounding");
    const auto begin = Clock::now();
    auto game = ground::ground(request_.rules, {limits_});
    if (!game) return tl::unexpected(game.error());
    facts_.ground_seconds = Seconds(Clock::now() - begin).count();
    facts_.game = std::make_shared<const ground::Game>(std::move(*game));
    return {};
  }

  // Everything that needs a machine.
  base::Result<void> add_facts() {
    auto machine =
        machine::Machine::make(std::make_shared<const circuit::CompiledGame>(facts_.game), limits_);
    if (!machine) return tl::unexpected(machine.error());
    machine_ = std::move(*machine);
    left_ = limits_.time_left();
    if (request_.conditions) {
      context_.report("analysing");
      analyse();
    } else if (request_.more_states) {
      bound_states();
    }
    return request_.symbolic ? add_symbolic_facts() : base::Result<void>();
  }

  void analyse() {
    analysis::ConditionOptions conditions;
    conditions.seed = request_.seed;
    conditions.seconds = share_of_time(conditions.seconds);
    conditions.limits = limits_;
    facts_.conditions = analysis::check_dynamic_conditions(machine_, conditions);
    if (!facts_.conditions->states) bound_states();
    analysis::MutexOptions mutex;
    mutex.seed = request_.seed;
    mutex.seconds = share_of_time(mutex.seconds);
    mutex.limits = limits_;
    facts_.mutex_groups = analysis::find_mutex_groups(machine_, mutex);
    count_subgames();
    facts_.optimiser = optimiser_facts(machine_->compiled(), limits_);
    if (facts_.game->imperfect_information()) check_players();
  }

  void check_players() {
    facts_.knowledge = know::check_knowledge(
        machine_, {limits_.within(share_of_time(usual_knowledge_time)), max_described_worlds});
  }

  void count_subgames() {
    const base::Limits limits = limits_.within(share_of_time(usual_subgame_time));
    const auto parts = [&](analysis::Grain grain) -> std::optional<std::size_t> {
      const auto found = analysis::find_subgames(*machine_->compiled(), {grain, limits});
      return found ? std::optional(found->parts()) : std::nullopt;
    };
    facts_.subgames = {parts(analysis::Grain::symbol), parts(analysis::Grain::ground)};
  }

  void bound_states() {
    analysis::StateBoundOptions bound;
    bound.seed = request_.seed;
    if (request_.more_states) {
      bound.seconds *= 10;
      bound.max_games *= 10;
    }
    bound.seconds = share_of_time(bound.seconds);
    bound.limits = limits_;
    facts_.state_bound = analysis::bound_states(machine_, bound);
  }

  // The parts of the analysis share what the time limit leaves of their usual time.
  Seconds share_of_time(Seconds usual) const {
    if (context_.stop.stop_requested()) return Seconds(0);
    if (!left_) return usual;
    const int parts = request_.conditions ? 7 : 1;
    return std::min(usual, *left_ / parts);
  }

  base::Result<void> add_symbolic_facts() {
    SymbolicFactsOptions options{limits_, facts_.mutex_groups};
    if (request_.limits.time) {
      options.group_seconds = std::min(options.group_seconds, *request_.limits.time / 4);
    }
    auto symbolic = symbolic_facts(machine_, options);
    if (!symbolic) return tl::unexpected(symbolic.error());
    facts_.symbolic = std::move(*symbolic);
    return {};
  }

  const DescribeRequest& request_;
  const Context& context_;
  const base::Limits limits_;
  std::shared_ptr<const machine::Machine> machine_;
  std::optional<Seconds> left_;  // of the time when the machine was built
  GameDescription facts_;
};

}  // namespace

base::Result<GameDescription> describe(const DescribeRequest& request, const Context& context) {
  return Describer(request, context).run();
}

const char* name_of(analysis::Evidence evidence) {
  constexpr const char* names[] = {"proved", "refuted", "sampled"};
  return names[static_cast<std::size_t>(evidence)];
}

const char* information_of(const GameDescription& facts) {
  if (!facts.game->imperfect_information()) return "perfect";
  if (!facts.knowledge) return "unknown";
  const auto& players = facts.knowledge->players;
  const bool refuted = std::any_of(players.begin(), players.end(),
                                   [](const auto& player) { return player.state.has_value(); });
  return refuted ? "imperfect" : facts.knowledge->complete() ? "perfect" : "unknown";
}

std::vector<std::pair<std::string, std::size_t>> percepts_of(const ground::Game& game,
                                                             std::size_t role) {
  std::map<std::string, std::size_t> counts;
  for (std::uint32_t p = game.first_percept_of[role]; p < game.first_percept_of[role + 1]; ++p)
    ++counts[game.rulesheet->symbols.name(game.percepts[p].term.name)];
  return {counts.begin(), counts.end()};
}

std::uint32_t moves_of(const ground::Game& game, std::size_t role) {
  return game.first_move_of[role + 1] - game.first_move_of[role];
}

std::vector<int> goal_values(const ground::Game& game, std::size_t role) {
  std::vector<int> values;
  for (const auto& goal : game.goals[role]) values.push_back(goal.value);
  return values;
}

}  // namespace zermelo::app
