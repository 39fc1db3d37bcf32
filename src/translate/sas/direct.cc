// From the ground game to a planning task.
//
// Fluents become values of variables, one variable per mutex group. Each move becomes an operator
// with the effects that the next rules have for it (move_operators.cc); derived atoms are inlined
// where that does not grow, and axioms otherwise (rule_values.cc). No operator of a move is
// applicable in a terminal state. Rewards are operators reach-goal of cost 100 minus the reward,
// applicable where the game is over with that reward; the task's goal is that one of them was
// applied. So the cheapest plan has the best reward. With Aim::maximum, the goal is instead that
// the game is over with the highest value of any goal rule: heuristics that count goals see more.
//
// C. Ruediger's and S. Sievers' theses (2009), which the 2013 paper cites, looked for such effects
// in the rules with variables, where axioms over does have to be unfolded. On the ground game, with
// one move at a time, each rule is either decided or has few conditions left.
#include "translate/sas/direct.h"

#include <algorithm>

#include "base/limited_steps.h"
#include "gdl/printer.h"
#include "translate/one_role.h"
#include "translate/planning_names.h"
#include "translate/sas/encoding.h"
#include "translate/sas/layers.h"
#include "translate/sas/move_operators.h"
#include "translate/sas/prune.h"
#include "translate/sas/rule_values.h"
#include "translate/sas/step_counter.h"

namespace zermelo::translate::sas {

namespace {

using ground::Atom;
using ground::Game;

constexpr std::size_t max_literals = 1'000'000;  // of rules in which mutex groups are looked for
constexpr std::size_t max_products = 256;        // cubes multiplied out for a reward
constexpr std::size_t max_ways = 8;              // operators for a reward; above, it is an axiom

// cell(1, 1, b)
std::string atom_text(const gdl::Term& term, const gdl::SymbolTable& symbols) {
  std::string text = symbols.name(term.name);
  for (std::size_t i = 0; i < term.arguments.size(); ++i)
    text += (i == 0 ? "(" : ", ") + atom_text(term.arguments[i], symbols);
  return term.arguments.empty() ? text : text + ")";
}

// cell-1-1-b
std::string word(const gdl::Term& term, const gdl::SymbolTable& symbols) {
  std::string text = symbols.name(term.name);
  for (const gdl::Term& argument : term.arguments) text += "-" + word(argument, symbols);
  return text;
}

class Translation {
 public:
  Translation(const Game& game, const DirectOptions& options, StepCounter counter,
              const std::vector<analysis::MutexGroup>& groups, std::vector<bool> can_be_none)
      : game_(game),
        options_(options),
        counter_(std::move(counter)),
        encoding_(game, groups, dropped_fluents(), std::move(can_be_none)),
        axioms_(encoding_.domains),
        values_(game, encoding_, axioms_, counter_.dependent,
                [this](Atom atom) { return name_of(atom); }) {}

  base::Result<MoveOperators> move_operators() {
    return make_move_operators(game_, encoding_, axioms_, values_, options_.limits);
  }

  // By variable, with what the operators needed in addition.
  std::vector<bool> can_be_none(const std::vector<bool>& needs_none) const {
    std::vector<bool> result = encoding_.can_be_none;
    for (std::size_t v = 0; v < result.size(); ++v) result[v] = result[v] || needs_none[v];
    return result;
  }

  // Throws base::LimitReached at a limit.
  Task task(std::vector<Operator> operators) {
    task_.operators = std::move(operators);
    for (Operator& made : task_.operators) name_operator(made);
    task_.uses_costs = options_.aim == Aim::rewards;
    options_.aim == Aim::rewards ? add_rewards() : set_goal();
    add_variables();
    task_.step_counter = counter_.fluents;
    task_.glossary.rulesheet = game_.rulesheet;
    prune(task_);
    assign_layers(task_);
    return std::move(task_);
  }

 private:
  std::vector<bool> dropped_fluents() const {
    std::vector<bool> dropped(game_.fluents.size(), false);
    for (const Atom fluent : counter_.fluents) dropped[fluent] = true;
    return dropped;
  }

  std::string name_of(Atom atom) const {
    const auto& symbols = game_.rulesheet->symbols;
    if (atom == game_.terminal) return "terminal";
    for (const Game::Goal& goal : game_.goals[0]) {
      if (goal.atom == atom) return "goal(" + std::to_string(goal.value) + ")";
    }
    const auto legal = std::find(game_.legal.begin(), game_.legal.end(), atom);
    if (legal == game_.legal.end()) return "";
    const auto move = static_cast<std::size_t>(legal - game_.legal.begin());
    return "legal(" + atom_text(game_.moves[move].term, symbols) + ")";
  }

  void name_operator(Operator& made) {
    const gdl::Term& move = game_.moves[*made.move].term;
    made.name = names_.unique(word(move, game_.rulesheet->symbols));
    made.cost = options_.unit_cost ? 1 : 0;
    task_.glossary.actions[made.name] = {0, move};
  }

