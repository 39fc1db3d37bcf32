#include "toss/toss_support.h"

#include <algorithm>
#include <cmath>

#include "toss/steps.h"

namespace zermelo::toss::testing {

using Kind = Formula::Kind;

template <class Visit>
bool NaiveEvaluator::for_all(const std::vector<std::string>& variables, Environment environment,
                             Visit visit) const {
  if (variables.empty()) return visit(environment);
  const std::vector<std::string> rest(variables.begin() + 1, variables.end());
  for (const Element element : structure_.universe()) {
    environment.variables[variables[0]] = element;
    if (!for_all(rest, environment, visit)) return false;
  }
  return true;
}

bool NaiveEvaluator::holds(const Formula& formula, const Environment& environment) const {
  const auto part = [&](const FormulaPtr& inner) { return holds(*inner, environment); };
  const auto at = [&](std::size_t i) { return environment.variables.at(formula.variables[i]); };
  switch (formula.kind) {
    case Kind::atom:
      return atom_holds(formula, environment);
    case Kind::equal:
      return at(0) == at(1);
    case Kind::compare:
      return toss::holds(formula.comparison, value(*formula.term, environment));
    case Kind::negation:
      return !part(formula.parts[0]);
    case Kind::conjunction:
      return std::all_of(formula.parts.begin(), formula.parts.end(), part);
    case Kind::disjunction:
      return std::any_of(formula.parts.begin(), formula.parts.end(), part);
    case Kind::exists:
    case Kind::forall:
      return quantified(formula, environment);
    case Kind::closure:
      return closure(formula, environment).contains(std::vector<Element>{at(0), at(1)});
    case Kind::least:
    case Kind::greatest: {
      std::vector<Element> tuple;
      for (std::size_t i = 0; i < formula.variables.size(); ++i) tuple.push_back(at(i));
      return fixed_point(formula, environment).contains(tuple);
    }
    case Kind::let: {
      Environment inner = environment;
      inner.relations[formula.name] = [&](const std::vector<Element>& tuple) {
        Environment own = environment;
        for (std::size_t i = 0; i < tuple.size(); ++i)
          own.variables[formula.variables[i]] = tuple[i];
        return holds(*formula.parts[0], own);
      };
      return holds(*formula.parts[1], inner);
    }
  }
  return false;
}

bool NaiveEvaluator::atom_holds(const Formula& formula, const Environment& environment) const {
  std::vector<Element> tuple;
  for (const std::string& name : formula.variables) tuple.push_back(environment.variables.at(name));
  const auto local = environment.relations.find(formula.name);
  if (local != environment.relations.end()) return local->second(tuple);
  for (const Definition& definition : game_.definitions) {
    if (definition.name != formula.name) continue;
    Environment own;
    for (std::size_t i = 0; i < tuple.size(); ++i)
      own.variables[definition.parameters[i]] = tuple[i];
    return holds(*definition.body, own);
  }
  for (std::size_t r = 0; r < game_.signature.relations.size(); ++r) {
    if (game_.signature.relations[r].name == formula.name) {
      return structure_.relation(r).contains(tuple);
    }
  }
  throw std::logic_error("unknown relation " + formula.name);
}

bool NaiveEvaluator::quantified(const Formula& formula, const Environment& environment) const {
  const bool universal = formula.kind == Kind::forall;
  const bool all = for_all(formula.variables, environment, [&](const Environment& inner) {
    return holds(*formula.parts[0], inner) == universal;
  });
  return all == universal;
}

TupleSet NaiveEvaluator::fixed_point(const Formula& formula, const Environment& environment) const {
  const std::size_t width = formula.variables.size();
  TupleSet current(width);
  const auto step = [&](const std::function<bool(const Environment&)>& condition) {
    TupleSet next(width);
    for_all(formula.variables, environment, [&](const Environment& inner) {
      std::vector<Element> tuple;
      for (const std::string& name : formula.variables) tuple.push_back(inner.variables.at(name));
      if (condition(inner)) next.insert(tuple);
      return true;
    });
    return next;
  };
  if (formula.kind == Kind::greatest) current = step([](const Environment&) { return true; });
  for (;;) {
    TupleSet next = step([&](Environment inner) {
      inner.relations[formula.name] = [&](const std::vector<Element>& tuple) {
        return current.contains(tuple);
      };
      return holds(*formula.parts[0], inner);
    });
    if (next == current) return current;
    current = std::move(next);
  }
}

TupleSet NaiveEvaluator::closure(const Formula& formula, const Environment& environment) const {
  TupleSet edges(2);
  for_all(formula.variables, environment, [&](const Environment& inner) {
    const std::vector<Element> tuple = {inner.variables.at(formula.variables[0]),
                                        inner.variables.at(formula.variables[1])};
    if (holds(*formula.parts[0], inner)) edges.insert(tuple);
    return true;
  });
  const auto& universe = structure_.universe();  // Warshall's algorithm
  for (const Element middle : universe) {
    for (const Element from : universe) {
      for (const Element to : universe) {
        const std::vector<Element> first = {from, middle}, second = {middle, to}, both = {from, to};
        if (edges.contains(first) && edges.contains(second)) edges.insert(both);
      }
    }
  }
  return edges;
}

double NaiveEvaluator::value(const Term& term, const Environment& environment) const {
  if (term.kind == Term::Kind::number) return term.number;
  if (term.kind == Term::Kind::indicator) return holds(*term.formula, environment) ? 1 : 0;
  if (term.kind == Term::Kind::sum) return sum(term, environment);
  if (term.kind == Term::Kind::value) {
    const auto& names = game_.signature.functions;
    const auto place = std::find(names.begin(), names.end(), term.name) - names.begin();
    return structure_.value(static_cast<std::size_t>(place),
                            environment.variables.at(term.variables[0]));
  }
  std::vector<double> parts;
  for (const TermPtr& part : term.parts) parts.push_back(value(*part, environment));
  return combine(term.kind, parts);
}

double NaiveEvaluator::sum(const Term& term, const Environment& environment) const {
  double total = 0;
  for_all(term.variables, environment, [&](const Environment& inner) {
    if (holds(*term.formula, inner)) total += value(*term.parts[0], inner);
    return true;
  });
  return total;
}

std::string RandomTexts::arguments(const std::vector<std::string>& variables, std::size_t count) {
  std::string result = "(";
  for (std::size_t i = 0; i < count; ++i) result += (i > 0 ? ", " : "") + pick(variables);
  return result + ")";
}

std::string RandomTexts::structure(std::size_t elements) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < elements; ++i)
    names.push_back(std::string(1, static_cast<char>('a' + i)));
  std::string result = "[";
  for (std::size_t i = 0; i < elements; ++i) result += (i > 0 ? ", " : "") + names[i];
  result += " | ";
  const auto relation = [&](const std::string& name, std::size_t arity, std::uint32_t tuples) {
    result += name + ":" + std::to_string(arity) + " {";
    for (std::uint32_t i = 0; i < tuples && !names.empty(); ++i) {
      result += (i > 0 ? "; " : "") + arguments(names, arity);
    }
    result += "}; ";
  };
  relation("P", 1, below(4));
  relation("Q", 1, below(4));
  relation("E", 2, below(8));
  relation("T", 3, below(8));
  result += below(2) == 0 ? "Z ()" : "Z:0 {}";
  result += " | f {";
  for (std::size_t i = 0; i < elements; ++i) {
    result +=
        (i > 0 ? ", " : "") + names[i] + "->" + std::to_string(static_cast<int>(below(5)) - 2);
  }
  return result + "}; g {}]";
}

