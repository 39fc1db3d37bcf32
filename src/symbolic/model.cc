#include "symbolic/model.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "analysis/mutex_groups.h"
#include "symbolic/phase_program.h"
#include "symbolic/rule_conditions.h"

namespace zermelo::symbolic {

using ground::Atom;

namespace {

// A change of one variable by some step of a relation.
struct Change {
  std::size_t variable;
  dd::Value from, to;
  auto operator<=>(const Change&) const = default;
};

std::set<Change> changes_of(const dd::Relation& relation) {
  std::set<Change> changes;
  for (std::size_t l = 0; l < relation.domains().size(); ++l) {
    const dd::Relation::Level& level = relation.level(l);
    for (dd::NodeId node = 0; node < level.width(); ++node) {
      if (level.is_identity(node)) continue;
      for (dd::Value from = 0; from < relation.domains()[l]; ++from) {
        for (const auto& step : level.steps(dd::Relation::Side::current, node, from)) {
          if (step.value != from) changes.insert({l, from, step.value});
        }
      }
    }
  }
  return changes;
}

}  // namespace

Model::Model(std::shared_ptr<const machine::Machine> machine, Encoding encoding)
    : machine_(std::move(machine)), encoding_(std::move(encoding)) {}

std::vector<dd::Value> Model::initial() const {
  machine::State state(machine_->game().fluents.size());
  for (const Atom fluent : machine_->game().initial) state.set(fluent);
  return encoding_.assignment(state);
}

const std::vector<Condition>& Model::terminal_after(std::size_t layer) const {
  return terminal_after_[encoding_.clock().position(layer)];
}

base::Result<std::vector<std::vector<Goal>>> Model::goals(std::size_t layer) const {
  const PhaseProgram program(machine_->game(), encoding_, encoding_.clock().position(layer));
  RuleConditions rules(program, encoding_, *conditions_);
  conditions_->allow_at_least(max_nodes_with_goals_);
  if (layer > 0) {
    std::vector<Condition> idle = phase(layer).terminal;
    const std::vector<Condition>& possible = terminal_after(layer - 1);
    std::erase_if(idle,
                  [&](Condition c) { return std::count(possible.begin(), possible.end(), c) > 0; });
    rules.assume_false(std::move(idle));
  }
  std::vector<std::vector<Goal>> result;
  for (const auto& goals : machine_->game().goals) {
    std::vector<Goal>& of_role = result.emplace_back();
    for (const auto& goal : goals) {
      const auto condition = rules.of(goal.atom);
      if (!condition && conditions_->is_full()) {
        return base::fail(base::ErrorKind::not_applicable,
                          "the condition of the goal " + std::to_string(goal.value) +
                              " is too large for decision diagrams");
      }
      if (!condition) return tl::unexpected(condition.error());
      of_role.push_back({goal.value, *condition});
    }
  }
  return result;
}

// Builds the phases one after another.
class ModelBuilder {
 public:
  ModelBuilder(std::shared_ptr<const machine::Machine> machine, Encoding encoding,
               const ModelOptions& options)
      : options_(options), model_(std::move(machine), std::move(encoding)) {
    model_.conditions_ = std::make_shared<dd::Conditions>(
        model_.encoding_.domains(), options.max_condition_nodes, options.limits);
    model_.max_nodes_with_goals_ = options.max_nodes_with_goals;
  }

  base::Result<Model> run() {
    if (auto done = add_phases(); !done) {
      if (conditions().table_size() <= options_.max_condition_nodes) {
        return tl::unexpected(done.error());
      }
      return base::fail(base::ErrorKind::not_applicable,
                        "the rules are too large for decision diagrams: " + building_);
    }
    model_.grading_ = Grading::guess(model_.machine_, model_.encoding_);
    return std::move(model_);
  }

 private:
  base::Result<void> add_phases() {
    std::map<std::vector<std::uint32_t>, std::size_t> phase_of;
    for (std::size_t position = 0; position < clock().positions(); ++position) {
      const PhaseProgram program(game(), model_.encoding_, position);
      const auto [known, is_new] = phase_of.try_emplace(program.signature(), model_.phases_.size());
      if (is_new) {
        if (auto added = add_phase(program); !added) return tl::unexpected(added.error());
      }
      model_.phase_of_position_.push_back(known->second);
    }
    return find_terminal_after();
  }

  const ground::Game& game() const { return model_.machine_->game(); }
  const Clock& clock() const { return model_.encoding_.clock(); }
  dd::Conditions& conditions() { return *model_.conditions_; }
  dd::Options diagrams() const {
    dd::Options result;
    result.limits = options_.limits;
    return result;
  }

