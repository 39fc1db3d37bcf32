#include "support/pddl_interpreter.h"

#include <algorithm>
#include <stdexcept>

#include "base/components.h"

namespace zermelo::testing {

namespace {

constexpr std::uint32_t unbound = ~std::uint32_t{0};

[[noreturn]] void refuse_pddl(const std::string& message) {
  throw std::runtime_error("PDDL: " + message);
}

}  // namespace

PddlInterpreter::PddlInterpreter(const std::string& domain, const std::string& problem) {
  const Expression parsed = parse(domain);
  declare(parsed);
  relations_.resize(predicate_names_.size());
  for (std::size_t p = 0; p < relations_.size(); ++p) relations_[p].by_column.resize(arities_[p]);
  read_domain(parsed);
  find_strata();
  read_problem(parse(problem));
}

PddlInterpreter::Expression PddlInterpreter::parse(const std::string& text) {
  std::vector<Expression> open(1);
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) open.back().parts.push_back({word, {}});
    word.clear();
  };
  for (const char c : text) {
    if (c == '(') {
      end_word();
      open.emplace_back();
    } else if (c == ')') {
      end_word();
      if (open.size() < 2) refuse_pddl("too many closing parentheses");
      Expression closed = std::move(open.back());
      open.pop_back();
      open.back().parts.push_back(std::move(closed));
    } else if (std::isspace(static_cast<unsigned char>(c))) {
      end_word();
    } else {
      word += c;
    }
  }
  if (open.size() != 1 || open[0].parts.size() != 1) refuse_pddl("parentheses do not match");
  return open[0].parts[0];
}

void PddlInterpreter::declare(const Expression& domain) {
  for (const Expression& section : domain.parts) {
    if (section.parts.empty()) continue;
    const std::string& word = section.parts[0].word;
    for (std::size_t i = 1; i < section.parts.size(); ++i) {
      if (word == ":constants") {
        if (!objects_.emplace(section.parts[i].word, object_names_.size()).second)
          refuse_pddl("constant twice: " + section.parts[i].word);
        object_names_.push_back(section.parts[i].word);
      } else if (word == ":predicates") {
        const Expression& declared = section.parts[i];
        if (!predicates_.emplace(declared.parts[0].word, predicate_names_.size()).second)
          refuse_pddl("predicate twice: " + declared.parts[0].word);
        predicate_names_.push_back(declared.parts[0].word);
        arities_.push_back(declared.parts.size() - 1);
      }
    }
  }
  is_derived_.resize(predicate_names_.size(), false);
  rules_of_.resize(predicate_names_.size());
}

void PddlInterpreter::read_domain(const Expression& domain) {
  for (const Expression& section : domain.parts) {
    if (!section.parts.empty() && section.parts[0].word == ":derived") read_derived(section);
  }
  for (const Expression& section : domain.parts) {
    if (!section.parts.empty() && section.parts[0].word == ":action") read_action(section);
  }
}

void PddlInterpreter::read_problem(const Expression& problem) {
  for (const Expression& section : problem.parts) {
    if (section.parts.empty()) continue;
    if (section.parts[0].word == ":init") {
      for (std::size_t i = 1; i < section.parts.size(); ++i) {
        if (section.parts[i].parts[0].word == "=") continue;  // the cost to begin with
        const Atom atom = read_ground_atom(section.parts[i]);
        if (is_derived_[atom[0]]) refuse_pddl("a derived atom in the initial state");
        initial_.insert(atom);
      }
    } else if (section.parts[0].word == ":goal") {
      goal_ = read_formula(section.parts[1], {}, goal_variables_);
    }
  }
}

void PddlInterpreter::read_derived(const Expression& derived) {
  Rule rule;
  Scope scope;
  const Expression& head = derived.parts[1];
  rule.head = predicate(head);
  Expression parameters = head;
  parameters.parts.erase(parameters.parts.begin());
  rule.parameters = bind_variables(parameters, scope, rule.variables);
  rule.body = read_formula(derived.parts[2], scope, rule.variables);
  is_derived_[rule.head] = true;
  rules_of_[rule.head].push_back(rules_.size());
  rules_.push_back(std::move(rule));
}

