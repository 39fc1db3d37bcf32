#include "gdl/printer.h"

#include <algorithm>

#include "gdl/lexer.h"

namespace zermelo::gdl {
namespace {

class Printer {
 public:
  explicit Printer(const SymbolTable& symbols) : symbols_(symbols) {}
  virtual ~Printer() = default;

  virtual void term(const Term& term) = 0;
  virtual void clause(const Clause& clause) = 0;
  // Prints an empty line between clauses of different relations.
  void clauses(const std::vector<Clause>& clauses);

  std::string take() { return std::move(out_); }

 protected:
  const std::string& name(const Term& term) const { return symbols_.name(term.name); }
  void put(std::string_view text) { out_ += text; }

 private:
  const SymbolTable& symbols_;
  std::string out_;
};

void Printer::clauses(const std::vector<Clause>& clauses) {
  const Clause* previous = nullptr;
  for (const Clause& next : clauses) {
    if (previous && previous->head.name != next.head.name) put("\n");
    clause(next);
    put("\n");
    previous = &next;
  }
}

class PrefixPrinter : public Printer {
 public:
  using Printer::Printer;

  void term(const Term& term) override {
    if (term.kind == Term::Kind::function) {
      list(name(term), term.arguments, [this](const Term& argument) { this->term(argument); });
    } else {
      put(term.kind == Term::Kind::variable ? "?" : "");
      put(name(term));
    }
  }

  void clause(const Clause& clause) override {
    if (clause.body.empty()) return fact(clause.head);
    put("(<= ");
    term(clause.head);
    for (const Formula& condition : clause.body) {
      put("\n    ");
      formula(condition);
    }
    put(")");
  }

 private:
  template <class Items, class Each>
  void list(std::string_view first, const Items& items, Each each) {
    put("(");
    put(first);
    for (const auto& item : items) {
      put(" ");
      each(item);
    }
    put(")");
  }

  // Always printed as a list, because prefix syntax is recognised by the first parenthesis.
  void fact(const Term& head) {
    if (head.kind == Term::Kind::function) return term(head);
    put("(");
    term(head);
    put(")");
  }

  void formula(const Formula& formula) {
    switch (formula.kind) {
      case Formula::Kind::atom:
      case Formula::Kind::distinct:
        return term(formula.atom);
      case Formula::Kind::negation:
        return connective("not", formula);
      case Formula::Kind::conjunction:
        return connective("and", formula);
      case Formula::Kind::disjunction:
        return connective("or", formula);
    }
  }

  void connective(std::string_view name, const Formula& formula) {
    list(name, formula.children, [this](const Formula& child) { this->formula(child); });
  }
};

bool is_letter(char c) { return c >= 'a' && c <= 'z'; }

std::string single_quoted(std::string_view name) {
  std::string result = "'";
  for (const char c : name) result.append(c == '\'' ? 2 : 1, c);
  return result + "'";
}

std::string infix_constant(const std::string& name) {
  const bool plain = is_plain_infix_name(name) && name.front() != '_';
  return plain ? name : single_quoted(name);
}

// Prints ?x as X. A name that cannot be capitalised keeps the question mark.
std::string infix_variable(std::string name) {
  if (!is_plain_infix_name(name)) return "?" + single_quoted(name);
  if (is_letter(name.front())) {
    name.front() = static_cast<char>(name.front() - 'a' + 'A');
    return name;
  }
  return name.front() == '_' && name.size() > 1 ? name : "?" + name;
}

class InfixPrinter : public Printer {
 public:
  using Printer::Printer;

  void term(const Term& term) override {
    if (term.kind == Term::Kind::variable) return put(infix_variable(name(term)));
    put(infix_constant(name(term)));
    if (term.kind == Term::Kind::constant) return;
    put("(");
    separated(term.arguments, ", ", [this](const Term& argument) { this->term(argument); });
    put(")");
  }

  void clause(const Clause& clause) override {
    term(clause.head);
    if (clause.body.empty()) return;
    put(" :-\n  ");
    separated(clause.body, " &\n  ", [this](const Formula& condition) { operand(condition); });
  }

 private:
  template <class Items, class Each>
  void separated(const Items& items, std::string_view separator, Each each) {
    bool first = true;
    for (const auto& item : items) {
      if (!first) put(separator);
      first = false;
      each(item);
    }
  }

  // Prints a condition as an operand of `&` or `~`.
  void operand(const Formula& formula) {
    switch (formula.kind) {
      case Formula::Kind::atom:
      case Formula::Kind::distinct:
        return term(formula.atom);
      case Formula::Kind::negation:
        put("~");
        return operand(formula.children.front());
      case Formula::Kind::conjunction:
      case Formula::Kind::disjunction:
        return junction(formula);
    }
  }

  void junction(const Formula& formula) {
    const bool conjunction = formula.kind == Formula::Kind::conjunction;
    const bool has_operator = formula.children.size() >= 2;
    if (!has_operator) put(conjunction ? "and" : "or");
    put("(");
    if (conjunction) {
      conjuncts(formula);
    } else {
      separated(formula.children, " | ", [this](const Formula& child) { disjunct(child); });
    }
    put(")");
  }

  void conjuncts(const Formula& conjunction) {
    separated(conjunction.children, " & ", [this](const Formula& child) { operand(child); });
  }

  // `&` binds tighter than `|`.
  void disjunct(const Formula& formula) {
    const bool has_operator =
        formula.kind == Formula::Kind::conjunction && formula.children.size() >= 2;
    if (has_operator) return conjuncts(formula);
    operand(formula);
  }
};

template <class Action>
std::string printed(const SymbolTable& symbols, Syntax syntax, Action action) {
  if (syntax == Syntax::prefix) {
    PrefixPrinter printer(symbols);
    action(printer);
    return printer.take();
  }
  InfixPrinter printer(symbols);
  action(printer);
  return printer.take();
}

}  // namespace

std::string print(const Rulesheet& rulesheet, Syntax syntax) {
  return printed(rulesheet.symbols, syntax,
                 [&](Printer& printer) { printer.clauses(rulesheet.clauses); });
}

std::string print(const Term& term, const SymbolTable& symbols, Syntax syntax) {
  return printed(symbols, syntax, [&](Printer& printer) { printer.term(term); });
}

std::string print(const Clause& clause, const SymbolTable& symbols, Syntax syntax) {
  return printed(symbols, syntax, [&](Printer& printer) { printer.clause(clause); });
}

}  // namespace zermelo::gdl
