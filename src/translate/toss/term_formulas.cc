// A clause becomes an existential formula: its variables are quantified, arguments of state terms,
// moves and compound terms become atoms of their functors, and constants are named by predicates.
// What a negative literal alone mentions, such as the state term of (not (true (cell ?x ?y b))), is
// quantified inside the negation.
//
// A predicate that is recursive through others is a fixed point whose body contains the fixed
// points of these others: Bekić's principle for simultaneous fixed points, as negation is
// stratified in GDL.
#include "translate/toss/term_formulas.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "translate/toss/body_formulas.h"

namespace zermelo::translate::toss {
namespace {

using Kind = GdlLiteral::Kind;

constexpr std::size_t max_formulas = 20'000;

std::string joined_parts(const std::vector<std::string>& parts, const char* word,
                         const char* nothing) {
  if (parts.empty()) return nothing;
  if (parts.size() == 1) return parts.front();
  return fmt::format("({})", fmt::join(parts, word));
}

}  // namespace

std::string applied(const std::string& relation, const std::vector<std::string>& arguments) {
  return fmt::format("{}({})", relation, fmt::join(arguments, ", "));
}

std::string all_of(const std::vector<std::string>& parts) {
  return joined_parts(parts, " and ", "true");
}

std::string any_of(const std::vector<std::string>& parts) {
  return joined_parts(parts, " or ", "false");
}

// What is known at a place in a formula.
struct TermFormulas::Scope {
  StateView view = StateView::stored;
  std::map<GdlTerm, std::string> variables;  // by variable of GDL, constant or compound term
  std::vector<std::string> bound;            // to be quantified here
  std::vector<std::string> parts;
  bool inside_negation = false;  // variables of GDL must be known then
};

TermFormulas::TermFormulas(const GdlClauses& rules, TermStructure& structure, MoveForm moves)
    : rules_(rules), structure_(structure), form_(moves) {
  structure.unique_relation(current);
  structure.unique_relation(joint);
  for (std::size_t role = 0; role < rules.roles().size(); ++role) {
    structure.unique_relation(last_move(role));
    if (form_ == MoveForm::arguments) moves_.push_back("m" + std::to_string(role + 1));
  }
}

std::string TermFormulas::variable_of(const GdlTerm& term, Scope& scope) {
  const auto known = scope.variables.find(term);
  if (known != scope.variables.end()) return known->second;
  if (term.is_variable && scope.inside_negation) {
    throw NotTranslatable{fmt::format("a variable occurs in negations only, {}", print(term))};
  }
  const std::string variable = fresh();
  scope.bound.push_back(variable);
  scope.variables.emplace(term, variable);
  if (!term.is_variable) bind_head(term, variable, scope);
  return variable;
}

std::vector<std::string> TermFormulas::variables_of(const std::vector<GdlTerm>& terms,
                                                    Scope& scope) {
  std::vector<std::string> result;
  for (const GdlTerm& term : terms) result.push_back(variable_of(term, scope));
  return result;
}

// The conditions under which a variable of Toss is this term.
void TermFormulas::bind_head(const GdlTerm& term, const std::string& variable, Scope& scope) {
  if (term.is_variable) {
    const auto [at, inserted] = scope.variables.emplace(term, variable);
    if (!inserted) scope.parts.push_back(at->second + " = " + variable);
    return;
  }
  scope.variables.emplace(term, variable);
  if (is_ground(term)) {
    scope.parts.push_back(applied(structure_.constant(term), {variable}));
    return;
  }
  std::vector<std::string> arguments = {variable};
  for (const std::string& each : variables_of(term.arguments, scope)) arguments.push_back(each);
  scope.parts.push_back(applied(structure_.functor(term.name, term.arguments.size()), arguments));
}

void TermFormulas::add_equation(const GdlLiteral& literal, Scope& scope) {
  const GdlTerm &a = literal.term.arguments[0], &b = literal.term.arguments[1];
  if (is_ground(a) && is_ground(b)) {
    scope.parts.push_back(print(a) == print(b) ? "true" : "false");
    return;
  }
  const std::string left = variable_of(a, scope);
  scope.parts.push_back(left + " = " + variable_of(b, scope));
}

void TermFormulas::add_does(const GdlLiteral& literal, Scope& scope) {
  const GdlTerm &player = literal.term.arguments[0], &move = literal.term.arguments[1];
  const auto& roles = rules_.roles();
  const auto at = std::find(roles.begin(), roles.end(), print(player));
  if (!is_ground(player)) throw NotTranslatable{"a variable stands for the player of a move"};
  if (at == roles.end()) {
    scope.parts.push_back("false");
    return;
  }
  const auto role = static_cast<std::size_t>(at - roles.begin());
  std::string made;
  if (form_ == MoveForm::arguments) {
    made = moves_[role];
  } else {
    made = fresh();
    scope.bound.push_back(made);
    scope.parts.push_back(applied(last_move(role), {made}));
  }
  add_move(move, made, scope);
}

void TermFormulas::add_atom(const GdlLiteral& literal, Scope& scope) {
  const std::string& predicate = literal.term.name;
  if (predicate == "legal") return add_legal(literal, scope);
  if (predicate == "init" || predicate == "next") {
    throw NotTranslatable{fmt::format("a rule asks for {}", predicate)};
  }
  if (predicate == "goal" && is_ground(literal.term)) {
    const auto& of = literal.term.arguments;
    scope.parts.push_back(applied(goal_relation(scope.view, print(of[0]), print(of[1])), {}));
    return;
  }
  const std::vector<std::string> arguments = variables_of(literal.term.arguments, scope);
  if (is_state(predicate)) {
    scope.parts.push_back(call({predicate, scope.view}, arguments));
  } else {
    scope.parts.push_back(applied(structure_.facts(predicate, arguments.size()), arguments));
  }
}

void TermFormulas::add_legal(const GdlLiteral& literal, Scope& scope) {
  const GdlTerm &player = literal.term.arguments[0], &move = literal.term.arguments[1];
  const std::string made = fresh();
  scope.bound.push_back(made);
  std::vector<std::string> of_roles;
  for (std::size_t role = 0; role < rules_.roles().size(); ++role) {
    const GdlTerm name = gdl_constant(rules_.roles()[role]);
    if (is_ground(player) && print(player) != name.name) continue;
    std::vector<std::string> parts = {applied(legal(scope.view, role), {made})};
    if (!is_ground(player)) {
      parts.push_back(applied(structure_.constant(name), {variable_of(player, scope)}));
    }
    of_roles.push_back(all_of(parts));
  }
  scope.parts.push_back(any_of(of_roles));
  add_move(move, made, scope);
}

// That the variable is this move.
void TermFormulas::add_move(const GdlTerm& move, const std::string& variable, Scope& scope) {
  if (move.is_variable) {
    scope.parts.push_back(applied(structure_.term_of_move(), {variable, variable_of(move, scope)}));
    return;
  }
  std::vector<std::string> arguments = {variable};
  for (const std::string& each : variables_of(move.arguments, scope)) arguments.push_back(each);
  scope.parts.push_back(
      applied(structure_.move_functor(move.name, move.arguments.size()), arguments));
}

// The literal without its sign.
void TermFormulas::add(const GdlLiteral& literal, Scope& scope) {
  switch (literal.kind) {
    case Kind::truth: {
      const std::string term = variable_of(literal.term, scope);
      const bool stored = scope.view == StateView::stored;
      scope.parts.push_back(applied(stored ? TermStructure::truth : current, {term}));
      return;
    }
    case Kind::distinct:
      return add_equation(literal, scope);
    case Kind::does:
      return add_does(literal, scope);
    case Kind::atom:
      return add_atom(literal, scope);
  }
}

std::string TermFormulas::finish(const GdlBody& body, Scope scope) {
  if (++size_ > max_formulas) throw NotTranslatable{"the rules become too many formulas"};
  const auto is_negative = [](const GdlLiteral& literal) {
    return literal.negated != (literal.kind == Kind::distinct);
  };
  const auto is_equation = [](const GdlLiteral& literal) { return literal.kind == Kind::distinct; };
  for (const GdlLiteral& literal : body) {
    if (!is_negative(literal) && !is_equation(literal)) add(literal, scope);
  }
  for (const GdlLiteral& literal : body) {
    if (!is_negative(literal) && is_equation(literal)) add(literal, scope);
  }
  for (const GdlLiteral& literal : body) {
    if (!is_negative(literal)) continue;
    Scope inner = scope;
    inner.bound.clear();
    inner.parts.clear();
    inner.inside_negation = true;
    add(literal, inner);
    const std::string quantified =
        inner.bound.empty() ? "" : fmt::format("ex {} ", fmt::join(inner.bound, ", "));
    scope.parts.push_back("not " + quantified + all_of(inner.parts));
  }
  if (scope.bound.empty()) return all_of(scope.parts);
  return fmt::format("ex {} {}", fmt::join(scope.bound, ", "), all_of(scope.parts));
}

bool TermFormulas::is_state(const std::string& predicate) const {
  if (predicate == "goal" || predicate == "terminal") return true;
  return rules_.depends_on_state(predicate) || rules_.depends_on_moves(predicate);
}

bool TermFormulas::reaches(const std::string& from, const std::string& to) {
  const auto [at, inserted] = reached_.try_emplace(from);
  if (!inserted) return at->second.count(to) > 0;
  std::set<std::string> reached;
  std::vector<std::string> next = {from};
  while (!next.empty()) {
    const std::string predicate = next.back();
    next.pop_back();
    for (const GdlClause& clause : rules_.of(predicate)) {
      for (const GdlLiteral& literal : clause.body) {
        if (literal.kind != Kind::atom || !is_state(literal.term.name)) continue;
        if (reached.insert(literal.term.name).second) next.push_back(literal.term.name);
      }
    }
  }
  return (reached_[from] = std::move(reached)).count(to) > 0;
}

std::string TermFormulas::call(const Call& call, std::vector<std::string> arguments) {
  const std::size_t arity = arguments.size();
  if (rules_.depends_on_moves(call.predicate)) {
    arguments.insert(arguments.end(), moves_.begin(), moves_.end());
  }
  for (const auto& [other, name] : open_) {
    if (other == call) return applied(name, arguments);
  }
  const bool is_inside = !open_.empty() && reaches(call.predicate, open_.back().first.predicate);
  if (!is_inside) return applied(defined(call, arity), arguments);
  std::vector<std::string> parameters, equations;
  for (const std::string& argument : arguments) {
    parameters.push_back(fresh());
    equations.push_back(parameters.back() + " = " + argument);
  }
  const std::string name = structure_.unique_relation("Fix " + call.predicate);
  open_.emplace_back(call, name);
  equations.push_back("lfp " + applied(name, parameters) + " = " + body_of(call, parameters));
  open_.pop_back();
  if (parameters.empty()) return equations.back();
  return fmt::format("ex {} {}", fmt::join(parameters, ", "), all_of(equations));
}

std::string TermFormulas::body_of(const Call& call, const std::vector<std::string>& parameters) {
  const bool with_moves = rules_.depends_on_moves(call.predicate) && !moves_.empty();
  const std::size_t arity = parameters.size() - (with_moves ? moves_.size() : 0);
  const std::vector<std::string> outer = moves_;
  if (with_moves) {
    moves_.assign(parameters.begin() + static_cast<std::ptrdiff_t>(arity), parameters.end());
  }
  std::vector<std::string> clauses;
  for (const GdlClause& clause : rules_.of(call.predicate)) {
    if (clause.head.arguments.size() != arity) continue;
    Scope scope;
    scope.view = call.view;
    if (with_moves) scope.parts.push_back(applied(joint, moves_));
    for (std::size_t i = 0; i < arity; ++i) {
      const GdlTerm& argument = clause.head.arguments[i];
      if (!argument.is_variable && !is_ground(argument)) {
        throw NotTranslatable{
            fmt::format("a derived predicate has nested terms, {}", print(clause.head))};
      }
      bind_head(argument, parameters[i], scope);
    }
    clauses.push_back(finish(clause.body, std::move(scope)));
  }
  moves_ = outer;
  return any_of(clauses);
}

void TermFormulas::define(const std::string& name, const std::vector<std::string>& parameters,
                          const std::string& body) {
  const std::string inside = structure_.unique_relation("Fix " + name);
  add_line(fmt::format("REL {} = lfp {} = {}", applied(name, parameters),
                       applied(inside, parameters), body));
}

std::string TermFormulas::defined(const Call& call, std::size_t arity) {
  const auto known = defined_.find(call);
  if (known != defined_.end()) return known->second;
  const std::string prefix = call.view == StateView::current ? "now " : "";
  const std::string name = structure_.unique_relation(prefix + call.predicate);
  defined_.emplace(call, name);
  const std::size_t moves = rules_.depends_on_moves(call.predicate) ? moves_.size() : 0;
  std::vector<std::string> parameters;
  for (std::size_t i = 0; i < arity + moves; ++i) parameters.push_back(fresh());
  const std::string inside = structure_.unique_relation("Fix " + prefix + call.predicate);
  auto outer = std::exchange(open_, {{call, inside}});
  const std::string body = body_of(call, parameters);
  open_ = std::move(outer);
  add_line(fmt::format("REL {} = lfp {} = {}", applied(name, parameters),
                       applied(inside, parameters), body));
  return name;
}

std::string TermFormulas::terminal(StateView view) {
  if (rules_.of("terminal").empty()) return "false";
  return call({"terminal", view}, {});
}

std::string TermFormulas::goal_relation(StateView view, const std::string& role,
                                        const std::string& value) {
  const Call call{"goal " + role + " " + value, view};
  const auto [at, inserted] = defined_.try_emplace(call);
  if (!inserted) {
    if (at->second.empty()) throw NotTranslatable{"goal is defined by recursion"};
    return at->second;
  }
  auto outer = std::exchange(open_, {});
  const std::string name = structure_.unique_relation(call.predicate);
  add_line(fmt::format("REL {}() = {}", name, goal(view, role, value)));
  open_ = std::move(outer);
  return defined_[call] = name;
}

std::string TermFormulas::goal(StateView view, const std::string& role, const std::string& value) {
  std::vector<std::string> clauses;
  for (const GdlClause& clause : rules_.of("goal")) {
    Substitution same;
    if (!unify(clause.head.arguments[0], gdl_constant(role), same)) continue;
    if (!unify(clause.head.arguments[1], gdl_constant(value), same)) continue;
    Scope scope;
    scope.view = view;
    clauses.push_back(finish(substitute(clause, same).body, std::move(scope)));
  }
  return any_of(clauses);
}

std::string TermFormulas::legal(StateView view, std::size_t role) {
  const auto [at, inserted] = legal_.try_emplace({view, role});
  if (!inserted) {
    if (at->second.empty()) throw NotTranslatable{"legal is defined by recursion"};
    return at->second;
  }
  const std::string prefix = view == StateView::current ? "now allowed " : "allowed ";
  const std::string name = structure_.unique_relation(prefix + rules_.roles()[role]);
  auto outer = std::exchange(open_, {});
  define(name, {"m"},
         all_of({applied(structure_.moves_of(role), {"m"}),
                 legal_clauses(view, rules_.roles()[role], "m")}));
  open_ = std::move(outer);
  return legal_[{view, role}] = name;
}

std::string TermFormulas::legal_clauses(StateView view, const std::string& role,
                                        const std::string& move) {
  std::vector<std::string> clauses;
  for (const GdlClause& clause : rules_.of("legal")) {
    const GdlTerm& player = clause.head.arguments[0];
    const GdlTerm& made = clause.head.arguments[1];
    if (print(player) != role) continue;
    Scope scope;
    scope.view = view;
    add_move(made, move, scope);
    clauses.push_back(finish(clause.body, std::move(scope)));
  }
  return any_of(clauses);
}

std::string TermFormulas::next(const std::string& term, bool with_frames) {
  std::vector<std::string> clauses;
  for (const GdlClause& clause : rules_.of("next")) {
    const GdlTerm& made = clause.head.arguments[0];
    const bool is_frame =
        std::any_of(clause.body.begin(), clause.body.end(), [&](const GdlLiteral& literal) {
          return literal.kind == Kind::truth && !literal.negated && literal.term == made;
        });
    if (is_frame && !with_frames) continue;
    Scope scope;
    bind_head(made, term, scope);
    clauses.push_back(finish(clause.body, std::move(scope)));
  }
  return any_of(clauses);
}

}  // namespace zermelo::translate::toss
