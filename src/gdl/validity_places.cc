// Which keywords must occur, with how many arguments, and in which places (sections 2 and 4 of the
// 2008 specification; `base`, `input` and `sees` as in GDL-II and in later rulesheets that declare
// their fluents and moves).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/spelling.h"
#include "gdl/body.h"
#include "gdl/validity_checks.h"

namespace zermelo::gdl {
namespace {

bool defines(const Rulesheet& rulesheet, Symbol name) {
  return std::any_of(rulesheet.clauses.begin(), rulesheet.clauses.end(),
                     [&](const Clause& clause) { return clause.head.name == name; });
}

// The first head whose name is probably meant to be the keyword, or nullptr.
const Term* similar_head(const Rulesheet& rulesheet, std::string_view keyword) {
  for (const Clause& clause : rulesheet.clauses) {
    const std::string& name = rulesheet.symbols.name(clause.head.name);
    if (base::one_edit_apart(name, keyword)) return &clause.head;
  }
  return nullptr;
}

struct Required {
  Symbol name;
  const char* code;
  const char* problem;
  const char* remedy;
  const char* example_argument;
};

constexpr std::array required{
    Required{keyword::role, "missing-role", "no role is declared", "declare each player with",
             "player"},
    Required{keyword::legal, "missing-legal", "no move is ever legal", "add clauses for", "..."},
    Required{keyword::goal, "missing-goal", "no goal value is defined", "add clauses for", "..."},
    Required{keyword::terminal, "missing-terminal", "the game never ends", "add a clause for", ""},
};

constexpr std::array expected{
    Required{keyword::init, "missing-init", "nothing is true in the initial state",
             "add clauses for", "..."},
    Required{keyword::next, "missing-next", "nothing is true after the first move",
             "add clauses for", "..."},
};

class Places {
 public:
  explicit Places(Report& report) : report_(report) {}

  void check(const Clause& clause) {
    check_head(clause);
    check_arity(clause.head);
    check_terms(clause.head);
    visit_literals(clause.body, [this](const Formula& literal, bool) { check_literal(literal); });
  }

 private:
  void check_head(const Clause& clause) {
    const Symbol name = clause.head.name;
    if (name == keyword::role && !clause.body.empty()) {
      report_.error("role-not-fact", clause.head.span,
                    "the roles cannot depend on conditions; declare each role as a fact");
    }
    if (name == keyword::true_) {
      keyword_in_head(clause.head, "use 'init' for the initial state or 'next' for the next state");
    } else if (name == keyword::does) {
      keyword_in_head(clause.head, "use 'legal' to define which moves are allowed");
    } else if (is_keyword(name) && !keyword_arity(name)) {
      keyword_in_head(clause.head, "only an atom can be a head; make it a condition");
    } else if (name == keyword::distinct) {
      keyword_in_head(clause.head, "its meaning is fixed; use another name");
    }
  }

  void keyword_in_head(const Term& head, const char* advice) {
    report_.error(
        "keyword-in-head", head.span,
        fmt::format("{} cannot be the head of a clause; {}", report_.quoted(head), advice));
  }

  void check_literal(const Formula& literal) {
    check_condition(literal.atom);
    check_arity(literal.atom);
    check_terms(literal.atom);
  }

  void check_condition(const Term& atom) {
    if (!is_head_only(atom.name)) return;
    report_.error("keyword-in-body", atom.span,
                  fmt::format("{} cannot be a condition; {}", report_.quoted(atom),
                              advice_for_body(atom.name)));
  }

  static const char* advice_for_body(Symbol name) {
    if (name == keyword::init || name == keyword::next) {
      return "use 'true' for the current state, or define a separate predicate";
    }
    return "define a predicate and use it in both places";
  }

  void check_arity(const Term& atom) {
    const auto arity = keyword_arity(atom.name);
    if (!arity || *arity == atom.arguments.size()) return;
    report_.error("keyword-arity", atom.span,
                  fmt::format("{} has {} but takes {}; {}", report_.quoted(atom),
                              counted_arguments(atom), *arity, advice_for_arity(atom, *arity)));
  }

  static const char* advice_for_arity(const Term& atom, std::size_t arity) {
    return atom.arguments.size() < arity ? "add the missing ones" : "remove the extra ones";
  }

