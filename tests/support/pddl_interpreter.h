// An interpreter of PDDL for tests: the subset with constants, derived predicates, quantified and
// conditional effects and action costs, evaluated by definition. It shares no code with what writes
// PDDL.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace zermelo::testing {

class PddlInterpreter {
 public:
  using Atom = std::vector<std::uint32_t>;  // the predicate, then objects
  using State = std::set<Atom>;             // without derived atoms
  struct Step {
    std::size_t action;
    std::vector<std::uint32_t> arguments;
  };

  // Throws std::runtime_error where the text is not understood: undeclared names, wrong numbers of
  // arguments, derived predicates in effects or the initial state, rules that are not stratified.
  PddlInterpreter(const std::string& domain, const std::string& problem);

  const State& initial_state() const { return initial_; }
  std::vector<Step> applicable(const State& state);
  State apply(const State& state, const Step& step);
  bool is_goal(const State& state);
  // What an action adds to the total cost.
  int cost(const Step& step) const { return actions_[step.action].cost; }

  const std::string& action_name(const Step& step) const { return actions_[step.action].name; }
  std::vector<std::string> argument_names(const Step& step) const;
  // The predicate and the objects of an atom.
  std::vector<std::string> names(const Atom& atom) const;
  // The derived atoms of a predicate that hold in a state.
  std::vector<Atom> derived_atoms(const State& state, const std::string& predicate);

 private:
  struct Expression {  // a word, or a list
    std::string word;
    std::vector<Expression> parts;
  };
  struct Operand {
    bool is_variable;
    std::uint32_t number;  // of the variable or the object
  };
  struct Formula {
    enum class Kind { atom, equal, negation, conjunction, disjunction };
    Kind kind = Kind::conjunction;
    std::uint32_t predicate = 0;
    std::vector<Operand> operands;
    std::vector<Formula> parts;
  };
  struct Effect {
    Formula condition;
    std::vector<std::uint32_t> quantified;
    bool adds = true;
    std::uint32_t predicate = 0;
    std::vector<Operand> operands;
  };
  struct Action {
    std::string name;
    std::vector<std::uint32_t> parameters;  // variables
    std::uint32_t variables = 0;
    Formula precondition;
    std::vector<Effect> effects;
    int cost = 0;
  };
  struct Rule {
    std::uint32_t head;
    std::vector<std::uint32_t> parameters;
    std::uint32_t variables = 0;
    Formula body;
  };
  // The atoms of a predicate that hold.
  struct Relation {
    std::set<std::vector<std::uint32_t>> rows;
    std::vector<std::unordered_map<std::uint32_t, std::vector<const std::vector<std::uint32_t>*>>>
        by_column;
  };
  using Bindings = std::vector<std::uint32_t>;  // by variable; `unbound` where it has no value
  using Found = std::function<bool(const Bindings&)>;  // true ends the search
  using Scope = std::map<std::string, std::uint32_t>;

  static Expression parse(const std::string& text);
  void declare(const Expression& domain);
  void read_domain(const Expression& domain);
  void read_problem(const Expression& problem);
  void read_action(const Expression& action);
  void read_derived(const Expression& derived);
  void read_effect(const Expression& effect, Scope scope, Effect context, Action& action);
  Formula read_formula(const Expression& expression, Scope scope, std::uint32_t& variables);
  Formula read_atom(const Expression& expression, const Scope& scope) const;
  Atom read_ground_atom(const Expression& expression) const;
  std::uint32_t predicate(const Expression& expression) const;
  std::vector<std::uint32_t> bind_variables(const Expression& list, Scope& scope,
                                            std::uint32_t& variables) const;

  void find_strata();
  void need(const Formula& formula, std::vector<bool>& needed) const;
  void evaluate(const State& state, const std::vector<bool>& needed);
  void derive(const std::vector<std::size_t>& rules);
  bool fire(const Rule& rule);
  bool add(std::uint32_t predicate, const std::vector<std::uint32_t>& row);

  bool solve(std::vector<const Formula*> open, Bindings& bindings, const Found& found);
  bool settle(std::vector<const Formula*>& open, const Bindings& bindings);
  std::size_t choose(const std::vector<const Formula*>& open, const Bindings& bindings) const;
  bool bind(const Formula& equation, const std::vector<const Formula*>& open, Bindings& bindings,
            const Found& found);
  bool match(const Formula& atom, const std::vector<const Formula*>& open, Bindings& bindings,
             const Found& found);
  bool holds(const Formula& formula, const Bindings& bindings);
  bool is_bound(const Formula& formula, const Bindings& bindings) const;
  static std::uint32_t value(const Operand& operand, const Bindings& bindings);
  std::vector<std::uint32_t> row(const std::vector<Operand>& operands,
                                 const Bindings& bindings) const;
  std::size_t candidates(const Formula& atom, const Bindings& bindings) const;
  void collect_effects(const Effect& effect, Bindings& bindings, std::vector<Atom>& adds,
                       std::vector<Atom>& deletes, const State& state);

  std::map<std::string, std::uint32_t> objects_, predicates_;
  std::vector<std::string> object_names_, predicate_names_;
  std::vector<std::size_t> arities_;
  std::vector<bool> is_derived_;
  std::vector<Action> actions_;
  std::vector<Rule> rules_;
  std::vector<std::vector<std::size_t>> rules_of_;  // by predicate
  std::vector<std::vector<std::size_t>> strata_;    // rules that are evaluated together
  State initial_;
  Formula goal_;
  std::uint32_t goal_variables_ = 0;

  std::vector<Relation> relations_;  // by predicate
  std::vector<std::uint32_t> filled_;
};

}  // namespace zermelo::testing
