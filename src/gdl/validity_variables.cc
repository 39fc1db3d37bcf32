// Warnings about the variables of a clause: used once, or spelled in two ways.
#include <fmt/format.h>

#include <unordered_map>

#include "gdl/body.h"
#include "gdl/validity_checks.h"

namespace zermelo::gdl {
namespace {

// A leading underscore marks a variable whose value does not matter.
bool is_marked_unused(std::string_view written) {
  if (written.substr(0, 1) == "?") written.remove_prefix(1);
  return written.substr(0, 1) == "_";
}

class ClauseVariables {
 public:
  explicit ClauseVariables(Report& report) : report_(report) {}

  void check(const Clause& clause) {
    reset_table(uses_);
    order_.clear();
    add(clause.head, false);
    visit_literals(clause.body, [this](const Formula& literal, bool positive) {
      add(literal.atom, positive && literal.kind == Formula::Kind::atom);
      mark_mover(literal.atom);
    });
    for (const Symbol name : order_) check_single(uses_.at(name));
  }

 private:
  struct Use {
    const Term* first;
    bool binds;  // the first occurrence is in a positive condition
    std::uint32_t count = 0;
    bool spelling_reported = false;
    bool is_mover = false;  // the player of a `does`
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

  // Rules about a move whoever makes it are common: (does ?player (mark ?x ?y)).
  void mark_mover(const Term& atom) {
    if (atom.name != keyword::does || atom.arguments.size() != 2) return;
    const Term& player = atom.arguments[0];
    if (player.kind == Term::Kind::variable) uses_.at(player.name).is_mover = true;
  }

  void two_spellings(const Term& first, const Term& variable) {
    report_.warning("variable-spelling", variable.span,
                    fmt::format("{} and {} are the same variable, since case is ignored; use one "
                                "spelling, or two different names",
                                report_.quoted(first), report_.quoted(variable)));
  }

  // A variable that is not bound is unsafe, which is reported as an error.
  void check_single(const Use& use) {
    if (use.count != 1 || !use.binds || use.is_mover) return;
    if (is_marked_unused(report_.name(*use.first))) return;
    const std::string computed = report_.computed_variable(*use.first);
    report_.warning("single-variable", use.first->span,
                    computed.empty()
                        ? fmt::format("the variable {} appears only once; check the spelling, or "
                                      "start the name with an underscore if this is intended",
                                      report_.quoted(*use.first))
                        : computed);
  }

  Report& report_;
  std::unordered_map<Symbol, Use> uses_;
  std::vector<Symbol> order_;
};

}  // namespace

void warn_about_variables(const CheckInput& input, Report& report) {
  ClauseVariables variables(report);
  for (const Clause& clause : input.rulesheet.clauses) variables.check(clause);
}

}  // namespace zermelo::gdl