  void check_terms(const Term& atom) {
    for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
      const bool percept = atom.name == keyword::sees && i == 1;
      visit_subterms(atom.arguments[i], [&](const Term& term) { check_term(term, percept); });
    }
  }

  // Percepts of GDL-II rulesheets may contain keywords, as in sees(black, does(white, move)).
  void check_term(const Term& term, bool percept) {
    if (term.kind == Term::Kind::variable || !is_keyword(term.name)) return;
    if (term.kind == Term::Kind::function && !percept) {
      report_.error(
          "keyword-in-term", term.span,
          fmt::format("{} is a keyword and cannot be a function; use another name, or a separate "
                      "condition",
                      report_.quoted(term)));
    } else {
      report_.warning(
          "keyword-as-name", term.span,
          fmt::format("{} is a keyword but has no special meaning here; use another name",
                      report_.quoted(term)));
    }
  }

  Report& report_;
};

bool is_plain_negation(const Formula& negation) {
  return std::all_of(negation.children.begin(), negation.children.end(),
                     [](const Formula& child) { return child.kind == Formula::Kind::atom; });
}

void check_connectives(const Formula& formula, Report& report) {
  if (formula.kind == Formula::Kind::negation && !is_plain_negation(formula)) {
    report.warning(
        "negated-formula", formula.span,
        "the specification allows only atoms to be negated; move the negation inwards or "
        "define a predicate");
  }
  if (formula.kind == Formula::Kind::disjunction && formula.children.empty()) {
    report.warning("empty-disjunction", formula.span,
                   "a disjunction without branches never holds; add a branch or remove the clause");
  }
  for (const Formula& child : formula.children) check_connectives(child, report);
}

}  // namespace

bool is_keyword(Symbol name) { return name < keyword::random; }

std::vector<std::string> condition_keywords() {
  return {"true", "does", "legal", "goal", "terminal", "role", "distinct", "not", "and", "or"};
}

std::vector<std::string> head_keywords() {
  return {"role", "init", "next", "legal", "goal", "terminal", "base", "input", "sees"};
}

std::optional<std::size_t> keyword_arity(Symbol name) {
  switch (name) {
    case keyword::terminal:
      return 0;
    case keyword::role:
    case keyword::init:
    case keyword::true_:
    case keyword::next:
    case keyword::base:
      return 1;
    case keyword::does:
    case keyword::legal:
    case keyword::goal:
    case keyword::distinct:
    case keyword::input:
    case keyword::sees:
      return 2;
    default:
      return std::nullopt;
  }
}

bool is_head_only(Symbol name) {
  return name == keyword::init || name == keyword::next || name == keyword::base ||
         name == keyword::input || name == keyword::sees;
}

void check_presence(const CheckInput& input, Report& report) {
  if (input.rulesheet.clauses.empty()) {
    report.error("missing-rules", {}, "no rules found; expected the rules of a game");
    return;
  }
  const auto& symbols = input.rulesheet.symbols;
  const auto message = [&](const Required& word, const Term* similar) {
    const std::string& name = symbols.name(word.name);
    if (similar) return fmt::format("{}; did you mean '{}'?", word.problem, name);
    return fmt::format("{}; {} {}", word.problem, word.remedy,
                       report.example(name, word.example_argument));
  };
  for (const Required& word : required) {
    if (defines(input.rulesheet, word.name)) continue;
    const Term* similar = similar_head(input.rulesheet, symbols.name(word.name));
    report.error(word.code, similar ? similar->span : base::Span(), message(word, similar));
  }
  for (const Required& word : expected) {
    if (defines(input.rulesheet, word.name)) continue;
    const Term* similar = similar_head(input.rulesheet, symbols.name(word.name));
    report.warning(word.code, similar ? similar->span : base::Span(), message(word, similar));
  }
}

void check_places(const CheckInput& input, Report& report) {
  Places places(report);
  for (const Clause& clause : input.rulesheet.clauses) places.check(clause);
}

void check_negations(const CheckInput& input, Report& report) {
  for (const Clause& clause : input.rulesheet.clauses) {
    for (const Formula& formula : clause.body) check_connectives(formula, report);
  }
}

}  // namespace zermelo::gdl
