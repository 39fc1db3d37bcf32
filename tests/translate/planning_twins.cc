#include "translate/planning_twins.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "base/random.h"
#include "gdl/dependency_graph.h"
#include "gdl/parser.h"
#include "gdl/printer.h"
#include "ground/ground.h"
#include "machine/machine.h"
#include "reference/reference.h"
#include "support/pddl_interpreter.h"
#include "support/sas_interpreter.h"
#include "translate/pddl/faithful.h"
#include "translate/pddl/ground.h"
#include "translate/sas/direct.h"
#include "translate/sas/output.h"

namespace zermelo::testing {

namespace {

using Names = std::set<std::string>;
using RulesheetPointer = std::shared_ptr<const gdl::Rulesheet>;
using translate::Glossary;

void require(bool condition, const std::string& message) {
  if (!condition) throw std::runtime_error(message);
}

std::string list(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += " " + name;
  return text;
}

Names only_in(const Names& a, const Names& b) {
  Names result;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(result, result.end()));
  return result;
}

void require_same(const std::string& what, const Names& game, const Names& task) {
  require(game == task, what + ": only in the game:" + list(only_in(game, task)) +
                            "; only in the task:" + list(only_in(task, game)));
}

// A planning task in some state.
class Side {
 public:
  virtual ~Side() = default;
  virtual void reset() = 0;
  virtual Names fluents() = 0;
  // Whether the task has a fluent at all; others do not change, or nothing depends on them.
  virtual bool knows(const std::string& fluent) const = 0;
  // The moves whose actions are applicable, and the rewards that can be taken.
  virtual Names moves() = 0;
  virtual std::set<int> rewards() = 0;
  virtual void make(const std::string& move) = 0;
  // By predicate of the game, its atoms, where the task has them.
  virtual std::map<std::string, Names> derived() { return {}; }
};

std::string decode(const Glossary& glossary, const translate::Pattern& pattern,
                   const std::vector<std::string>& objects) {
  std::vector<gdl::Term> arguments;
  for (const std::string& object : objects) arguments.push_back(glossary.objects.at(object));
  return gdl::print(translate::instantiate(pattern, arguments), glossary.rulesheet->symbols);
}

// What the two kinds of PDDL share.
class PddlSide : public Side {
 public:
  explicit PddlSide(translate::pddl::TaskText text)
      : text_(std::move(text)), task_(text_.domain, text_.problem), state_(task_.initial_state()) {}

  void reset() override { enter(task_.initial_state()); }

  Names fluents() override {
    Names result;
    for (const PddlInterpreter::Atom& atom : state_) {
      std::vector<std::string> names = task_.names(atom);
      const auto pattern = text_.glossary.fluents.find(names[0]);
      if (pattern == text_.glossary.fluents.end()) continue;
      names.erase(names.begin());
      result.insert(decode(text_.glossary, pattern->second, names));
    }
    return result;
  }

  Names moves() override {
    Names result;
    for (const auto& [move, steps] : moves_) result.insert(move);
    return result;
  }

  std::set<int> rewards() override {
    std::set<int> result;
    for (const PddlInterpreter::Step& step : others_) {
      require(task_.action_name(step).starts_with("reach-goal-"),
              "applicable between moves: " + task_.action_name(step));
      require(!task_.is_goal(state_), "the goal holds before it is reached");
      require(task_.is_goal(task_.apply(state_, step)), "reach-goal does not reach the goal");
      result.insert(100 - task_.cost(step));
    }
    return result;
  }

 protected:
  void enter(PddlInterpreter::State state) {
    state_ = std::move(state);
    moves_.clear();
    others_.clear();
    for (const PddlInterpreter::Step& step : task_.applicable(state_)) {
      const Glossary::Action& action = text_.glossary.actions.at(task_.action_name(step));
      if (action.move) {
        require(task_.cost(step) == 0, "a move has a cost");
        moves_[decode(text_.glossary, *action.move, task_.argument_names(step))].push_back(step);
      } else {
        others_.push_back(step);
      }
    }
  }

  translate::pddl::TaskText text_;
  PddlInterpreter task_;
  PddlInterpreter::State state_;
  std::map<std::string, std::vector<PddlInterpreter::Step>> moves_;
  std::vector<PddlInterpreter::Step> others_;
};

class FaithfulSide : public PddlSide {
 public:
  using PddlSide::PddlSide;

  bool knows(const std::string&) const override { return true; }

  void make(const std::string& move) override {
    require(moves_[move].size() == 1, "not one action for " + move);
    enter(task_.apply(state_, moves_[move][0]));
    for (const char* follows : {"eval", "resume-play"}) {
      require(moves_.empty() && others_.size() == 1 && task_.action_name(others_[0]) == follows,
              std::string("not only applicable: ") + follows);
      require(!task_.is_goal(state_), "the goal holds in the middle of a step");
      enter(task_.apply(state_, others_[0]));
    }
  }