  base::Result<void> add_phase(const PhaseProgram& program) {
    RuleConditions rules(program, model_.encoding_, conditions());
    PhaseModel phase{{}, {}, {}, 0, dd::Relation::nothing(model_.encoding_.domains())};
    auto done = add_terminal(rules, phase);
    if (done) done = add_legal(program, rules, phase);
    if (done) done = add_relation(rules, phase);
    model_.phases_.push_back(std::move(phase));
    return done;
  }

  base::Result<void> add_terminal(RuleConditions& rules, PhaseModel& phase) {
    building_ = "termination";
    const auto disjuncts = rules.disjuncts(game().terminal, options_.max_disjunct_nodes);
    if (!disjuncts) return tl::unexpected(disjuncts.error());
    auto joined = conditions().disjunction(*disjuncts);
    if (!joined) return tl::unexpected(joined.error());
    phase.terminal = std::move(*joined);
    return {};
  }

  base::Result<void> add_legal(const PhaseProgram& program, RuleConditions& rules,
                               PhaseModel& phase) {
    phase.legal.assign(game().moves.size(), dd::Conditions::never);
    phase.moves.resize(game().roles.size());
    for (std::size_t role = 0; role < game().roles.size(); ++role) {
      for (const std::uint32_t move : program.moves(role)) {
        building_ =
            "legality of " + game().move_name(move) + " of " + model_.machine_->roles()[role];
        const auto condition = rules.of(game().legal[move]);
        if (!condition) return tl::unexpected(condition.error());
        phase.legal[move] = *condition;
        if (*condition != dd::Conditions::never) phase.moves[role].push_back(move);
      }
    }
    return {};
  }

  base::Result<void> add_relation(RuleConditions& rules, PhaseModel& phase) {
    building_ = "the next state without moves";
    if (auto done = rules.make({}); !done) return done;
    if (auto done = find_drifting(rules); !done) return done;
    building_ = "the effects of moves";
    std::vector<dd::Relation> moves;
    std::vector<std::uint32_t> joint;
    if (auto done = add_joint_moves(rules, phase, joint, dd::Conditions::always, moves); !done) {
      return done;
    }
    phase.joint_moves = moves.size();
    if (moves.empty()) return {};
    auto all = dd::union_of(moves, diagrams());
    if (!all) return tl::unexpected(all.error());
    phase.relation = std::move(*all);
    return {};
  }

  // The variables that change even if no moves are made.
  base::Result<void> find_drifting(RuleConditions& rules) {
    drifting_.clear();
    for (std::size_t v = 0; v < model_.encoding_.variables().size(); ++v) {
      const auto update = update_of(rules, v);
      if (!update) return tl::unexpected(update.error());
      if (!is_identity(*update)) drifting_.push_back(v);
    }
    return {};
  }

  base::Result<void> add_joint_moves(RuleConditions& rules, const PhaseModel& phase,
                                     std::vector<std::uint32_t>& joint, Condition guard,
                                     std::vector<dd::Relation>& moves) {
    const std::size_t role = joint.size();
    if (role == phase.moves.size()) return add_joint_move(rules, joint, guard, moves);
    for (const std::uint32_t move : phase.moves[role]) {
      const auto both = conditions().both(guard, phase.legal[move]);
      if (!both) return tl::unexpected(both.error());
      if (*both == dd::Conditions::never) continue;
      joint.push_back(move);
      auto done = add_joint_moves(rules, phase, joint, *both, moves);
      joint.pop_back();
      if (!done) return done;
    }
    return {};
  }

  base::Result<void> add_joint_move(RuleConditions& rules, const std::vector<std::uint32_t>& joint,
                                    Condition guard, std::vector<dd::Relation>& moves) {
    if (moves.size() == options_.max_joint_moves) {
      return base::fail(base::ErrorKind::not_applicable,
                        "too many joint moves for decision diagrams");
    }
    if (auto done = rules.make(joint); !done) return done;
    std::vector<std::size_t> touched = drifting_;
    for (const Atom fluent : rules.moved()) {
      touched.push_back(model_.encoding_.place(fluent)->variable);
    }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    std::vector<dd::Update> updates;
    for (const std::size_t variable : touched) {
      auto update = update_of(rules, variable);
      if (!update) return tl::unexpected(update.error());
      const auto unchanged = is_identity_where(guard, *update);
      if (!unchanged) return tl::unexpected(unchanged.error());
      if (!*unchanged) updates.push_back(std::move(*update));
    }
    auto relation = dd::Relation::of_updates(conditions(), guard, updates,
                                             options_.max_relation_nodes, diagrams());
    if (!relation) return tl::unexpected(relation.error());
    moves.push_back(std::move(*relation));
    return {};
  }