void PddlInterpreter::read_action(const Expression& section) {
  Action action;
  action.name = section.parts[1].word;
  Scope scope;
  for (std::size_t i = 2; i + 1 < section.parts.size(); i += 2) {
    const std::string& word = section.parts[i].word;
    const Expression& content = section.parts[i + 1];
    if (word == ":parameters") {
      action.parameters = bind_variables(content, scope, action.variables);
    } else if (word == ":precondition") {
      action.precondition = read_formula(content, scope, action.variables);
    } else if (word == ":effect") {
      read_effect(content, scope, {}, action);
    } else {
      refuse_pddl("unknown part of an action: " + word);
    }
  }
  actions_.push_back(std::move(action));
}

void PddlInterpreter::read_effect(const Expression& effect, Scope scope, Effect context,
                                  Action& action) {
  const std::string& word = effect.parts[0].word;
  if (word == "and") {
    for (std::size_t i = 1; i < effect.parts.size(); ++i)
      read_effect(effect.parts[i], scope, context, action);
  } else if (word == "forall") {
    for (const std::uint32_t variable : bind_variables(effect.parts[1], scope, action.variables))
      context.quantified.push_back(variable);
    read_effect(effect.parts[2], scope, context, action);
  } else if (word == "when") {
    context.condition = read_formula(effect.parts[1], scope, action.variables);
    read_effect(effect.parts[2], scope, context, action);
  } else if (word == "increase") {
    action.cost += std::stoi(effect.parts[2].word);
  } else {
    context.adds = word != "not";
    const Formula atom = read_atom(context.adds ? effect : effect.parts[1], scope);
    if (is_derived_[atom.predicate]) refuse_pddl("a derived predicate in an effect");
    context.predicate = atom.predicate;
    context.operands = atom.operands;
    action.effects.push_back(std::move(context));
  }
}

PddlInterpreter::Formula PddlInterpreter::read_formula(const Expression& expression, Scope scope,
                                                       std::uint32_t& variables) {
  Formula formula;
  if (expression.parts.empty()) return formula;  // (): nothing is asked for
  const std::string& word = expression.parts[0].word;
  if (word == "exists") {
    bind_variables(expression.parts[1], scope, variables);
    return read_formula(expression.parts[2], scope, variables);
  }
  if (word != "and" && word != "or" && word != "not") return read_atom(expression, scope);
  formula.kind = word == "and"  ? Formula::Kind::conjunction
                 : word == "or" ? Formula::Kind::disjunction
                                : Formula::Kind::negation;
  for (std::size_t i = 1; i < expression.parts.size(); ++i)
    formula.parts.push_back(read_formula(expression.parts[i], scope, variables));
  return formula;
}

PddlInterpreter::Formula PddlInterpreter::read_atom(const Expression& expression,
                                                    const Scope& scope) const {
  Formula formula;
  formula.kind = expression.parts[0].word == "=" ? Formula::Kind::equal : Formula::Kind::atom;
  if (formula.kind == Formula::Kind::atom) formula.predicate = predicate(expression);
  for (std::size_t i = 1; i < expression.parts.size(); ++i) {
    const std::string& name = expression.parts[i].word;
    const bool is_variable = !name.empty() && name[0] == '?';
    const auto& known = is_variable ? scope : objects_;
    const auto place = known.find(name);
    if (place == known.end()) refuse_pddl("unknown object or variable " + name);
    formula.operands.push_back({is_variable, place->second});
  }
  return formula;
}

PddlInterpreter::Atom PddlInterpreter::read_ground_atom(const Expression& expression) const {
  const Formula formula = read_atom(expression, {});
  Atom atom{formula.predicate};
  for (const Operand& operand : formula.operands) atom.push_back(operand.number);
  return atom;
}