std::string RandomTexts::atom(const std::vector<std::string>& variables, bool positive) {
  if (variables.empty()) return below(2) == 0 ? "Z()" : below(2) == 0 ? "true" : "false";
  if (positive && !locals_.empty() && below(2) == 0) {
    const Local local = locals_[below(static_cast<std::uint32_t>(locals_.size()))];
    return local.name + arguments(variables, local.arity);
  }
  switch (below(7)) {
    case 0:
      return "P" + arguments(variables, 1);
    case 1:
      return "Q" + arguments(variables, 1);
    case 2:
      return "T" + arguments(variables, 3);
    case 3:
      return pick(variables) + (below(2) == 0 ? " = " : " != ") + pick(variables);
    case 4:
      return "Z()";
    default:
      return "E" + arguments(variables, 2);
  }
}

std::string RandomTexts::formula(const std::vector<std::string>& variables, int depth) {
  return formula(variables, depth, true);
}

std::string RandomTexts::first_order(const std::vector<std::string>& variables, int depth) {
  plain_ = true;
  std::string result = formula(variables, depth, true);
  plain_ = false;
  return result;
}

std::string RandomTexts::formula(const std::vector<std::string>& variables, int depth,
                                 bool positive) {
  if (depth == 0) return atom(variables, positive);
  const auto inner = [&] { return "(" + formula(variables, depth - 1, positive) + ")"; };
  switch (below(plain_ ? 7 : 10)) {
    case 0:
      return "not (" + formula(variables, depth - 1, !positive) + ")";
    case 1:
    case 2:
      return inner() + " and " + inner() + (below(3) == 0 ? " and " + inner() : "");
    case 3:
      return inner() + " or " + inner();
    case 7: {
      const std::vector<Local> outer = std::exchange(locals_, {});  // terms are not monotone
      const char* comparisons[] = {" > 0", " = 0", " < 0", " >= 0", " <= 0", " != 0", " < 1"};
      std::string result = "(" + term(variables, depth - 1) + ")" + comparisons[below(7)];
      locals_ = outer;
      return result;
    }
    case 8:
      return variables.size() < 2 ? inner() : recursion(variables, depth, positive);
    case 9:
      return local(variables, depth, positive);
    default:
      return quantified(variables, depth, positive);
  }
}