  std::map<std::string, Names> derived() override {
    std::map<std::string, Names> result;
    for (const auto& [name, pattern] : text_.glossary.derived) {
      Names& atoms = result[text_.glossary.rulesheet->symbols.name(pattern.name)];
      for (const PddlInterpreter::Atom& atom : task_.derived_atoms(state_, name)) {
        std::vector<std::string> objects = task_.names(atom);
        objects.erase(objects.begin());
        atoms.insert(decode(text_.glossary, pattern, objects));
      }
    }
    return result;
  }
};

class GroundSide : public PddlSide {
 public:
  explicit GroundSide(translate::pddl::TaskText text) : PddlSide(std::move(text)) {
    for (const auto& [name, pattern] : text_.glossary.fluents)
      known_.insert(decode(text_.glossary, pattern, {}));
  }

  bool knows(const std::string& fluent) const override { return known_.contains(fluent); }

  void make(const std::string& move) override {
    const auto place = moves_.find(move);
    if (place == moves_.end()) return;  // no effect
    const PddlInterpreter::State next = task_.apply(state_, place->second[0]);
    for (const PddlInterpreter::Step& step : place->second)
      require(task_.apply(state_, step) == next, "two actions for " + move + " disagree");
    enter(next);
  }

 private:
  Names known_;
};

class SasSide : public Side {
 public:
  explicit SasSide(const translate::sas::Task& task)
      : glossary_(task.glossary), task_(translate::sas::to_sas(task)) {
    for (std::size_t v = 0; v < task_.value_names().size(); ++v) {
      for (const std::string& value : task_.value_names()[v]) {
        if (const auto fluent = fluent_of(v, value)) known_.insert(*fluent);
      }
    }
    reset();
  }

  void reset() override { state_ = task_.initial_state(); }
  bool knows(const std::string& fluent) const override { return known_.contains(fluent); }

  Names fluents() override {
    Names result, denied;
    for (std::size_t v = 0; v < state_.size(); ++v) {
      const auto& values = task_.value_names()[v];
      for (std::size_t value = 0; value < values.size(); ++value) {
        const auto fluent = fluent_of(v, values[value]);
        if (!fluent) continue;
        (state_[v] == static_cast<int>(value) ? result : denied).insert(*fluent);
      }
    }
    for (const std::string& fluent : result)
      require(!denied.contains(fluent), "two variables disagree on " + fluent);
    return result;
  }

  Names moves() override {
    Names result;
    for (std::size_t op = 0; op < task_.operators(); ++op) {
      if (move_of(op) && task_.is_applicable(state_, op)) {
        require(task_.cost(op) == 0, "a move has a cost");
        result.insert(*move_of(op));
      }
    }
    return result;
  }

  std::set<int> rewards() override {
    std::set<int> result;
    for (std::size_t op = 0; op < task_.operators(); ++op) {
      if (move_of(op) || !task_.is_applicable(state_, op)) continue;
      require(!task_.is_goal(state_), "the goal holds before it is reached");
      require(task_.is_goal(task_.apply(state_, op)), "reach-goal does not reach the goal");
      result.insert(100 - task_.cost(op));
    }
    return result;
  }

  void make(const std::string& move) override {
    std::optional<SasInterpreter::State> next;
    for (std::size_t op = 0; op < task_.operators(); ++op) {
      if (move_of(op) != move || !task_.is_applicable(state_, op)) continue;
      const SasInterpreter::State made = task_.apply(state_, op);
      require(!next || *next == made, "two operators for " + move + " disagree");
      next = made;
    }
    if (next) state_ = std::move(*next);
  }

 private:
  std::optional<std::string> fluent_of(std::size_t variable, const std::string& value) const {
    if (task_.is_derived(variable) || !value.starts_with("Atom ")) return std::nullopt;
    const auto fluent = glossary_.fluents.find(value.substr(5));
    if (fluent == glossary_.fluents.end()) return std::nullopt;
    return decode(glossary_, fluent->second, {});
  }

  const std::optional<std::string>& move_of(std::size_t op) {
    if (moves_.empty()) {
      for (std::size_t o = 0; o < task_.operators(); ++o) {
        const Glossary::Action& action = glossary_.actions.at(task_.name(o));
        moves_.push_back(action.move ? std::optional(decode(glossary_, *action.move, {}))
                                     : std::nullopt);
      }
    }
    return moves_[op];
  }

