// A fixed point exists where the operator is monotone, which holds if its variable occurs under an
// even number of negations and in no real-valued term. Occurrences inside a local definition count
// wherever the defined relation is used; so each local definition remembers how the variables of
// fixed points around it occur in it.
#include "toss/check_formula.h"

#include <fmt/format.h>

#include <algorithm>

namespace zermelo::toss {
namespace {

// How a relation occurs: positively, negatively, or both. Terms count as both.
using Polarity = unsigned;
constexpr Polarity positive = 1, negative = 2, both = 3;

Polarity flipped(Polarity p) {
  return (p & positive ? negative : 0) | (p & negative ? positive : 0);
}
Polarity under(Polarity outer, Polarity inner) {
  return (outer & positive ? inner : 0) | (outer & negative ? flipped(inner) : 0);
}

// A relation bound inside the formula: by a fixed point or by `let`.
struct Local {
  std::string name;
  std::size_t arity;
  bool fixed_point;
  unsigned negations, terms;                    // around its body
  std::map<std::size_t, Polarity> occurrences;  // in a `let` body, by local
};

class Checker {
 public:
  Checker(const KnownNames& known, const Names& variables, const std::string& where,
          std::vector<base::Diagnostic>& diagnostics)
      : known_(known), where_(where), diagnostics_(diagnostics) {
    for (const std::string& name : variables) bound_.insert(name);
  }

  void check(const Formula& formula) {
    using Kind = Formula::Kind;
    switch (formula.kind) {
      case Kind::atom:
        use_all(formula.variables, formula.span);
        return check_atom(formula);
      case Kind::equal:
        return use_all(formula.variables, formula.span);
      case Kind::compare:
        return check(*formula.term);
      case Kind::negation:
        ++negations_;
        check(*formula.parts[0]);
        --negations_;
        return;
      case Kind::conjunction:
      case Kind::disjunction:
        for (const FormulaPtr& part : formula.parts) check(*part);
        return;
      case Kind::exists:
      case Kind::forall:
        return bind(formula.variables, formula.span, [&] { check(*formula.parts[0]); });
      case Kind::closure:
        use_all(formula.variables, formula.span);
        ++terms_;  // a closure is monotone, but its body is evaluated as a whole
        bind(formula.variables, formula.span, [&] { check(*formula.parts[0]); });
        --terms_;
        return;
      case Kind::least:
      case Kind::greatest:
        return check_fixed_point(formula);
      case Kind::let:
        return check_let(formula);
    }
  }

  void check(const Term& term) {
    ++terms_;
    const auto parts = [&] {
      if (term.formula) check(*term.formula);
      for (const TermPtr& part : term.parts) check(*part);
    };
    if (term.kind == Term::Kind::value) {
      use_all(term.variables, term.span);
      check_function(term);
    }
    if (term.kind == Term::Kind::sum) {
      bind(term.variables, term.span, parts);
    } else {
      parts();
    }
    --terms_;
  }

 private:
  void report(const char* code, base::Span span, std::string message) {
    diagnostics_.push_back({base::Severity::error, code, span, std::move(message)});
  }

  void use_all(const std::vector<std::string>& names, base::Span span) {
    for (const std::string& name : names) {
      if (bound_.find(name) != bound_.end()) continue;
      report("free-variable", span, fmt::format("'{}' is not bound here; {}", name, where_));
    }
  }

  template <class Visit>
  void bind(const std::vector<std::string>& names, base::Span span, Visit visit) {
    if (Names(names.begin(), names.end()).size() != names.size()) {
      report("repeated-variable", span, "a variable is bound twice here");
    }
    for (const std::string& name : names) bound_.insert(name);
    visit();
    for (const std::string& name : names) bound_.erase(bound_.find(name));
  }

  void check_function(const Term& term) {
    if (known_.functions.count(term.name) > 0) return;
    report("unknown-function", term.span,
           fmt::format("no structure has a function '{}'", term.name));
  }

  void check_atom(const Formula& formula) {
    for (std::size_t i = locals_.size(); i-- > 0;) {
      if (locals_[i].name != formula.name) continue;
      check_arity(formula, locals_[i].arity);
      return note_occurrence(i, formula.span);
    }
    const auto found = known_.relations.find(formula.name);
    if (found != known_.relations.end()) return check_arity(formula, found->second);
    report("unknown-relation", formula.span,
           fmt::format("no structure has a relation '{}', and no REL defines it", formula.name));
  }

  void check_arity(const Formula& formula, std::size_t arity) {
    if (formula.variables.size() == arity) return;
    report("arity-mismatch", formula.span,
           fmt::format("'{}' has arity {}, and stands here with {}", formula.name, arity,
                       formula.variables.size()));
  }

  // How what stands here occurs in the body of a local relation.
  Polarity polarity_in(const Local& local) const {
    if (terms_ > local.terms) return both;
    return (negations_ - local.negations) % 2 == 0 ? positive : negative;
  }

  void note_occurrence(std::size_t local, base::Span span) {
    if (locals_[local].fixed_point) return note_fixed_point(local, positive, span);
    const std::map<std::size_t, Polarity> inner = locals_[local].occurrences;
    for (const auto& [fixed_point, polarity] : inner) note_fixed_point(fixed_point, polarity, span);
  }

  // The fixed point's variable occurs here with a polarity. Local definitions bound inside it and
  // whose bodies contain this place take note; so does the fixed point itself.
  void note_fixed_point(std::size_t fixed_point, Polarity inner, base::Span span) {
    for (const std::size_t let : open_lets_) {
      if (let < fixed_point) continue;
      locals_[let].occurrences[fixed_point] |= under(polarity_in(locals_[let]), inner);
    }
    const bool inside_let = !open_lets_.empty() && open_lets_.back() > fixed_point;
    if (inside_let || !(under(polarity_in(locals_[fixed_point]), inner) & negative)) return;
    report("not-monotone", span,
           fmt::format("the variable '{}' of a fixed point occurs here under a negation, in a term "
                       "or in a closure",
                       locals_[fixed_point].name));
  }

  void check_fixed_point(const Formula& formula) {
    use_all(formula.variables, formula.span);
    locals_.push_back({formula.name, formula.variables.size(), true, negations_, terms_, {}});
    bind(formula.variables, formula.span, [&] { check(*formula.parts[0]); });
    locals_.pop_back();
  }

  void check_let(const Formula& formula) {
    // Its own name means an outer relation inside the definition.
    locals_.push_back({"", formula.variables.size(), false, negations_, terms_, {}});
    const std::size_t index = locals_.size() - 1;
    open_lets_.push_back(index);
    bind(formula.variables, formula.span, [&] { check(*formula.parts[0]); });
    open_lets_.pop_back();
    locals_[index].name = formula.name;
    check(*formula.parts[1]);
    locals_.pop_back();
  }

  const KnownNames& known_;
  const std::string& where_;
  std::vector<base::Diagnostic>& diagnostics_;
  std::multiset<std::string> bound_;
  std::vector<Local> locals_;
  std::vector<std::size_t> open_lets_;  // whose definition is being checked
  unsigned negations_ = 0, terms_ = 0;
};

}  // namespace

void check_formula(const Formula& formula, const KnownNames& known, const Names& variables,
                   const std::string& where, std::vector<base::Diagnostic>& diagnostics) {
  Checker(known, variables, where, diagnostics).check(formula);
}

void check_term(const Term& term, const KnownNames& known, const Names& variables,
                const std::string& where, std::vector<base::Diagnostic>& diagnostics) {
  Checker(known, variables, where, diagnostics).check(term);
}

}  // namespace zermelo::toss
