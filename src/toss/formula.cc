#include "toss/formula.h"

#include <algorithm>

namespace zermelo::toss {
namespace {

using FK = Formula::Kind;
using TK = Term::Kind;

template <class Pointer>
bool same_parts(const std::vector<Pointer>& a, const std::vector<Pointer>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Pointer& x, const Pointer& y) { return same(*x, *y); });
}

FormulaPtr make(Formula formula) { return std::make_shared<const Formula>(std::move(formula)); }
TermPtr make(Term term) { return std::make_shared<const Term>(std::move(term)); }

FormulaPtr with_parts(FK kind, std::vector<FormulaPtr> parts) {
  if (parts.size() == 1) return parts.front();
  Formula result;
  result.kind = kind;
  result.parts = std::move(parts);
  return make(std::move(result));
}

FormulaPtr quantified(FK kind, std::vector<std::string> variables, FormulaPtr body) {
  if (variables.empty()) return body;
  Formula result;
  result.kind = kind;
  result.variables = std::move(variables);
  result.parts = {std::move(body)};
  return make(std::move(result));
}

TermPtr with_parts(TK kind, std::vector<TermPtr> parts) {
  Term result;
  result.kind = kind;
  result.parts = std::move(parts);
  return make(std::move(result));
}

// Visits a tree and keeps the variables that are not bound where they stand.
class FreeVariables {
 public:
  Names names;

  void visit(const Formula& formula) {
    switch (formula.kind) {
      case FK::atom:
      case FK::equal:
        for (const std::string& name : formula.variables) use(name);
        return;
      case FK::compare:
        return visit(*formula.term);
      case FK::exists:
      case FK::forall:
        return inside(formula.variables, [&] { visit(*formula.parts[0]); });
      case FK::least:
      case FK::greatest:
      case FK::closure:
        for (const std::string& name : formula.variables) use(name);
        return inside(formula.variables, [&] { visit(*formula.parts[0]); });
      case FK::let:
        inside(formula.variables, [&] { visit(*formula.parts[0]); });
        return visit(*formula.parts[1]);
      case FK::negation:
      case FK::conjunction:
      case FK::disjunction:
        for (const FormulaPtr& part : formula.parts) visit(*part);
    }
  }

  void visit(const Term& term) {
    if (term.kind == TK::value) use(term.variables[0]);
    const auto parts = [&] {
      if (term.formula) visit(*term.formula);
      for (const TermPtr& part : term.parts) visit(*part);
    };
    if (term.kind == TK::sum) {
      inside(term.variables, parts);
    } else {
      parts();
    }
  }

 private:
  void use(const std::string& name) {
    if (bound_.find(name) == bound_.end()) names.insert(name);
  }

  template <class Visit>
  void inside(const std::vector<std::string>& variables, Visit visit) {
    for (const std::string& name : variables) bound_.insert(name);
    visit();
    for (const std::string& name : variables) bound_.erase(bound_.find(name));
  }

  std::multiset<std::string> bound_;
};

// Collects the relations that are not bound where they stand, and all functions.
class UsedNames {
 public:
  Names relations, functions;

  void visit(const Formula& formula) {
    const bool fixed_point = formula.kind == FK::least || formula.kind == FK::greatest;
    if (formula.kind == FK::let) {
      visit(*formula.parts[0]);
      return inside(formula.name, [&] { visit(*formula.parts[1]); });
    }
    if (fixed_point) return inside(formula.name, [&] { visit(*formula.parts[0]); });
    if (formula.kind == FK::atom && bound_.count(formula.name) == 0) relations.insert(formula.name);
    if (formula.term) visit(*formula.term);
    for (const FormulaPtr& part : formula.parts) visit(*part);
  }

  void visit(const Term& term) {
    if (term.kind == TK::value) functions.insert(term.name);
    if (term.formula) visit(*term.formula);
    for (const TermPtr& part : term.parts) visit(*part);
  }

 private:
  template <class Visit>
  void inside(const std::string& name, Visit visit) {
    bound_.insert(name);
    visit();
    bound_.erase(bound_.find(name));
  }

  std::multiset<std::string> bound_;
};

}  // namespace

bool same(const Formula& a, const Formula& b) {
  return &a == &b ||
         (a.kind == b.kind && a.name == b.name && a.variables == b.variables &&
          a.comparison == b.comparison && same_parts(a.parts, b.parts) && same(a.term, b.term));
}

