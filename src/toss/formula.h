// Formulas and real-valued terms as trees that are never changed once made: first-order logic with
// fixed points, transitive closure and local definitions, and terms with counting. Variables and
// relations are names here; `query.h` resolves them.
//
// Conjunctions, disjunctions, sums and products have any number of parts, so that long chains are
// not deep trees.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/source.h"

namespace zermelo::toss {

struct Formula;
struct Term;
using FormulaPtr = std::shared_ptr<const Formula>;
using TermPtr = std::shared_ptr<const Term>;

// A term compared with 0.
enum class Comparison : std::uint8_t { equal, unequal, less, less_equal, greater, greater_equal };

struct Formula {
  enum class Kind : std::uint8_t {
    atom,         // name(variables)
    equal,        // variables[0] = variables[1]
    compare,      // term comparison 0
    negation,     // not parts[0]
    conjunction,  // of all parts; true if there is none
    disjunction,  // of all parts; false if there is none
    exists,       // ex variables parts[0]
    forall,       // all variables parts[0]
    least,        // lfp name(variables) = parts[0], applied to the same variables
    greatest,     // gfp name(variables) = parts[0]
    closure,      // tc variables[0], variables[1] parts[0]
    let,          // let name(variables) = parts[0] in parts[1]
  };
  Kind kind = Kind::conjunction;
  std::string name;
  std::vector<std::string> variables;
  std::vector<FormulaPtr> parts;
  TermPtr term;
  Comparison comparison = Comparison::equal;
  base::Span span;  // where it was read; no part of what it means
};

struct Term {
  enum class Kind : std::uint8_t {
    number,
    indicator,  // 1 where the formula holds, else 0
    value,      // the function `name` of variables[0]
    add,        // of all parts
    negate,     // -parts[0]
    multiply,   // of all parts
    power,      // parts[0] ^ parts[1]
    sum,        // of parts[0] over all values of the variables for which the formula holds
  };
  Kind kind = Kind::number;
  double number = 0;
  std::string name;
  std::vector<std::string> variables;
  FormulaPtr formula;
  std::vector<TermPtr> parts;
  base::Span span;
};

// Whether two trees are the same, wherever they were read.
bool same(const Formula& a, const Formula& b);
bool same(const Term& a, const Term& b);
// The same, or both absent.
bool same(const FormulaPtr& a, const FormulaPtr& b);
bool same(const TermPtr& a, const TermPtr& b);
// Whether `part` is the same as one of `parts`.
bool has(const std::vector<FormulaPtr>& parts, const FormulaPtr& part);

FormulaPtr truth(bool value);
FormulaPtr atom(std::string name, std::vector<std::string> variables);
FormulaPtr equal(std::string left, std::string right);
FormulaPtr compare(TermPtr term, Comparison comparison);
FormulaPtr negation(FormulaPtr formula);
// The parts themselves where there is one only.
FormulaPtr conjunction(std::vector<FormulaPtr> parts);
FormulaPtr disjunction(std::vector<FormulaPtr> parts);
// The body itself where there are no variables.
FormulaPtr exists(std::vector<std::string> variables, FormulaPtr body);
FormulaPtr forall(std::vector<std::string> variables, FormulaPtr body);

TermPtr number(double value);
TermPtr indicator(FormulaPtr formula);
TermPtr add(std::vector<TermPtr> parts);
TermPtr negate(TermPtr part);
TermPtr multiply(std::vector<TermPtr> parts);
TermPtr power(TermPtr base, TermPtr exponent);
TermPtr sum(std::vector<std::string> variables, FormulaPtr formula, TermPtr term);

bool is_truth(const Formula& formula, bool value);

using Names = std::set<std::string>;
Names free_variables(const Formula& formula);
Names free_variables(const Term& term);
// Relations named in it, without those that `let` and fixed points bind.
Names relations_in(const Formula& formula);
Names relations_in(const Term& term);
// Functions whose values it asks for.
Names functions_in(const Formula& formula);

}  // namespace zermelo::toss