  base::Result<dd::Update> update_of(RuleConditions& rules, std::size_t v) {
    const Variable& variable = model_.encoding_.variables()[v];
    dd::Update update{v, {}};
    base::Result<Condition> some = dd::Conditions::never;
    for (const Atom fluent : variable.fluents) {
      const auto next = rules.next(fluent);
      if (!next) return tl::unexpected(next.error());
      update.becomes.push_back(*next);
      if (variable.may_be_none) some = conditions().either(*some, *next);
      if (!some) return tl::unexpected(some.error());
    }
    if (variable.may_be_none) {
      const auto none = conditions().negation(*some);
      if (!none) return tl::unexpected(none.error());
      update.becomes.push_back(*none);
    }
    return update;
  }

  bool is_identity(const dd::Update& update) {
    for (dd::Value value = 0; value < update.becomes.size(); ++value) {
      if (update.becomes[value] != conditions().literal(update.variable, {value})) return false;
    }
    return true;
  }

  base::Result<bool> is_identity_where(Condition guard, const dd::Update& update) {
    for (dd::Value value = 0; value < update.becomes.size(); ++value) {
      const auto next = conditions().both(guard, update.becomes[value]);
      if (!next) return tl::unexpected(next.error());
      const auto current = conditions().both(guard, conditions().literal(update.variable, {value}));
      if (!current) return tl::unexpected(current.error());
      if (*next != *current) return false;
    }
    return true;
  }

  // Whether the disjunct cannot become true by changes: if it holds after one, it held before.
  base::Result<bool> never_gained(Condition disjunct, const std::set<Change>& changes) {
    std::map<std::size_t, std::vector<Condition>> nodes;  // by variable
    for (const Condition node : conditions().nodes(disjunct)) {
      nodes[conditions().level(node)].push_back(node);
    }
    for (const Change& change : changes) {
      for (const Condition node : nodes[change.variable]) {
        const auto implied =
            conditions().implies(conditions().child(node, change.variable, change.to),
                                 conditions().child(node, change.variable, change.from));
        if (!implied || !*implied) return implied;
      }
    }
    return true;
  }

  base::Result<void> find_terminal_after() {
    std::map<std::pair<std::size_t, std::size_t>, std::vector<Condition>> known;  // by two phases
    for (std::size_t position = 0; position < clock().positions(); ++position) {
      const std::size_t from = model_.phase_of_position_[position];
      const std::size_t to = model_.phase_of_position_[clock().position(position + 1)];
      if (!known.contains({from, to})) {
        auto found = terminal_between(model_.phases_[from], model_.phases_[to]);
        if (!found) return tl::unexpected(found.error());
        known[{from, to}] = std::move(*found);
      }
      model_.terminal_after_.push_back(known[{from, to}]);
    }
    return {};
  }

  base::Result<std::vector<Condition>> terminal_between(const PhaseModel& from,
                                                        const PhaseModel& to) {
    const std::set<Change> changes = changes_of(from.relation);
    std::vector<Condition> result;
    for (const Condition disjunct : to.terminal) {
      const bool was_tested = std::count(from.terminal.begin(), from.terminal.end(), disjunct) > 0;
      const std::size_t before = conditions().table_size();
      auto idle = was_tested ? never_gained(disjunct, changes) : base::Result<bool>(false);
      if (!idle && conditions().is_full()) {  // keep the disjunct, even if it is not needed
        conditions().forget_after(before);
        idle = false;
      }
      if (!idle) return tl::unexpected(idle.error());
      if (!*idle) result.push_back(disjunct);
    }
    return result;
  }

  const ModelOptions& options_;
  Model model_;
  std::vector<std::size_t> drifting_;
  std::string building_;  // the part of the rules that is being built, for messages
};

Encoding find_encoding(std::shared_ptr<const machine::Machine> machine,
                       const ModelOptions& options) {
  analysis::MutexOptions groups;
  groups.seconds = options.group_seconds;
  groups.limits = options.limits;
  groups.past_terminal = options.past_terminal;
  Clock clock = find_clock(machine->compiled()->autonomous());
  return Encoding(machine->game(), std::move(clock), analysis::find_mutex_groups(machine, groups));
}

base::Result<Model> build_model(std::shared_ptr<const machine::Machine> machine, Encoding encoding,
                                const ModelOptions& options) {
  return ModelBuilder(std::move(machine), std::move(encoding), options).run();
}

}  // namespace zermelo::symbolic