bool same(const Term& a, const Term& b) {
  return &a == &b ||
         (a.kind == b.kind && a.number == b.number && a.name == b.name &&
          a.variables == b.variables && same(a.formula, b.formula) && same_parts(a.parts, b.parts));
}

bool same(const FormulaPtr& a, const FormulaPtr& b) { return a && b ? same(*a, *b) : a == b; }
bool same(const TermPtr& a, const TermPtr& b) { return a && b ? same(*a, *b) : a == b; }

bool has(const std::vector<FormulaPtr>& parts, const FormulaPtr& part) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](const FormulaPtr& other) { return same(other, part); });
}

FormulaPtr truth(bool value) {
  Formula result;
  result.kind = value ? FK::conjunction : FK::disjunction;
  return make(std::move(result));
}

FormulaPtr atom(std::string name, std::vector<std::string> variables) {
  Formula result;
  result.kind = FK::atom;
  result.name = std::move(name);
  result.variables = std::move(variables);
  return make(std::move(result));
}

FormulaPtr equal(std::string left, std::string right) {
  Formula result;
  result.kind = FK::equal;
  result.variables = {std::move(left), std::move(right)};
  return make(std::move(result));
}

FormulaPtr compare(TermPtr term, Comparison comparison) {
  Formula result;
  result.kind = FK::compare;
  result.term = std::move(term);
  result.comparison = comparison;
  return make(std::move(result));
}

FormulaPtr negation(FormulaPtr formula) {
  Formula result;
  result.kind = FK::negation;
  result.parts = {std::move(formula)};
  return make(std::move(result));
}

FormulaPtr conjunction(std::vector<FormulaPtr> parts) {
  return with_parts(FK::conjunction, std::move(parts));
}
FormulaPtr disjunction(std::vector<FormulaPtr> parts) {
  return with_parts(FK::disjunction, std::move(parts));
}
FormulaPtr exists(std::vector<std::string> variables, FormulaPtr body) {
  return quantified(FK::exists, std::move(variables), std::move(body));
}
FormulaPtr forall(std::vector<std::string> variables, FormulaPtr body) {
  return quantified(FK::forall, std::move(variables), std::move(body));
}

TermPtr number(double value) {
  Term result;
  result.number = value;
  return make(std::move(result));
}

TermPtr indicator(FormulaPtr formula) {
  Term result;
  result.kind = TK::indicator;
  result.formula = std::move(formula);
  return make(std::move(result));
}

TermPtr add(std::vector<TermPtr> parts) {
  if (parts.size() == 1) return parts.front();
  return parts.empty() ? number(0) : with_parts(TK::add, std::move(parts));
}

TermPtr negate(TermPtr part) { return with_parts(TK::negate, {std::move(part)}); }

TermPtr multiply(std::vector<TermPtr> parts) {
  if (parts.size() == 1) return parts.front();
  return parts.empty() ? number(1) : with_parts(TK::multiply, std::move(parts));
}

TermPtr power(TermPtr base, TermPtr exponent) {
  return with_parts(TK::power, {std::move(base), std::move(exponent)});
}

TermPtr sum(std::vector<std::string> variables, FormulaPtr formula, TermPtr term) {
  Term result;
  result.kind = TK::sum;
  result.variables = std::move(variables);
  result.formula = std::move(formula);
  result.parts = {std::move(term)};
  return make(std::move(result));
}

bool is_truth(const Formula& formula, bool value) {
  return formula.kind == (value ? FK::conjunction : FK::disjunction) && formula.parts.empty();
}

Names free_variables(const Formula& formula) {
  FreeVariables visitor;
  visitor.visit(formula);
  return visitor.names;
}

Names free_variables(const Term& term) {
  FreeVariables visitor;
  visitor.visit(term);
  return visitor.names;
}

Names relations_in(const Formula& formula) {
  UsedNames used;
  used.visit(formula);
  return used.relations;
}

Names relations_in(const Term& term) {
  UsedNames used;
  used.visit(term);
  return used.relations;
}

Names functions_in(const Formula& formula) {
  UsedNames used;
  used.visit(formula);
  return used.functions;
}

}  // namespace zermelo::toss
