// Warnings about names: undefined, unused, spelled in two ways, used with different arities, or
// operators of arithmetic.
#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

#include "gdl/arithmetic.h"
#include "gdl/body.h"
#include "gdl/validity_checks.h"

namespace zermelo::gdl {
namespace {

// Visits every atom of a rulesheet in source order, including heads. Variables are skipped.
void visit_atoms(const Rulesheet& rulesheet, const TermVisitor& visit) {
  const auto visit_atom = [&](const Term& atom) {
    if (atom.kind != Term::Kind::variable) visit(atom);
  };
  for (const Clause& clause : rulesheet.clauses) {
    visit_atom(clause.head);
    visit_literals(clause.body, [&](const Formula& literal, bool) { visit_atom(literal.atom); });
  }
}

// The terms that `init` and `next` can make true, or that `legal` can allow, by name and arity.
class Possible {
 public:
  void add(const Term& term) {
    if (term.kind == Term::Kind::variable) {
      anything_ = true;
    } else {
      keys_.insert(signature(term));
      names_.push_back(term.name);
    }
  }

  bool contains(const Term& term) const {
    return anything_ || term.kind == Term::Kind::variable || contains_name(term);
  }
  bool contains_name(const Term& term) const { return keys_.count(signature(term)) != 0; }
  const std::vector<Symbol>& names() const { return names_; }

