#include "toss/logic.h"

#include <algorithm>
#include <optional>

#include "toss/plan.h"

namespace zermelo::toss {
namespace {

constexpr std::size_t max_nodes = 2'000'000;
// What is evaluated in advance has tables of at most so many cells and relations of so many
// columns.
constexpr std::size_t max_prepared_cells = 300'000;
constexpr std::size_t max_prepared_columns = 6;

template <class T>
void merge(std::vector<T>& into, const std::vector<T>& from) {
  std::vector<T> result;
  std::set_union(into.begin(), into.end(), from.begin(), from.end(), std::back_inserter(result));
  into = std::move(result);
}

template <class T>
void normalise(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

void depend(Dependence& on, const Dependence& part) {
  merge(on.free, part.free);
  merge(on.slots, part.slots);
  on.stable = on.stable && part.stable;
}

void unbind(Dependence& dependence, const Variables& variables) {
  std::erase_if(dependence.free, [&](Variable v) {
    return std::find(variables.begin(), variables.end(), v) != variables.end();
  });
}

}  // namespace

struct NameScope;

// A relation bound by `let`, by a fixed point, or by a definition of the game.
struct LocalRelation {
  const Formula* body = nullptr;           // null for a fixed point
  std::vector<std::string> parameters;     // of the body
  std::shared_ptr<const NameScope> scope;  // in which the body stands; null for a definition
  std::size_t slot = 0;                    // of a fixed point
  Variables captured;                      // free variables beside the arguments
  bool prepare = false;                    // stable, so worth evaluating in advance
  bool is_fixed_point = false;             // of the game, and its body is one
};

// What is bound around a formula; definitions of the game are known beside it.
struct NameScope {
  std::map<std::string, Variable> variables;
  std::map<std::string, std::shared_ptr<const LocalRelation>> relations;
};

struct DefinedRelations {
  std::map<std::string, std::size_t> stored, functions;  // numbers of the game's symbols
  std::map<std::string, std::shared_ptr<const LocalRelation>> definitions;
};

namespace {

bool stable_relation(const Theory& theory, std::size_t r) {
  return theory.stable().universe && theory.stable().relations[r];
}

bool stable_function(const Theory& theory, std::size_t f) {
  return theory.stable().universe && theory.stable().functions[f];
}

// Whether the body uses only what no move changes.
bool is_stable(const Theory& theory, const Formula& body, const DefinedRelations& known) {
  if (!theory.stable().universe) return false;
  for (const std::string& name : relations_in(body)) {
    const auto found = known.definitions.find(name);
    const auto stored = known.stored.find(name);
    if (found != known.definitions.end()
            ? !found->second->prepare
            : stored == known.stored.end() || !stable_relation(theory, stored->second)) {
      return false;
    }
  }
  for (const std::string& name : functions_in(body)) {
    if (!stable_function(theory, known.functions.at(name))) return false;
  }
  return true;
}

// The same for all queries of a theory.
const DefinedRelations& defined_relations(const Theory& theory) {
  std::shared_ptr<const DefinedRelations>& shared = theory.shared().relations;
  if (shared) return *shared;
  auto made = std::make_shared<DefinedRelations>();
  const Signature& signature = theory.game().signature;
  for (std::size_t r = 0; r < signature.relations.size(); ++r) {
    made->stored[signature.relations[r].name] = r;
  }
  for (std::size_t f = 0; f < signature.functions.size(); ++f) {
    made->functions[signature.functions[f]] = f;
  }
  for (const Definition& definition : theory.game().definitions) {
    using Kind = Formula::Kind;
    const Kind kind = definition.body->kind;
    auto relation = std::make_shared<LocalRelation>();
    relation->body = definition.body.get();
    relation->parameters = definition.parameters;
    relation->prepare = is_stable(theory, *definition.body, *made);
    relation->is_fixed_point =
        kind == Kind::least || kind == Kind::greatest || kind == Kind::closure;
    made->definitions[definition.name] = std::move(relation);
  }
  shared = std::move(made);
  return *shared;
}

class FormulaResolver {
 public:
  explicit FormulaResolver(const Theory& theory)
      : theory_(theory), known_(defined_relations(theory)) {}

  Resolution formula(const Formula& formula, const std::vector<std::string>& names) {
    Resolution result;
    NameScope scope;
    result.variables = bind(scope, names);
    result.node = resolve(formula, scope, true);
    result.slots = slots();
    return result;
  }