std::uint32_t PddlInterpreter::predicate(const Expression& expression) const {
  const auto place = predicates_.find(expression.parts[0].word);
  if (place == predicates_.end()) refuse_pddl("unknown predicate " + expression.parts[0].word);
  if (expression.parts.size() - 1 != arities_[place->second])
    refuse_pddl("wrong number of arguments for " + expression.parts[0].word);
  return place->second;
}

std::vector<std::uint32_t> PddlInterpreter::bind_variables(const Expression& list, Scope& scope,
                                                           std::uint32_t& variables) const {
  std::vector<std::uint32_t> bound;
  for (const Expression& variable : list.parts) {
    scope[variable.word] = variables;
    bound.push_back(variables++);
  }
  return bound;
}

// Rules in the order of their dependencies; negation must not lead back into a component.
void PddlInterpreter::find_strata() {
  std::vector<std::vector<std::pair<std::uint32_t, bool>>> uses(predicate_names_.size());
  const std::function<void(const Formula&, bool, std::uint32_t)> look =
      [&](const Formula& formula, bool negated, std::uint32_t head) {
        if (formula.kind == Formula::Kind::atom) uses[head].push_back({formula.predicate, negated});
        for (const Formula& part : formula.parts)
          look(part, negated != (formula.kind == Formula::Kind::negation), head);
      };
  for (const Rule& rule : rules_) look(rule.body, false, rule.head);
  const base::Components components = base::strongly_connected_components(
      static_cast<std::uint32_t>(uses.size()), [&](std::uint32_t p, std::uint64_t i) {
        return i < uses[p].size() ? uses[p][i].first : base::no_node;
      });
  strata_.resize(components.count);
  for (std::size_t r = 0; r < rules_.size(); ++r)
    strata_[components.component_of[rules_[r].head]].push_back(r);
  for (std::uint32_t p = 0; p < uses.size(); ++p) {
    for (const auto& [used, negated] : uses[p]) {
      if (negated && components.component_of[used] == components.component_of[p])
        refuse_pddl("not stratified: " + predicate_names_[p]);
    }
  }
}

void PddlInterpreter::need(const Formula& formula, std::vector<bool>& needed) const {
  for (const Formula& part : formula.parts) need(part, needed);
  if (formula.kind != Formula::Kind::atom || needed[formula.predicate]) return;
  needed[formula.predicate] = true;
  for (const std::size_t rule : rules_of_[formula.predicate]) need(rules_[rule].body, needed);
}

bool PddlInterpreter::add(std::uint32_t predicate, const std::vector<std::uint32_t>& row) {
  Relation& relation = relations_[predicate];
  const auto [place, is_new] = relation.rows.insert(row);
  if (!is_new) return false;
  if (relation.rows.size() == 1) filled_.push_back(predicate);
  for (std::size_t c = 0; c < row.size(); ++c) relation.by_column[c][row[c]].push_back(&*place);
  return true;
}

void PddlInterpreter::evaluate(const State& state, const std::vector<bool>& needed) {
  for (const std::uint32_t predicate : filled_) {
    relations_[predicate].rows.clear();
    for (auto& column : relations_[predicate].by_column) column.clear();
  }
  filled_.clear();
  for (const Atom& atom : state) add(atom[0], {atom.begin() + 1, atom.end()});
  for (const std::vector<std::size_t>& rules : strata_) {
    if (!rules.empty() && needed[rules_[rules[0]].head]) derive(rules);
  }
}

void PddlInterpreter::derive(const std::vector<std::size_t>& rules) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (const std::size_t rule : rules) changed |= fire(rules_[rule]);
  }
}