  Glossary glossary_;
  SasInterpreter task_;
  SasInterpreter::State state_;
  Names known_;
  std::vector<std::optional<std::string>> moves_;  // by operator
};

// All atoms of the derived predicates that depend on the state alone, by the slow engine: the rules
// are given one more move for each such atom, legal when it holds.
class DerivedAtoms {
 public:
  explicit DerivedAtoms(const RulesheetPointer& rulesheet) {
    const gdl::DependencyGraph graph(*rulesheet);
    auto source = std::make_shared<const base::Source>(
        "derived", gdl::print(*rulesheet, gdl::Syntax::prefix) + probes(*rulesheet, graph));
    auto probed = std::make_shared<const gdl::Rulesheet>(gdl::parse(source).rulesheet);
    engine_.emplace(reference::Reference::make(std::move(probed)).value());
    state_ = engine_->initial_state();
    usable_ = std::none_of(graph.dependencies().begin(), graph.dependencies().end(),
                           [&](const gdl::Dependency& edge) {
                             return graph.predicate(edge.body).name == gdl::keyword::legal;
                           });
  }

  void reset() { state_ = engine_->initial_state(); }
  void make(const std::string& move) {
    for (const base::Move m : engine_->legal_moves(state_, 0)) {
      if (engine_->move_name(m) != move) continue;
      state_ = engine_->next_state(state_, std::span(&m, 1));
      return;
    }
    throw std::runtime_error("the reference does not know " + move);
  }

  void compare(const std::map<std::string, Names>& task) {
    if (!usable_) return;
    std::map<std::string, Names> game;
    for (const base::Move m : engine_->legal_moves(state_, 0)) {
      const std::string name = engine_->move_name(m);
      if (!name.starts_with("(probe_atom ")) continue;
      const std::string atom = name.substr(12, name.size() - 13);
      const auto begin = atom.find_first_not_of('(');
      game[atom.substr(begin, atom.find_first_of(" )", begin) - begin)].insert(atom);
    }
    for (const auto& [predicate, atoms] : task) {
      if (names_.contains(predicate)) require_same(predicate, game[predicate], atoms);
    }
  }

 private:
  // A rule for a move per predicate that does not depend on the moves.
  std::string probes(const gdl::Rulesheet& rulesheet, const gdl::DependencyGraph& graph) {
    std::vector<gdl::PredicateId> does;
    for (gdl::PredicateId p = 0; p < graph.size(); ++p) {
      if (graph.predicate(p).name == gdl::keyword::does) does.push_back(p);
    }
    const auto paths = graph.paths_to(does);
    std::string text;
    for (gdl::PredicateId p = 0; p < graph.size(); ++p) {
      const gdl::Predicate& predicate = graph.predicate(p);
      if (predicate.name <= gdl::keyword::random || !graph.is_defined(p) ||
          paths[p].target != gdl::DependencyGraph::unreachable ||
          !names_.insert(rulesheet.symbols.name(predicate.name)).second) {
        continue;
      }
      text += probe(rulesheet.symbols.name(predicate.name), predicate.arity);
    }
    return text;
  }

  static std::string probe(const std::string& name, std::uint32_t arity) {
    std::string atom = name;
    for (std::uint32_t i = 0; i < arity; ++i) atom += " ?x" + std::to_string(i);
    if (arity > 0) atom = "(" + atom + ")";
    return "\n(<= (legal ?probed (probe_atom " + atom + ")) (role ?probed) " + atom + ")";
  }

  std::optional<reference::Reference> engine_;
  reference::Reference::State state_;
  Names names_;  // of the predicates asked for
  bool usable_ = true;
};

class Comparison {
 public:
  Comparison(const RulesheetPointer& rulesheet, PlanningStyle style,
             const PlanningComparisonOptions& options)
      : rulesheet_(rulesheet), style_(style), options_(options) {}

  PlanningComparison run() {
    start_ = std::chrono::steady_clock::now();
    try {
      auto game = ground::ground(rulesheet_, {.limits = {options_.seconds, std::nullopt}});
      if (!game) {
        result_.refused = game.error().message;
        return result_;
      }
      if (!translate(*game)) return result_;
      engine_.emplace(std::make_shared<const machine::Machine>(std::move(*game)));
      if (style_ == PlanningStyle::faithful) derived_.emplace(rulesheet_);
      for (std::uint64_t i = 0; i < options_.playouts && !result_.timed_out; ++i) play(i);
    } catch (const std::exception& problem) {
      result_.difference = problem.what() + (line_.empty() ? "" : " after" + line_);
    }
    return result_;
  }