  Resolution term(const Term& term) {
    Resolution result;
    result.term = resolve(term, NameScope());
    result.slots = slots();
    return result;
  }

 private:
  std::size_t& slots() { return theory_.shared().slots; }

  bool stable_relation(std::size_t r) const { return toss::stable_relation(theory_, r); }
  bool stable_function(std::size_t f) const { return toss::stable_function(theory_, f); }

  Variables bind(NameScope& scope, const std::vector<std::string>& names) {
    Variables result;
    for (const std::string& name : names) {
      result.push_back(next_variable_);
      scope.variables[name] = next_variable_++;
    }
    return result;
  }

  static Variables lookup(const NameScope& scope, const std::vector<std::string>& names) {
    Variables result;
    for (const std::string& name : names) result.push_back(scope.variables.at(name));
    return result;
  }

  void count() {
    if (++nodes_ <= max_nodes) return;
    throw LimitReached(base::ErrorKind::memory_limit,
                       "a formula is too large once its definitions are inserted");
  }

  NodePtr finish(Node node) {
    count();
    return std::make_shared<const Node>(std::move(node));
  }

  NodePtr signed_node(NodePtr node, bool positive) {
    if (positive) return node;
    Node result;
    result.kind = Node::Kind::negation;
    depend(result, *node);
    result.parts = {std::move(node)};
    return finish(std::move(result));
  }

  // A conjunction or disjunction; parts of the same kind are taken in.
  NodePtr joined(Node::Kind kind, const std::vector<NodePtr>& parts) {
    if (parts.size() == 1) return parts.front();
    Node result;
    result.kind = kind;
    for (const NodePtr& part : parts) {
      depend(result, *part);
      if (part->kind == kind) {
        result.parts.insert(result.parts.end(), part->parts.begin(), part->parts.end());
      } else {
        result.parts.push_back(part);
      }
    }
    NodePtr node = finish(std::move(result));
    const bool disjunction = kind == Node::Kind::disjunction;
    return disjunction && node->parts.size() > 1 ? prepared(node) : node;
  }

  NodePtr existential(const Variables& variables, const NodePtr& body) {
    if (body->kind == Node::Kind::disjunction && !body->parts.empty()) {
      std::vector<NodePtr> branches;
      for (const NodePtr& part : body->parts) branches.push_back(existential(variables, part));
      return joined(Node::Kind::disjunction, branches);
    }
    Node result;
    result.kind = Node::Kind::exists;
    depend(result, *body);
    unbind(result, variables);
    result.variables = variables;
    result.parts = {body};
    if (body->kind == Node::Kind::exists) {
      result.variables.insert(result.variables.end(), body->variables.begin(),
                              body->variables.end());
      result.parts = body->parts;
    }
    return prepared(finish(std::move(result)));
  }

  // The atom of a table, where the formula depends on what never changes only.
  NodePtr prepared(const NodePtr& node) {
    if (!can_prepare(*node) || node->free.size() > max_prepared_columns) return node;
    if (node->kind == Node::Kind::atom && node->source.kind != Source::Kind::recursion) return node;
    EvaluationLimits limits = theory_.limits();
    limits.max_cells = std::min(limits.max_cells, max_prepared_cells);
    try {
      Node result;
      result.kind = Node::Kind::atom;
      depend(result, *node);
      result.variables = node->free;
      result.source.kind = Source::Kind::table;
      result.source.table =
          std::make_shared<const TupleSet>(evaluate_node(theory_, *node, slots(), limits));
      return finish(std::move(result));
    } catch (const LimitReached&) {
      return node;
    }
  }

  bool can_prepare(const Dependence& dependence) const {
    return theory_.stable().universe && dependence.stable && dependence.slots.empty();
  }

  NodePtr resolve(const Formula& formula, const NameScope& scope, bool positive) {
    using Kind = Formula::Kind;
    switch (formula.kind) {
      case Kind::atom:
        return resolve_atom(formula, scope, positive);
      case Kind::equal: {
        Node node;
        node.kind = Node::Kind::equal;
        node.variables = lookup(scope, formula.variables);
        node.free = node.variables;
        normalise(node.free);
        return signed_node(finish(std::move(node)), positive);
      }
      case Kind::compare: {
        Node node;
        node.kind = Node::Kind::compare;
        node.comparison = formula.comparison;
        node.term = resolve(*formula.term, scope);
        depend(node, *node.term);
        return signed_node(finish(std::move(node)), positive);
      }
      case Kind::negation:
        return resolve(*formula.parts[0], scope, !positive);
      case Kind::conjunction:
      case Kind::disjunction:
        return resolve_parts(formula, scope, positive);
      case Kind::exists:
        return resolve_quantifier(formula, scope, true, positive);
      case Kind::forall:
        return resolve_quantifier(formula, scope, false, !positive);
      case Kind::least:
      case Kind::greatest:
      case Kind::closure:
        return signed_node(resolve_recursion(formula, scope, false), positive);
      case Kind::let:
        return resolve_let(formula, scope, positive);
    }
    return nullptr;
  }

