// Warnings about the variables of a clause: used once, or written in two ways.
#include <fmt/format.h>

#include <unordered_map>

#include "gdl/body.h"
#include "gdl/validity_checks.h"

namespace zermelo::gdl {
namespace {

// A name that begins with an underscore says that the value does not matter.
bool is_meant_to_be_single(std::string_view written) {
  if (written.substr(0, 1) == "?") written.remove_prefix(1);
  return written.substr(0, 1) == "_";
}

class ClauseVariables {
 public:
  explicit ClauseVariables(Report& report) : report_(report) {}

  void check(const Clause& clause) {
    start_anew(uses_);
    order_.clear();
    add(clause.head, false);
    visit_literals(clause.body, [this](const Formula& literal, bool positive) {
      add(literal.atom, positive && literal.kind == Formula::Kind::atom);
    });
    for (const Symbol name : order_) check_single(uses_.at(name));
  }

 private:
  struct Use {
    const Term* first;
    bool binds;  // the first one stands in a positive condition
    std::uint32_t count = 0;
    bool spelling_reported = false;
  };

  void add(const Term& atom, bool binds) {
    visit_subterms(atom, [&](const Term& term) {
      if (term.kind == Term::Kind::variable) add_variable(term, binds);
    });
  }

  void add_variable(const Term& variable, bool binds) {
    const auto [entry, is_new] = uses_.try_emplace(variable.name, Use{&variable, binds});
    Use& use = entry->second;
    ++use.count;
    if (is_new) {
      order_.push_back(variable.name);
    } else if (!use.spelling_reported && report_.name(variable) != report_.name(*use.first)) {
      use.spelling_reported = true;
      two_spellings(*use.first, variable);
    }
  }

  void two_spellings(const Term& first, const Term& variable) {
    report_.warning("variable-spelling", variable.span,
                    fmt::format("{} and {} are one variable, since case makes no difference; use "
                                "one spelling, or two names if two values are meant",
                                report_.quoted(first), report_.quoted(variable)));
  }

  // One that binds nothing is unsafe, which is an error of its own.
  void check_single(const Use& use) {
    if (use.count != 1 || !use.binds || is_meant_to_be_single(report_.name(*use.first))) return;
    report_.warning(
        "single-variable", use.first->span,
        fmt::format("the variable {} is used only here; mend its name, or begin it with "
                    "an underscore if any value will do",
                    report_.quoted(*use.first)));
  }

  Report& report_;
  std::unordered_map<Symbol, Use> uses_;
  std::vector<Symbol> order_;
};

}  // namespace

void warn_of_variables(const CheckInput& input, Report& report) {
  ClauseVariables variables(report);
  for (const Clause& clause : input.rulesheet.clauses) variables.check(clause);
}

}  // namespace zermelo::gdl
