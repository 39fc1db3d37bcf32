// Safety: every variable of the head, of a negated atom and of a `distinct` must be bound by a
// positive condition. Otherwise the rule does not define for which values its head holds. Every
// branch of an `or` must bind it; `Support` decides this without expanding the branches.
//
// The inputs of a computed function must be bound too, by other conditions. Then it binds its
// result, so functions can be chained: the functions that can be computed are found in rounds.
#include <fmt/format.h>

#include <unordered_set>

#include "gdl/body.h"
#include "gdl/validity_checks.h"

namespace zermelo::gdl {
namespace {

using Keys = std::unordered_set<Support::Key>;

Support::Key variable_key(const Term& variable) { return static_cast<Support::Key>(variable.name); }

void visit_variables(const Term& atom, const TermVisitor& visit) {
  visit_subterms(atom, [&](const Term& term) {
    if (term.kind == Term::Kind::variable) visit(term);
  });
}

void collect_variables(const Term& atom, std::vector<Support::Key>& keys) {
  visit_variables(atom, [&](const Term& term) { keys.push_back(variable_key(term)); });
}

Keys positive_variables(const std::vector<Formula>& body, const FunctionTable& functions) {
  std::vector<Support::Key> keys;
  visit_literals(body, [&](const Formula& literal, bool positive) {
    const bool binds = positive && literal.kind == Formula::Kind::atom;
    if (binds && functions.find(literal.atom) == nullptr) collect_variables(literal.atom, keys);
  });
  return Keys(keys.begin(), keys.end());
}

class Safety {
 public:
  Safety(const FunctionTable& functions, Report& report)
      : functions_(functions),
        report_(report),
        support_([this](const Term& atom, std::vector<Support::Key>& keys) {
          if (!functions_.find(atom)) return collect_variables(atom, keys);
          if (computable_.count(&atom) != 0) collect_variables(atom.arguments.back(), keys);
        }) {}

  void check(const Clause& clause) {
    reset_table(reported_);
    reset_table(computable_);
    if (functions_.is_use(clause)) return;  // check_functions reports its problems
    if (clause.body.empty()) {
      check_fact(clause.head);
    } else {
      check_rule(clause);
    }
  }

 private:
  void check_fact(const Term& head) {
    visit_variables(head, [&](const Term& variable) {
      if (!reported_.insert(variable_key(variable)).second) return;
      report_.error("variable-in-fact", variable.span,
                    fmt::format("a fact cannot contain the variable {}; add conditions that bind "
                                "it, or use a constant",
                                report_.quoted(variable)));
    });
  }

  void check_rule(const Clause& clause) {
    support_.enter_body(clause.body);
    if (!functions_.empty()) find_computable(clause.body);
    check_bound(clause, clause.head, "unsafe-head", "in the head");
    support_.visit(clause.body, [&](const Formula& literal, bool positive) {
      if (literal.kind == Formula::Kind::distinct) {
        check_bound(clause, literal.atom, "unsafe-distinct", "in 'distinct'");
      } else if (!positive) {
        check_bound(clause, literal.atom, "unsafe-negation", "under a negation");
      } else if (const UsedFunction* function = functions_.find(literal.atom)) {
        for (std::uint32_t i = 0; i < function->inputs; ++i) {
          check_bound(clause, literal.atom.arguments[i], "unsafe-input",
                      "in an input of a computed function");
        }
      }
    });
  }

  // Each round adds the functions whose inputs are bound by the conditions known so far.
  void find_computable(const std::vector<Formula>& body) {
    for (std::size_t known = computable_.size() + 1; known != computable_.size();) {
      known = computable_.size();
      support_.visit(body, [&](const Formula& literal, bool positive) {
        const bool is_condition = positive && literal.kind == Formula::Kind::atom;
        const UsedFunction* function = is_condition ? functions_.find(literal.atom) : nullptr;
        if (function && has_bound_inputs(*function, literal.atom)) {
          computable_.insert(&literal.atom);
        }
      });
      support_.enter_body(body);
    }
  }

  bool has_bound_inputs(const UsedFunction& function, const Term& atom) const {
    bool bound = true;
    for (std::uint32_t i = 0; i < function.inputs; ++i) {
      visit_variables(atom.arguments[i], [&](const Term& variable) {
        bound = bound && support_.holds(variable_key(variable));
      });
    }
    return bound;
  }

  void check_bound(const Clause& clause, const Term& atom, const char* code, const char* place) {
    visit_variables(atom, [&](const Term& variable) {
      if (support_.holds(variable_key(variable))) return;
      if (reported_.empty()) bound_somewhere_ = positive_variables(clause.body, functions_);
      if (reported_.insert(variable_key(variable)).second) unsafe(variable, code, place);
    });
  }

  void unsafe(const Term& variable, const char* code, const char* place) {
    const bool in_a_branch = bound_somewhere_.count(variable_key(variable)) != 0;
    const char* remedy = in_a_branch ? "bound only in some branches of a disjunction; add a "
                                       "positive condition that contains it to every branch"
                                     : "not bound by any positive condition; add one that "
                                       "contains it";
    const std::string computed = report_.computed_variable(variable);
    report_.error(code, variable.span,
                  computed.empty() ? fmt::format("the variable {} {} is {}",
                                                 report_.quoted(variable), place, remedy)
                                   : computed);
  }

  const FunctionTable& functions_;
  Report& report_;
  std::unordered_set<const Term*> computable_;  // conditions of this clause
  Support support_;
  Keys reported_;         // the variables reported in this clause
  Keys bound_somewhere_;  // valid if something was reported
};

}  // namespace

void check_safety(const CheckInput& input, Report& report) {
  Safety safety(input.functions, report);
  for (const Clause& clause : input.rulesheet.clauses) safety.check(clause);
}

}  // namespace zermelo::gdl