  NodePtr resolve_parts(const Formula& formula, const NameScope& scope, bool positive) {
    const bool conjunction = (formula.kind == Formula::Kind::conjunction) == positive;
    std::vector<NodePtr> parts;
    for (const FormulaPtr& part : formula.parts) parts.push_back(resolve(*part, scope, positive));
    return joined(conjunction ? Node::Kind::conjunction : Node::Kind::disjunction, parts);
  }

  // all x f is not ex x not f.
  NodePtr resolve_quantifier(const Formula& formula, NameScope scope, bool body_positive,
                             bool positive) {
    const Variables variables = bind(scope, formula.variables);
    return signed_node(existential(variables, resolve(*formula.parts[0], scope, body_positive)),
                       positive);
  }

  NodePtr resolve_atom(const Formula& formula, const NameScope& scope, bool positive) {
    const Variables arguments = lookup(scope, formula.variables);
    const auto local = scope.relations.find(formula.name);
    if (local != scope.relations.end()) return resolve_local(*local->second, arguments, positive);
    const auto defined = known_.definitions.find(formula.name);
    if (defined != known_.definitions.end()) {
      return resolve_local(*defined->second, arguments, positive);
    }
    Node node;
    node.source.index = known_.stored.at(formula.name);
    node.stable = stable_relation(node.source.index);
    return signed_node(atom_node(std::move(node), arguments), positive);
  }

  NodePtr atom_node(Node node, Variables arguments) {
    node.kind = Node::Kind::atom;
    node.free = arguments;
    normalise(node.free);
    node.variables = std::move(arguments);
    return finish(std::move(node));
  }

  NodePtr resolve_local(const LocalRelation& relation, Variables arguments, bool positive) {
    if (!relation.body) {
      arguments.insert(arguments.end(), relation.captured.begin(), relation.captured.end());
      Node node;
      node.source.kind = Source::Kind::slot;
      node.source.index = relation.slot;
      node.slots = {relation.slot};
      return signed_node(atom_node(std::move(node), std::move(arguments)), positive);
    }
    NameScope inner;
    if (relation.scope) inner = *relation.scope;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      inner.variables[relation.parameters[i]] = arguments[i];
    }
    if (relation.is_fixed_point) {
      const NodePtr node = resolve_recursion(*relation.body, inner, true);
      return signed_node(relation.prepare ? prepared(node) : node, positive);
    }
    if (!relation.prepare) return resolve(*relation.body, inner, positive);
    return signed_node(prepared(resolve(*relation.body, inner, true)), positive);
  }

  // The variables of the scope that a formula depends on, through local relations as well.
  Variables captured(const Formula& formula, const NameScope& scope,
                     const std::vector<std::string>& bound) const {
    Variables result;
    for (const std::string& name : free_variables(formula)) {
      if (std::find(bound.begin(), bound.end(), name) != bound.end()) continue;
      result.push_back(scope.variables.at(name));
    }
    for (const std::string& name : relations_in(formula)) {
      const auto local = scope.relations.find(name);
      if (local == scope.relations.end()) continue;
      result.insert(result.end(), local->second->captured.begin(), local->second->captured.end());
    }
    normalise(result);
    return result;
  }

  NodePtr resolve_let(const Formula& formula, const NameScope& scope, bool positive) {
    auto relation = std::make_shared<LocalRelation>();
    relation->body = formula.parts[0].get();
    relation->parameters = formula.variables;
    relation->scope = std::make_shared<const NameScope>(scope);
    relation->captured = captured(*formula.parts[0], scope, formula.variables);
    NameScope inner = scope;
    inner.relations[formula.name] = std::move(relation);
    return resolve(*formula.parts[1], inner, positive);
  }