bool PddlInterpreter::fire(const Rule& rule) {
  std::vector<std::vector<std::uint32_t>> found;
  Bindings bindings(rule.variables, unbound);
  solve({&rule.body}, bindings, [&](const Bindings& solution) {
    std::vector<std::uint32_t> row;
    for (const std::uint32_t parameter : rule.parameters) row.push_back(solution[parameter]);
    if (std::count(row.begin(), row.end(), unbound) > 0)
      refuse_pddl("a rule does not bind its head: " + predicate_names_[rule.head]);
    found.push_back(std::move(row));
    return false;
  });
  bool changed = false;
  for (const std::vector<std::uint32_t>& row : found) changed |= add(rule.head, row);
  return changed;
}

std::uint32_t PddlInterpreter::value(const Operand& operand, const Bindings& bindings) {
  return operand.is_variable ? bindings[operand.number] : operand.number;
}

std::vector<std::uint32_t> PddlInterpreter::row(const std::vector<Operand>& operands,
                                                const Bindings& bindings) const {
  std::vector<std::uint32_t> result;
  for (const Operand& operand : operands) result.push_back(value(operand, bindings));
  return result;
}

bool PddlInterpreter::is_bound(const Formula& formula, const Bindings& bindings) const {
  return std::all_of(formula.operands.begin(), formula.operands.end(),
                     [&](const Operand& o) { return value(o, bindings) != unbound; }) &&
         std::all_of(formula.parts.begin(), formula.parts.end(),
                     [&](const Formula& part) { return is_bound(part, bindings); });
}

bool PddlInterpreter::holds(const Formula& formula, const Bindings& bindings) {
  const auto part_holds = [&](const Formula& part) { return holds(part, bindings); };
  switch (formula.kind) {
    case Formula::Kind::atom:
      return relations_[formula.predicate].rows.contains(row(formula.operands, bindings));
    case Formula::Kind::equal:
      return value(formula.operands[0], bindings) == value(formula.operands[1], bindings);
    case Formula::Kind::negation:
      return !holds(formula.parts[0], bindings);
    case Formula::Kind::conjunction:
      return std::all_of(formula.parts.begin(), formula.parts.end(), part_holds);
    case Formula::Kind::disjunction:
      return std::any_of(formula.parts.begin(), formula.parts.end(), part_holds);
  }
  return false;
}

std::size_t PddlInterpreter::candidates(const Formula& atom, const Bindings& bindings) const {
  const Relation& relation = relations_[atom.predicate];
  std::size_t fewest = relation.rows.size();
  for (std::size_t c = 0; c < atom.operands.size(); ++c) {
    const std::uint32_t bound = value(atom.operands[c], bindings);
    if (bound == unbound) continue;
    const auto place = relation.by_column[c].find(bound);
    fewest = std::min(fewest, place == relation.by_column[c].end() ? 0 : place->second.size());
  }
  return fewest;
}

// Takes conjunctions apart and drops what holds; false when something fails.
bool PddlInterpreter::settle(std::vector<const Formula*>& open, const Bindings& bindings) {
  for (std::size_t i = 0; i < open.size();) {
    const Formula& formula = *open[i];
    if (formula.kind != Formula::Kind::conjunction && !is_bound(formula, bindings)) {
      ++i;
      continue;
    }
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(i));
    if (formula.kind != Formula::Kind::conjunction && !holds(formula, bindings)) return false;
    if (formula.kind != Formula::Kind::conjunction) continue;
    for (const Formula& part : formula.parts) open.push_back(&part);
  }
  return true;
}

// What binds variables with the fewest answers: an equation, an atom, or else a disjunction.
std::size_t PddlInterpreter::choose(const std::vector<const Formula*>& open,
                                    const Bindings& bindings) const {
  std::size_t best = open.size();
  std::size_t fewest = ~std::size_t{0};
  for (std::size_t i = 0; i < open.size(); ++i) {
    const Formula& formula = *open[i];
    if (formula.kind == Formula::Kind::equal && (value(formula.operands[0], bindings) != unbound ||
                                                 value(formula.operands[1], bindings) != unbound)) {
      return i;
    }
    const bool is_atom = formula.kind == Formula::Kind::atom;
    if (!is_atom && formula.kind != Formula::Kind::disjunction) continue;
    const std::size_t count = is_atom ? candidates(formula, bindings) : ~std::size_t{0} - 1;
    if (count >= fewest) continue;
    fewest = count;
    best = i;
  }
  if (best == open.size()) refuse_pddl("a negation is the only one to bind a variable");
  return best;
}