  // When the game is over with a value.
  Dnf conditions_of(const Game::Goal& goal) {
    const Dnf over = values_.of(game_.terminal), won = values_.of(goal.atom);
    Dnf both;
    if (over.size() * won.size() > max_products) {
      Cube cube;
      if (values_.append({game_.terminal, false}, cube) && values_.append({goal.atom, false}, cube))
        both.push_back(std::move(cube));
    } else {
      for (const Cube& a : over) {
        for (const Cube& b : won) {
          both.push_back(a);
          both.back().insert(both.back().end(), b.begin(), b.end());
        }
      }
    }
    std::erase_if(both, [&](Cube& cube) { return !encoding_.domains.normalise(cube); });
    reduce(both);
    return both;
  }

  void add_rewards() {
    std::vector<std::pair<int, Dnf>> rewards;
    for (const Game::Goal& goal : game_.goals[0]) {
      if (goal.value < options_.least_reward || goal.value > 100) continue;
      Dnf ways = conditions_of(goal);
      if (ways.size() > max_ways) ways = {{axioms_.of(ways)}};
      rewards.emplace_back(goal.value, std::move(ways));
    }
    const std::uint32_t reached = encoding_.domains.add(2);
    for (const auto& [value, ways] : rewards) {
      for (const Cube& way : ways) add_reach_goal(value, way, reached);
    }
    task_.goal = {{reached, derived_true, true}};
  }

  void add_reach_goal(int value, const Cube& way, std::uint32_t reached) {
    Operator made;
    made.name = names_.unique("reach-goal-" + std::to_string(value));
    made.precondition = way;
    made.effects = {{{}, reached, derived_true}};
    made.cost = 100 - value;
    task_.glossary.actions[made.name] = {};
    task_.operators.push_back(std::move(made));
  }

  void set_goal() {
    const Dnf ways = conditions_of(game_.goals[0].back());
    task_.goal = ways.size() == 1 && !ways[0].empty() ? ways[0] : Cube{axioms_.of(ways)};
  }

  void add_variables() {
    const auto& symbols = game_.rulesheet->symbols;
    task_.fluents.assign(game_.fluents.size(), {FluentPlace::Kind::left_out, 0, 0});
    for (std::uint32_t v = 0; v < encoding_.variables(); ++v) {
      Variable variable{{}, encoding_.initial[v], false, 0};
      for (std::uint32_t value = 0; value < encoding_.none(v); ++value) {
        const Atom fluent = encoding_.fluents[v][value];
        variable.values.push_back(atom_text(game_.fluents[fluent], symbols));
        task_.fluents[fluent] = {FluentPlace::Kind::value, v, value};
        task_.glossary.fluents[variable.values.back()] = game_.fluents[fluent];
      }
      if (encoding_.can_be_none[v]) variable.values.push_back("");
      task_.variables.push_back(std::move(variable));
    }
    add_derived_variables();
    if (options_.aim == Aim::rewards)
      task_.variables.push_back({{"goal-reached", ""}, derived_false, false, 0});
  }

  void add_derived_variables() {
    base::LimitedSteps steps(options_.limits, "translating the game");
    for (std::size_t a = 0; a < axioms_.size(); ++a) {
      task_.variables.push_back({{axioms_.name(a), ""}, derived_false, true, 0});
      for (Cube& cube : axioms_.take_definition(a)) {
        steps.take(1 + cube.size());
        task_.axioms.push_back({axioms_.first() + static_cast<std::uint32_t>(a), std::move(cube)});
      }
    }
  }

  const Game& game_;
  const DirectOptions& options_;
  StepCounter counter_;
  Encoding encoding_;
  AxiomTable axioms_;
  RuleValues values_;
  pddl::Names names_;
  Task task_;
};

base::Result<void> check(const Game& game) {
  if (auto single = require_one_role(*game.rulesheet); !single) return single;
  if (game.goals[0].empty() || game.goals[0].back().value <= 0) {
    return base::fail(
        base::ErrorKind::not_applicable,
        "no goal value above 0 can hold in the game, so there is nothing to plan for");
  }
  return {};
}

}  // namespace

std::vector<analysis::MutexGroup> groups_for_task(const Game& game, const base::Limits& limits) {
  if (game.literals.size() > max_literals) return {};
  return analysis::find_mutex_groups_by_rules(game, limits);
}

base::Result<Task> to_task(const Game& game, const DirectOptions& options) {
  if (auto applicable = check(game); !applicable) return tl::unexpected(applicable.error());
  StepCounter counter{{}, std::vector<bool>(game.atoms, false)};
  if (options.drop_step_counter) counter = find_step_counter(game);
  std::vector<analysis::MutexGroup> groups;
  if (options.use_groups)
    groups = options.groups ? *options.groups : groups_for_task(game, options.limits);
  std::vector<bool> can_be_none;
  while (true) {
    Translation translation(game, options, counter, groups, can_be_none);
    base::Result<MoveOperators> moves = translation.move_operators();
    if (!moves) return tl::unexpected(moves.error());
    can_be_none = translation.can_be_none(moves->needs_none);
    if (std::count(moves->needs_none.begin(), moves->needs_none.end(), true) == 0)
      return base::within_limits([&] { return translation.task(std::move(moves->operators)); });
  }
}

}  // namespace zermelo::translate::sas