  // What has no parameters can be shared: then it is the whole body of a definition.
  NodePtr resolve_recursion(const Formula& formula, const NameScope& scope, bool is_definition) {
    const Variables arguments = lookup(scope, formula.variables);
    const Variables parameters = captured(*formula.parts[0], scope, formula.variables);
    if (!is_definition || !parameters.empty()) {
      return recursion_atom(make_recursion(formula, scope, parameters), arguments, parameters);
    }
    auto& shared = theory_.shared().by_body;
    const auto known = shared.find(&formula);
    if (known != shared.end()) return recursion_atom(known->second, arguments, parameters);
    auto made = make_recursion(formula, scope, parameters);
    shared.emplace(&formula, made);
    return recursion_atom(std::move(made), arguments, parameters);
  }

  std::shared_ptr<const Recursion> make_recursion(const Formula& formula, const NameScope& scope,
                                                  const Variables& parameters) {
    NameScope inner = scope;
    auto recursion = std::make_shared<Recursion>();
    recursion->columns = bind(inner, formula.variables);
    recursion->columns.insert(recursion->columns.end(), parameters.begin(), parameters.end());
    recursion->slot = slots()++;
    if (formula.kind != Formula::Kind::closure) {
      auto relation = std::make_shared<LocalRelation>();
      relation->slot = recursion->slot;
      relation->captured = parameters;
      inner.relations[formula.name] = std::move(relation);
    }
    recursion->kind = formula.kind == Formula::Kind::least      ? Recursion::Kind::least
                      : formula.kind == Formula::Kind::greatest ? Recursion::Kind::greatest
                                                                : Recursion::Kind::closure;
    recursion->body = resolve(*formula.parts[0], inner, true);
    const std::vector<std::size_t>& slots = recursion->body->slots;
    recursion->recurs = std::find(slots.begin(), slots.end(), recursion->slot) != slots.end();
    recursion->closed = slots.size() == (recursion->recurs ? 1u : 0u);
    return recursion;
  }

  NodePtr recursion_atom(std::shared_ptr<const Recursion> recursion, Variables arguments,
                         const Variables& parameters) {
    Node node;
    node.stable = recursion->body->stable;
    node.slots = recursion->body->slots;
    std::erase(node.slots, recursion->slot);
    node.source.kind = Source::Kind::recursion;
    node.source.recursion = std::move(recursion);
    arguments.insert(arguments.end(), parameters.begin(), parameters.end());
    return prepared(atom_node(std::move(node), std::move(arguments)));
  }

  TermNodePtr resolve(const Term& term, NameScope scope) {
    count();
    TermNode result;
    result.kind = term.kind;
    result.number = term.number;
    if (term.kind == Term::Kind::value) {
      result.function = known_.functions.at(term.name);
      result.stable = stable_function(result.function);
      result.variables = lookup(scope, term.variables);
      result.free = result.variables;
    } else if (term.kind == Term::Kind::sum) {
      result.variables = bind(scope, term.variables);
    }
    if (term.formula) {
      result.formula = resolve(*term.formula, scope, true);
      depend(result, *result.formula);
    }
    for (const TermPtr& part : term.parts) {
      result.parts.push_back(resolve(*part, scope));
      depend(result, *result.parts.back());
    }
    if (term.kind == Term::Kind::sum) unbind(result, result.variables);
    return prepared(std::make_shared<const TermNode>(std::move(result)));
  }

  // Values by element, where the term depends on one element and what never changes only.
  TermNodePtr prepared(const TermNodePtr& node) {
    const bool trivial = node->kind == Term::Kind::number;
    if (trivial || !can_prepare(*node) || node->free.size() > 1) return node;
    EvaluationLimits limits = theory_.limits();
    limits.max_cells = std::min(limits.max_cells, max_prepared_cells);
    try {
      TermNode result = *node;
      result.table = std::make_shared<const std::vector<double>>(
          evaluate_term(theory_, *node, slots(), limits));
      return std::make_shared<const TermNode>(std::move(result));
    } catch (const LimitReached&) {
      return node;
    }
  }

  const Theory& theory_;
  const DefinedRelations& known_;
  Variable next_variable_ = 0;
  std::size_t nodes_ = 0;
};

}  // namespace

Resolution resolve_formula(const Theory& theory, const Formula& formula,
                           const std::vector<std::string>& names) {
  return FormulaResolver(theory).formula(formula, names);
}

Resolution resolve_term(const Theory& theory, const Term& term) {
  return FormulaResolver(theory).term(term);
}

}  // namespace zermelo::toss