// Finds all bindings under which all open formulas hold.
bool PddlInterpreter::solve(std::vector<const Formula*> open, Bindings& bindings,
                            const Found& found) {
  if (!settle(open, bindings)) return false;
  if (open.empty()) return found(bindings);
  const std::size_t best = choose(open, bindings);
  const Formula& chosen = *open[best];
  open.erase(open.begin() + static_cast<std::ptrdiff_t>(best));
  if (chosen.kind == Formula::Kind::atom) return match(chosen, open, bindings, found);
  if (chosen.kind == Formula::Kind::equal) return bind(chosen, open, bindings, found);
  return std::any_of(chosen.parts.begin(), chosen.parts.end(), [&](const Formula& part) {
    std::vector<const Formula*> branch = open;
    branch.push_back(&part);
    return solve(std::move(branch), bindings, found);
  });
}

// An equation of which one side has a value.
bool PddlInterpreter::bind(const Formula& equation, const std::vector<const Formula*>& open,
                           Bindings& bindings, const Found& found) {
  const std::uint32_t left = value(equation.operands[0], bindings);
  const std::uint32_t right = value(equation.operands[1], bindings);
  const std::uint32_t variable = equation.operands[left == unbound ? 0 : 1].number;
  bindings[variable] = left == unbound ? right : left;
  const bool ended = solve(open, bindings, found);
  bindings[variable] = unbound;
  return ended;
}

bool PddlInterpreter::match(const Formula& atom, const std::vector<const Formula*>& open,
                            Bindings& bindings, const Found& found) {
  const Relation& relation = relations_[atom.predicate];
  const auto try_row = [&](const std::vector<std::uint32_t>& row) {
    std::vector<std::uint32_t> bound;
    bool fits = true;
    for (std::size_t c = 0; c < row.size() && fits; ++c) {
      const Operand& operand = atom.operands[c];
      const std::uint32_t known = value(operand, bindings);
      if (known == unbound) {
        bindings[operand.number] = row[c];
        bound.push_back(operand.number);
      } else {
        fits = known == row[c];
      }
    }
    const bool ended = fits && solve(open, bindings, found);
    for (const std::uint32_t variable : bound) bindings[variable] = unbound;
    return ended;
  };
  const std::vector<const std::vector<std::uint32_t>*>* rows = nullptr;
  for (std::size_t c = 0; c < atom.operands.size(); ++c) {
    const std::uint32_t bound = value(atom.operands[c], bindings);
    if (bound == unbound) continue;
    const auto place = relation.by_column[c].find(bound);
    if (place == relation.by_column[c].end()) return false;
    if (!rows || place->second.size() < rows->size()) rows = &place->second;
  }
  if (rows)
    return std::any_of(rows->begin(), rows->end(), [&](auto* row) { return try_row(*row); });
  return std::any_of(relation.rows.begin(), relation.rows.end(), try_row);
}

std::vector<PddlInterpreter::Step> PddlInterpreter::applicable(const State& state) {
  std::vector<bool> needed(predicate_names_.size(), false);
  for (const Action& action : actions_) need(action.precondition, needed);
  evaluate(state, needed);
  std::vector<Step> steps;
  for (std::size_t a = 0; a < actions_.size(); ++a) {
    Bindings bindings(actions_[a].variables, unbound);
    if (actions_[a].variables == 0) {
      if (holds(actions_[a].precondition, bindings)) steps.push_back({a, {}});
      continue;
    }
    std::set<std::vector<std::uint32_t>> found;
    solve({&actions_[a].precondition}, bindings, [&](const Bindings& solution) {
      std::vector<std::uint32_t> arguments;
      for (const std::uint32_t parameter : actions_[a].parameters)
        arguments.push_back(solution[parameter]);
      found.insert(std::move(arguments));
      return false;
    });
    for (const std::vector<std::uint32_t>& arguments : found) steps.push_back({a, arguments});
  }
  return steps;
}

