// Normal forms of formulas: negation normal form, disjunctive and conjunctive normal form, and the
// type normal form (TNF) of the first paper, in which quantifiers stand as deep as possible.
#pragma once

#include <functional>
#include <vector>

#include "toss/formula.h"

namespace zermelo::toss {

// Negations before atoms, equalities, comparisons, fixed points and closures only. Requires a
// formula without `let`.
FormulaPtr negation_normal_form(const FormulaPtr& formula);

using Conjuncts = std::vector<FormulaPtr>;
// The disjuncts of the disjunctive normal form of a positive Boolean combination, as conjuncts, and
// the dual. Anything but a conjunction or disjunction counts as atomic. No part is listed twice,
// and no disjunct that another implies by being part of it. Throw LimitReached beyond 20,000.
std::vector<Conjuncts> disjunctive_normal_form(const FormulaPtr& formula);
std::vector<Conjuncts> conjunctive_normal_form(const FormulaPtr& formula);

// Whether a literal or quantified formula contains a fluent: such variables are resolved first.
using FluentTest = std::function<bool(const Formula&)>;

// Requires negation normal form in which every quantifier binds variables of its own.
FormulaPtr type_normal_form(const FormulaPtr& formula, const FluentTest& is_fluent);

// Whether a formula is in TNF (Definition 5).
bool is_in_type_normal_form(const Formula& formula);

}  // namespace zermelo::toss