 private:
  bool anything_ = false;
  std::unordered_set<std::uint64_t> keys_;
  std::vector<Symbol> names_;
};

std::vector<std::string> spelled(const SymbolTable& symbols, const std::vector<Symbol>& names) {
  std::vector<std::string> texts;
  for (const Symbol name : names) texts.push_back(symbols.name(name));
  return texts;
}

// The predicates that have clauses, or those that have none.
std::vector<std::string> predicate_names(const CheckInput& input, bool defined) {
  std::vector<std::string> names;
  for (PredicateId id = 0; id < input.graph.size(); ++id) {
    if (input.graph.is_defined(id) != defined) continue;
    names.push_back(input.rulesheet.symbols.name(input.graph.predicate(id).name));
  }
  return names;
}

std::vector<std::string> joined(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

class UndefinedNames {
 public:
  UndefinedNames(const CheckInput& input, Report& report) : input_(input), report_(report) {
    for (const Clause& clause : input.rulesheet.clauses) add_possible(clause.head);
    const SymbolTable& symbols = input.rulesheet.symbols;
    fluent_names_ = spelled(symbols, fluents_.names());
    move_names_ = spelled(symbols, moves_.names());
    predicate_names_ = joined(condition_keywords(), predicate_names(input, true));
  }

  void check() {
    for (PredicateId id = 0; id < input_.graph.size(); ++id) {
      if (!input_.graph.is_defined(id)) check_predicate(input_.graph.first_atom(id));
    }
    for (const Dependency& edge : input_.graph.dependencies()) check_condition(*edge.atom);
  }

 private:
  void add_possible(const Term& head) {
    const std::size_t arity = head.arguments.size();
    if ((head.name == keyword::init || head.name == keyword::next) && arity == 1) {
      fluents_.add(head.arguments[0]);
    } else if (head.name == keyword::legal && arity == 2) {
      moves_.add(head.arguments[1]);
    }
  }

  void check_predicate(const Term& atom) {
    if (is_keyword(atom.name) || input_.functions.find(atom) != nullptr) return;
    report_.warning("undefined-predicate", atom.span,
                    fmt::format("{} is never defined, so this never holds; {}",
                                report_.with_arity(atom), advice_for_predicate(atom)));
  }

  std::string advice_for_predicate(const Term& atom) {
    if (fluents_.contains_name(atom)) return "it is a fluent, so use 'true'";
    const std::string advice = comparison_advice(input_.rulesheet.symbols.name(atom.name));
    if (!advice.empty()) return advice;
    return report_.suggestion(atom, predicate_names_, "add clauses for it or check the spelling");
  }

  void check_condition(const Term& atom) {
    const std::size_t arity = atom.arguments.size();
    if (atom.name == keyword::true_ && arity == 1 &&
        is_new_undefined(fluents_, atom.arguments[0])) {
      never("undefined-fluent", atom.arguments[0], "made true by 'init' or 'next'", fluent_names_);
    } else if (atom.name == keyword::does && arity == 2 &&
               is_new_undefined(moves_, atom.arguments[1])) {
      never("undefined-move", atom.arguments[1], "allowed by 'legal'", move_names_);
    }
  }

  // Records the term, so that each name is reported once.
  static bool is_new_undefined(Possible& possible, const Term& term) {
    if (possible.contains(term)) return false;
    possible.add(term);
    return true;
  }

  void never(const char* code, const Term& term, const char* what,
             const std::vector<std::string>& similar) {
    report_.warning(
        code, term.span,
        fmt::format(
            "{} is never {}, so this never holds; {}", report_.with_arity(term), what,
            report_.suggestion(term, similar, "add a clause for it or check the spelling")));
  }

  const CheckInput& input_;
  Report& report_;
  Possible fluents_;
  Possible moves_;
  std::vector<std::string> fluent_names_;
  std::vector<std::string> move_names_;
  std::vector<std::string> predicate_names_;
};

bool starts_with_role(const Term& atom) {
  switch (atom.name) {
    case keyword::legal:
    case keyword::does:
    case keyword::goal:
    case keyword::input:
    case keyword::sees:
      return atom.arguments.size() == 2 && atom.arguments[0].kind != Term::Kind::variable;
    default:
      return false;
  }
}

std::unordered_set<std::uint64_t> declared_roles(const Rulesheet& rulesheet) {
  std::unordered_set<std::uint64_t> roles;
  for (const Clause& clause : rulesheet.clauses) {
    if (clause.head.name != keyword::role) continue;
    for (const Term& role : clause.head.arguments) roles.insert(signature(role));
  }
  return roles;
}

std::vector<std::string> role_names(const Rulesheet& rulesheet) {
  std::vector<std::string> names;
  for (const Clause& clause : rulesheet.clauses) {
    if (clause.head.name != keyword::role) continue;
    for (const Term& role : clause.head.arguments)
      names.push_back(rulesheet.symbols.name(role.name));
  }
  return names;
}

// Warns once for each name with two arities.
class Arities {
 public:
  Arities(const char* kind, Report& report) : kind_(kind), report_(report) {}

  void add(const Term& term) {
    const Term& first = *first_.try_emplace(term.name, &term).first->second;
    if (first.arguments.size() == term.arguments.size()) return;
    if (!reported_.insert(term.name).second) return;
    report_.warning("varying-arity", term.span,
                    fmt::format("the {} {} has {} here and {} on {}; use different names", kind_,
                                report_.quoted(term), counted_arguments(term),
                                first.arguments.size(), report_.line(first.span)));
  }

 private:
  const char* kind_;
  Report& report_;
  std::unordered_map<Symbol, const Term*> first_;
  std::unordered_set<Symbol> reported_;
};

// Warns about each additional spelling of a name, at its first occurrence.
class Spellings {
 public:
  Spellings(const CheckInput& input, Report& report)
      : report_(report), first_(input.rulesheet.symbols.size()) {}

  void add(const Term& term) {
    if (is_keyword(term.name)) return;
    First& first = first_[static_cast<std::size_t>(term.name)];
    std::string written = report_.name(term);
    if (first.term == nullptr) {
      first = {&term, std::move(written)};
    } else if (written != first.written) {
      differs(first, term, written);
    }
  }

 private:
  struct First {
    const Term* term = nullptr;
    std::string written;
  };

  void differs(const First& first, const Term& term, const std::string& written) {
    if (!reported_.insert(written).second) return;
    report_.warning("two-spellings", term.span,
                    fmt::format("{} is spelled {} on {}, and case is ignored; use one spelling, or "
                                "two different names",
                                report_.quoted(written), report_.quoted(first.written),
                                report_.line(first.term->span)));
  }

  Report& report_;
  std::vector<First> first_;
  std::unordered_set<std::string> reported_;
};

}  // namespace

void warn_about_undefined_names(const CheckInput& input, Report& report) {
  UndefinedNames(input, report).check();
}

void warn_about_unused_predicates(const CheckInput& input, Report& report) {
  const auto similar = joined(head_keywords(), predicate_names(input, false));
  std::vector<bool> used(input.graph.size(), false);
  for (const Dependency& edge : input.graph.dependencies()) used[edge.body] = true;
  for (const Clause& clause : input.rulesheet.clauses) {
    if (input.functions.is_declaration(clause)) used[*input.graph.find(clause.head)] = true;
  }
  for (PredicateId id = 0; id < input.graph.size(); ++id) {
    const Term& atom = input.graph.first_atom(id);
    if (used[id] || is_keyword(atom.name)) continue;
    report.warning(
        "unused-predicate", atom.span,
        fmt::format("{} is defined but never used as a condition; {}", report.with_arity(atom),
                    report.suggestion(atom, similar, "remove it or check the spelling")));
  }
}

void warn_about_unknown_roles(const CheckInput& input, Report& report) {
  const auto roles = declared_roles(input.rulesheet);
  if (roles.empty()) return;
  const auto names = role_names(input.rulesheet);
  std::unordered_set<std::uint64_t> reported;
  visit_atoms(input.rulesheet, [&](const Term& atom) {
    if (!starts_with_role(atom)) return;
    const Term& role = atom.arguments[0];
    if (roles.count(signature(role)) != 0 || !reported.insert(signature(role)).second) return;
    report.warning("unknown-role", role.span,
                   fmt::format("{} is not a role; {}", report.quoted(role),
                               report.suggestion(role, names,
                                                 "declare it with 'role' or check the spelling")));
  });
}

void warn_about_varying_arity(const CheckInput& input, Report& report) {
  Arities predicates("predicate", report);
  Arities functions("function", report);
  visit_atoms(input.rulesheet, [&](const Term& atom) {
    if (!is_keyword(atom.name)) predicates.add(atom);
    for (const Term& argument : atom.arguments) {
      visit_subterms(argument, [&](const Term& term) {
        if (term.kind == Term::Kind::function) functions.add(term);
      });
    }
  });
}

void warn_about_arithmetic(const CheckInput& input, Report& report) {
  std::unordered_set<Symbol> reported;
  const auto check = [&](const Term& term) {
    const std::string& name = input.rulesheet.symbols.name(term.name);
    if (term.kind != Term::Kind::function || !is_operator(name)) return;
    if (!reported.insert(term.name).second) return;
    report.warning("arithmetic", term.span,
                   fmt::format("'{}' is an ordinary function and computes nothing; {}", name,
                               arithmetic_advice(name, input.rulesheet.syntax)));
  };
  visit_atoms(input.rulesheet, [&](const Term& atom) {
    for (const Term& argument : atom.arguments) visit_subterms(argument, check);
  });
}

void warn_about_spellings(const CheckInput& input, Report& report) {
  Spellings spellings(input, report);
  visit_atoms(input.rulesheet, [&](const Term& atom) {
    visit_subterms(atom, [&](const Term& term) {
      if (term.kind != Term::Kind::variable) spellings.add(term);
    });
  });
}

}  // namespace zermelo::gdl