// An effect's instances. A quantified variable that the condition leaves open stands for every
// object, which only deletions of a whole predicate use.
void PddlInterpreter::collect_effects(const Effect& effect, Bindings& bindings,
                                      std::vector<Atom>& adds, std::vector<Atom>& deletes,
                                      const State& state) {
  solve({&effect.condition}, bindings, [&](const Bindings& solution) {
    const std::vector<std::uint32_t> arguments = row(effect.operands, solution);
    Atom atom{effect.predicate};
    atom.insert(atom.end(), arguments.begin(), arguments.end());
    if (std::count(arguments.begin(), arguments.end(), unbound) == 0) {
      (effect.adds ? adds : deletes).push_back(std::move(atom));
      return false;
    }
    if (effect.adds) refuse_pddl("an effect adds an atom for every object");
    for (auto place = state.lower_bound({effect.predicate});
         place != state.end() && (*place)[0] == effect.predicate; ++place) {
      bool fits = true;
      for (std::size_t i = 1; i < atom.size(); ++i)
        fits = fits && (atom[i] == unbound || atom[i] == (*place)[i]);
      if (fits) deletes.push_back(*place);
    }
    return false;
  });
}

PddlInterpreter::State PddlInterpreter::apply(const State& state, const Step& step) {
  const Action& action = actions_[step.action];
  std::vector<bool> needed(predicate_names_.size(), false);
  for (const Effect& effect : action.effects) need(effect.condition, needed);
  evaluate(state, needed);
  Bindings bindings(action.variables, unbound);
  for (std::size_t i = 0; i < step.arguments.size(); ++i)
    bindings[action.parameters[i]] = step.arguments[i];
  std::vector<Atom> adds, deletes;
  for (const Effect& effect : action.effects)
    collect_effects(effect, bindings, adds, deletes, state);
  State result = state;
  for (const Atom& atom : deletes) result.erase(atom);
  result.insert(adds.begin(), adds.end());
  return result;
}

bool PddlInterpreter::is_goal(const State& state) {
  std::vector<bool> needed(predicate_names_.size(), false);
  need(goal_, needed);
  evaluate(state, needed);
  Bindings bindings(goal_variables_, unbound);
  return solve({&goal_}, bindings, [](const Bindings&) { return true; });
}

std::vector<std::string> PddlInterpreter::argument_names(const Step& step) const {
  std::vector<std::string> result;
  for (const std::uint32_t object : step.arguments) result.push_back(object_names_[object]);
  return result;
}

std::vector<std::string> PddlInterpreter::names(const Atom& atom) const {
  std::vector<std::string> result{predicate_names_[atom[0]]};
  for (std::size_t i = 1; i < atom.size(); ++i) result.push_back(object_names_[atom[i]]);
  return result;
}

std::vector<PddlInterpreter::Atom> PddlInterpreter::derived_atoms(const State& state,
                                                                  const std::string& predicate) {
  const auto place = predicates_.find(predicate);
  if (place == predicates_.end()) refuse_pddl("unknown predicate " + predicate);
  std::vector<bool> needed(predicate_names_.size(), false);
  Formula atom;
  atom.kind = Formula::Kind::atom;
  atom.predicate = place->second;
  need(atom, needed);
  evaluate(state, needed);
  std::vector<Atom> result;
  for (const std::vector<std::uint32_t>& row : relations_[place->second].rows) {
    result.push_back({place->second});
    result.back().insert(result.back().end(), row.begin(), row.end());
  }
  return result;
}

}  // namespace zermelo::testing