std::string RandomTexts::quantified(const std::vector<std::string>& variables, int depth,
                                    bool positive) {
  std::vector<std::string> more = variables;
  std::string bound = pick({"x", "y", "z", "u"});
  more.push_back(bound);
  if (below(3) == 0) {
    const std::string second = bound == "v" ? "w" : "v";
    bound += ", " + second;
    more.push_back(second);
  }
  return (below(2) == 0 ? "ex " : "all ") + bound + " (" + formula(more, depth - 1, positive) + ")";
}

std::string RandomTexts::recursion(const std::vector<std::string>& variables, int depth,
                                   bool positive) {
  std::string first = pick(variables), second = pick(variables);
  const std::vector<Local> outer = locals_;
  std::string result;
  if (below(2) == 0 && first != second) {
    locals_.clear();
    result = "tc " + first + ", " + second + " (" + formula(variables, depth - 1, true) + ")";
  } else {
    const std::string name = "X" + std::to_string(names_++);
    // Under a negation outer variables occur negatively inside.
    if (!positive) locals_.clear();
    locals_.push_back({name, 1});
    result = (below(2) == 0 ? "lfp " : "gfp ") + name + "(" + first + ") = (" +
             formula(variables, depth - 1, true) + ")";
  }
  locals_ = outer;
  return "(" + result + ")";
}

std::string RandomTexts::local(const std::vector<std::string>& variables, int depth,
                               bool positive) {
  const std::string name = "L" + std::to_string(names_++);
  std::vector<std::string> more = variables;
  const std::string parameter = pick({"x", "y", "p"});
  more.push_back(parameter);
  const std::vector<Local> outer = std::exchange(locals_, {});
  const std::string body = formula(more, depth - 1, true);
  locals_ = outer;
  if (positive) locals_.push_back({name, 1});
  const std::string use = formula(variables, depth - 1, positive);
  locals_ = outer;
  const std::string also = variables.empty() ? "" : " and " + name + "(" + pick(variables) + ")";
  return "(let " + name + "(" + parameter + ") = " + body + " in (" + use + ")" + also + ")";
}

std::string RandomTexts::term(const std::vector<std::string>& variables, int depth) {
  const auto inner = [&] { return "(" + term(variables, depth - 1) + ")"; };
  if (depth == 0) {
    if (!variables.empty() && below(2) == 0) return "f(" + pick(variables) + ")";
    return std::to_string(below(4));
  }
  switch (below(6)) {
    case 0:
      return inner() + " + " + inner() + (below(2) == 0 ? " - " + inner() : "");
    case 1:
      return inner() + " * " + inner();
    case 2:
      return "-" + inner() + (below(2) == 0 ? "^2" : "");
    case 3:
      return ":(" + formula(variables, depth - 1) + ")";
    default: {
      std::vector<std::string> more = variables;
      more.push_back(pick({"x", "y", "s"}));
      const std::string condition = formula(more, depth - 1);
      return "Sum (" + more.back() + " | " + condition + " : " + term(more, depth - 1) + ")";
    }
  }
}

std::string RandomTexts::rule(const std::string& name) {
  const char* sides[] = {"[a | P (a) | -]",
                         "[a | - | -]",
                         "[a, b | E (a, b) | -]",
                         "[a, b | Q (b) | f {a->1}]",
                         "[b | T (b, b, b) | -]",
                         "[ | Z () | -]",
                         "[a, c | E {(a, c); (c, a)}; P {a; c} | -]"};
  const char* lefts[] = {"[a | P (a); D0 (a) | -]", "[a | - | -]", "[a, b | E (a, b) | -]",
                         "[a, b | Q (b) | -]", "[ | Z () | -]"};
  std::string result = "RULE " + name + ": " + lefts[below(5)] + " -> " + sides[below(7)];
  if (below(2) == 0) result += " emb P" + std::string(below(2) == 0 ? ", E" : "");
  if (below(2) == 0) result += " pre " + formula({}, 2);
  if (below(3) == 0) result += " post " + formula({}, 2);
  return result + "\n";
}

std::string RandomTexts::game() {
  std::string result = "PLAYERS one, two\n";
  result += "REL D0(x) = " + formula({"x"}, 2) + "\n";
  result += "REL D1(x, y) = D0(x) and (" + formula({"x", "y"}, 3) + ")\n";
  result += "REL D2() = ex x D0(x)\n";
  const std::uint32_t rules = 2 + below(3);
  for (std::uint32_t i = 0; i < rules; ++i) result += rule("R" + std::to_string(i));
  for (std::uint32_t location = 0; location < 2; ++location) {
    const char* mover = location == 0 ? "one" : "two";
    const char* other = location == 0 ? "two" : "one";
    result += "LOC " + std::to_string(location) + " { PLAYER " + mover + " { PAYOFF " +
              term({}, 2) + " MOVES [R0 -> " + std::to_string(below(2)) + "; R1 -> 1] } PLAYER " +
              other + " { PAYOFF " + term({}, 2) + " } }\n";
  }
  return result + "START " + structure(1 + below(4)) + "\n";
}

}  // namespace zermelo::toss::testing