 private:
  bool translate(const ground::Game& game) {
    if (style_ == PlanningStyle::faithful) {
      auto text = translate::pddl::to_faithful_pddl(
          rulesheet_, {.least_reward = 0, .limits = {options_.seconds, std::nullopt}});
      if (!text) return refuse(text.error());
      side_ = std::make_unique<FaithfulSide>(std::move(*text));
      return true;
    }
    auto task = translate::sas::to_task(game, {.least_reward = 0,
                                               .drop_step_counter = options_.drop_step_counter,
                                               .use_groups = options_.use_groups,
                                               .limits = {options_.seconds, std::nullopt}});
    if (!task) return refuse(task.error());
    for (ground::Atom fluent = 0; fluent < game.fluents.size(); ++fluent) {
      if (task->fluents[fluent].kind == translate::sas::FluentPlace::Kind::constant)
        constant_.insert(game.fluent_name(fluent));
    }
    dropped_counter_ = !task->step_counter.empty();
    if (style_ == PlanningStyle::sas) {
      side_ = std::make_unique<SasSide>(*task);
    } else {
      side_ = std::make_unique<GroundSide>(translate::pddl::to_ground_pddl(*task));
    }
    return true;
  }

  bool refuse(const base::Error& error) {
    result_.refused = error.message;
    return false;
  }

  Names known(const Names& fluents) const {
    Names result;
    for (const std::string& fluent : fluents) {
      if (side_->knows(fluent)) result.insert(fluent);
    }
    return result;
  }

  Names fluents(const machine::State& state) const {
    const auto names = engine_->fluent_names(state);
    return {names.begin(), names.end()};
  }

  void play(std::uint64_t number) {
    base::Random random(options_.seed + number);
    line_.clear();
    machine::State state = engine_->initial_state();
    side_->reset();
    if (derived_) derived_->reset();
    for (std::size_t depth = 0; depth < options_.max_depth; ++depth) {
      if (std::chrono::steady_clock::now() - start_ > options_.seconds) {
        result_.timed_out = true;
        return;
      }
      compare(state);
      const std::vector<base::Move> legal = engine_->legal_moves(state, 0);
      if (engine_->terminal(state) || legal.empty()) break;
      const base::Move move = legal[random.below(static_cast<std::uint32_t>(legal.size()))];
      state = engine_->next_state(state, std::span(&move, 1));
      const std::string name = engine_->move_name(move);
      line_ += " " + name;
      side_->make(name);
      if (derived_) derived_->make(name);
    }
    ++result_.playouts;
  }

  void compare(const machine::State& state) {
    ++result_.states;
    const Names holding = fluents(state);
    require_same("fluents", known(holding), side_->fluents());
    compare_constants(holding);
    compare_ends(state);
    compare_moves(state, known(holding));
    if (derived_) compare_derived(engine_->terminal(state));
  }

  void compare_derived(bool is_terminal) {
    std::map<std::string, Names> atoms = side_->derived();
    require(atoms["terminal"].empty() != is_terminal, "terminal differs");
    derived_->compare(atoms);
  }

  void compare_constants(const Names& holding) {
    const Names initial = fluents(engine_->initial_state());
    for (const std::string& fluent : constant_)
      require(initial.contains(fluent) == holding.contains(fluent), "not constant: " + fluent);
  }

  void compare_ends(const machine::State& state) {
    std::set<int> expected;
    if (engine_->terminal(state)) {
      for (const int value : engine_->goals(state, 0)) {
        if (value >= 0 && value <= 100) expected.insert(value);
      }
    }
    const std::set<int> found = side_->rewards();
    if (dropped_counter_ && found.empty()) return;  // ended by the counter
    require(found == expected, "rewards differ");
  }

  // A legal move without an action must leave all that the task knows as it is.
  void compare_moves(const machine::State& state, const Names& holding) {
    Names legal;
    if (!engine_->terminal(state)) {
      for (const base::Move move : engine_->legal_moves(state, 0)) {
        const std::string name = engine_->move_name(move);
        legal.insert(name);
      }
    }
    const Names applicable = side_->moves();
    const bool ended_by_counter = dropped_counter_ && engine_->terminal(state);
    if (!ended_by_counter)
      require(only_in(applicable, legal).empty(), "not legal:" + list(only_in(applicable, legal)));
    const Names missing = only_in(legal, applicable);
    if (missing.empty()) return;
    for (const base::Move move : engine_->legal_moves(state, 0)) {
      if (!missing.contains(engine_->move_name(move))) continue;
      require(style_ != PlanningStyle::faithful &&
                  known(fluents(engine_->next_state(state, std::span(&move, 1)))) == holding,
              "not applicable: " + engine_->move_name(move));
    }
  }

  const RulesheetPointer& rulesheet_;
  PlanningStyle style_;
  const PlanningComparisonOptions& options_;
  PlanningComparison result_;
  std::chrono::steady_clock::time_point start_;
  std::optional<machine::Stepper> engine_;
  std::unique_ptr<Side> side_;
  std::optional<DerivedAtoms> derived_;
  Names constant_;
  bool dropped_counter_ = false;
  std::string line_;
};

}  // namespace

PlanningComparison compare_planning(const RulesheetPointer& rulesheet, PlanningStyle style,
                                    const PlanningComparisonOptions& options) {
  return Comparison(rulesheet, style, options).run();
}

}  // namespace zermelo::testing
