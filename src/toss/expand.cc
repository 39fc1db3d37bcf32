#include "toss/expand.h"

#include <map>
#include <memory>

#include "toss/query.h"

namespace zermelo::toss {
namespace {

using Kind = Formula::Kind;
using Renaming = std::map<std::string, std::string>;

struct Scope {
  Renaming variables;
  Renaming relations;  // of fixed points
  // Relations that are inserted: parameters, body, and the scope of the body.
  struct Inserted {
    const std::vector<std::string>* parameters;
    const Formula* body;
    std::shared_ptr<const Scope> scope;
  };
  std::map<std::string, Inserted> inserted;
};

class Expander {
 public:
  Expander(const Game& game, const std::function<bool(const Definition&)>& inserted) {
    for (const Definition& definition : game.definitions) {
      if (!inserted(definition)) continue;
      auto scope = std::make_shared<const Scope>(global_);
      global_.inserted[definition.name] = {&definition.parameters, definition.body.get(), scope};
    }
  }

  FormulaPtr run(const Formula& formula) {
    Scope scope = global_;
    for (const std::string& name : free_variables(formula)) {
      used_.insert(name);
      scope.variables[name] = name;
    }
    return visit(formula, scope);
  }

 private:
  static std::vector<std::string> renamed(const std::vector<std::string>& names,
                                          const Scope& scope) {
    std::vector<std::string> result;
    for (const std::string& name : names) result.push_back(scope.variables.at(name));
    return result;
  }

  std::vector<std::string> bind(const std::vector<std::string>& names, Scope& scope) {
    std::vector<std::string> result;
    for (const std::string& name : names) {
      result.push_back(fresh_name(name, used_));
      scope.variables[name] = result.back();
    }
    return result;
  }

  FormulaPtr visit(const Formula& formula, const Scope& scope) {
    constexpr std::size_t max_nodes = 50'000;
    if (++nodes_ > max_nodes) {
      throw LimitReached(base::ErrorKind::memory_limit,
                         "a formula is too large once its definitions are inserted");
    }
    switch (formula.kind) {
      case Kind::atom:
        return visit_atom(formula, scope);
      case Kind::let: {
        Scope inner = scope;
        inner.relations.erase(formula.name);
        inner.inserted[formula.name] = {&formula.variables, formula.parts[0].get(),
                                        std::make_shared<const Scope>(scope)};
        return visit(*formula.parts[1], inner);
      }
      case Kind::least:
      case Kind::greatest:
        if (relations_in(*formula.parts[0]).count(formula.name) == 0) {
          return visit(*formula.parts[0], scope);  // not recursive, so the same as its body
        }
        return visit_recursion(formula, scope);
      case Kind::closure:
        return visit_recursion(formula, scope);
      default:
        break;
    }
    Scope inner = scope;
    Formula result = formula;
    const bool quantifier = formula.kind == Kind::exists || formula.kind == Kind::forall;
    result.variables =
        quantifier ? bind(formula.variables, inner) : renamed(formula.variables, scope);
    for (FormulaPtr& part : result.parts) part = visit(*part, inner);
    if (result.term) result.term = visit(*result.term, inner);
    return std::make_shared<const Formula>(std::move(result));
  }

  FormulaPtr visit_atom(const Formula& formula, const Scope& scope) {
    const std::vector<std::string> arguments = renamed(formula.variables, scope);
    const auto found = scope.inserted.find(formula.name);
    if (found == scope.inserted.end()) {
      const auto local = scope.relations.find(formula.name);
      return atom(local == scope.relations.end() ? formula.name : local->second, arguments);
    }
    Scope inner = *found->second.scope;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      inner.variables[(*found->second.parameters)[i]] = arguments[i];
    }
    return visit(*found->second.body, inner);
  }

  // The variables of a fixed point or closure are bound in its body and are its arguments. Bound
  // ones get new names, and equations make them the arguments.
  FormulaPtr visit_recursion(const Formula& formula, const Scope& scope) {
    Scope inner = scope;
    Formula result = formula;
    result.variables = bind(formula.variables, inner);
    if (formula.kind != Kind::closure) {
      result.name = fresh_name(formula.name, used_);
      inner.inserted.erase(formula.name);
      inner.relations[formula.name] = result.name;
    }
    result.parts[0] = visit(*formula.parts[0], inner);
    const std::vector<std::string> own = result.variables;
    const std::vector<std::string> arguments = renamed(formula.variables, scope);
    std::vector<FormulaPtr> parts = {std::make_shared<const Formula>(std::move(result))};
    for (std::size_t i = 0; i < own.size(); ++i) parts.push_back(equal(own[i], arguments[i]));
    return exists(own, conjunction(std::move(parts)));
  }

  TermPtr visit(const Term& term, const Scope& scope) {
    Scope inner = scope;
    Term result = term;
    result.variables =
        term.kind == Term::Kind::sum ? bind(term.variables, inner) : renamed(term.variables, scope);
    if (result.formula) result.formula = visit(*result.formula, inner);
    for (TermPtr& part : result.parts) part = visit(*part, inner);
    return std::make_shared<const Term>(std::move(result));
  }

  Scope global_;
  Names used_;
  std::size_t nodes_ = 0;
};

std::vector<std::string> mapped(const std::vector<std::string>& names, const Renaming& renaming) {
  std::vector<std::string> result;
  for (const std::string& name : names) {
    const auto found = renaming.find(name);
    result.push_back(found == renaming.end() ? name : found->second);
  }
  return result;
}

TermPtr rename_term(const TermPtr& term, const Renaming& names) {
  Term result = *term;
  result.variables = mapped(term->variables, names);
  if (result.formula) result.formula = rename(result.formula, names);
  for (TermPtr& part : result.parts) part = rename_term(part, names);
  return std::make_shared<const Term>(std::move(result));
}

}  // namespace

FormulaPtr expand(const Game& game, const Formula& formula,
                  const std::function<bool(const Definition&)>& inserted) {
  return Expander(game, inserted).run(formula);
}

FormulaPtr rename(const FormulaPtr& formula, const Renaming& names) {
  Formula result = *formula;
  result.variables = mapped(formula->variables, names);
  for (FormulaPtr& part : result.parts) part = rename(part, names);
  if (result.term) result.term = rename_term(result.term, names);
  return std::make_shared<const Formula>(std::move(result));
}

std::string fresh_name(const std::string& name, Names& used) {
  if (used.insert(name).second) return name;
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  const bool numbered = digits < name.size() && digits > 1 && name[digits - 1] == '_';
  const std::string stem = numbered ? name.substr(0, digits) : name + "_";
  for (std::size_t number = 1;; ++number) {
    const std::string candidate = stem + std::to_string(number);
    if (used.insert(candidate).second) return candidate;
  }
}

}  // namespace zermelo::toss
