// Compares the optimised checks with direct implementations of the definitions on random rules.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>

#include "gdl/body.h"
#include "gdl/parser.h"
#include "gdl/strata.h"
#include "gdl/validity.h"

namespace zermelo::gdl {
namespace {

Rulesheet read_rulesheet(const std::string& text) {
  ParseResult parsed = parse(std::make_shared<const base::Source>("random.kif", text));
  EXPECT_TRUE(parsed.diagnostics.empty()) << text;
  return std::move(parsed.rulesheet);
}

class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine_); }
  std::string of(const std::string& letters) {
    return std::string(1,
                       letters[static_cast<std::size_t>(below(static_cast<int>(letters.size())))]);
  }

 private:
  std::mt19937 engine_;
};

std::string random_formula(Dice& dice, int depth) {
  const std::string atom = "(" + dice.of("pq") + " ?" + dice.of("xyz") + ")";
  const int kind = dice.below(depth > 0 ? 7 : 2);
  if (kind == 0) return atom;
  if (kind == 1) return "(distinct ?" + dice.of("xyz") + " a)";
  if (kind == 2) return "(not " + random_formula(dice, depth - 1) + ")";
  std::string text = kind < 5 ? "(and" : "(or";
  for (int parts = 1 + dice.below(3); parts > 0; --parts)
    text += " " + random_formula(dice, depth - 1);
  return text + ")";
}

struct Literal {
  const Formula* formula;
  bool positive;
};
using Conjunction = std::vector<Literal>;
using Normal = std::vector<Conjunction>;

Normal join(const Normal& a, const Normal& b) {
  Normal result;
  for (const Conjunction& left : a) {
    for (const Conjunction& right : b) {
      result.push_back(left);
      result.back().insert(result.back().end(), right.begin(), right.end());
    }
  }
  return result;
}

Normal normal_form(const Formula& formula, bool positive) {
  if (formula.kind == Formula::Kind::negation) return normal_form(formula.children[0], !positive);
  if (formula.children.empty()) return {{{&formula, positive}}};
  Normal result;
  const bool all = (formula.kind == Formula::Kind::conjunction) == positive;
  for (const Formula& child : formula.children) {
    Normal part = normal_form(child, positive);
    if (all && !result.empty()) {
      result = join(result, part);
    } else {
      result.insert(result.end(), part.begin(), part.end());
    }
  }
  return result;
}

std::set<Symbol> variables_of(const Term& atom) {
  std::set<Symbol> result;
  visit_subterms(atom, [&](const Term& term) {
    if (term.kind == Term::Kind::variable) result.insert(term.name);
  });
  return result;
}

// The definition, for one conjunction of literals.
bool is_safe(const Term& head, const Conjunction& body) {
  std::set<Symbol> bound;
  std::set<Symbol> needed = variables_of(head);
  for (const Literal& literal : body) {
    const bool binds = literal.positive && literal.formula->kind == Formula::Kind::atom;
    (binds ? bound : needed).merge(variables_of(literal.formula->atom));
  }
  return std::includes(bound.begin(), bound.end(), needed.begin(), needed.end());
}

bool reports_unsafe(const Rulesheet& rulesheet) {
  const auto diagnostics = check_validity(rulesheet);
  return std::any_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& diagnostic) {
    return diagnostic.code.rfind("unsafe-", 0) == 0;
  });
}

TEST(ValidityTwins, SafetyAgreesWithTheDisjunctiveNormalForm) {
  int safe_rules = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    Dice dice(seed);
    std::string text =
        "(<= (h ?x) " + random_formula(dice, 3) + " " + random_formula(dice, 2) + ")";
    if (dice.below(2) == 0) text.insert(text.size() - 1, " (q ?y)");
    const Rulesheet rulesheet = read_rulesheet(text);
    const Clause& clause = rulesheet.clauses[0];
    Normal normal{{}};
    for (const Formula& formula : clause.body) normal = join(normal, normal_form(formula, true));
    const bool safe = std::all_of(normal.begin(), normal.end(), [&](const Conjunction& body) {
      return is_safe(clause.head, body);
    });
    EXPECT_EQ(!reports_unsafe(rulesheet), safe) << text;
    safe_rules += safe;
  }
  EXPECT_GT(safe_rules, 400);
  EXPECT_LT(safe_rules, 3600);
}

// Rules over p, q, r with constants a, b and, unless ground, the variable ?x.
std::string random_rules(Dice& dice, bool ground) {
  const std::string arguments = ground ? "ab" : "abx";
  const auto atom = [&] {
    const std::string argument = dice.of(arguments);
    return "(" + dice.of("pqr") + " " + (argument == "x" ? "?x" : argument) + ")";
  };
  std::string text;
  for (int rules = 2 + dice.below(5); rules > 0; --rules) {
    text += "(<= " + atom();
    for (int conditions = 1 + dice.below(2); conditions > 0; --conditions) {
      text += dice.below(3) == 0 ? " (not " + atom() + ")" : " " + atom();
    }
    text += " (d ?x))\n";
  }
  return text + "(d a) (d b)\n";
}

using GroundAtom = std::pair<Symbol, Symbol>;

GroundAtom instance(const Term& atom, Symbol value) {
  const Term& argument = atom.arguments[0];
  return {atom.name, argument.kind == Term::Kind::variable ? value : argument.name};
}

// True if some ground atom depends on its own negation: the transitive closure of all edges of the
// ground rules.
bool has_negative_ground_cycle(const Rulesheet& rulesheet, const DependencyGraph& graph,
                               const std::vector<Symbol>& values) {
  std::map<std::pair<GroundAtom, GroundAtom>, bool> reaches;  // value: through a negation
  std::set<GroundAtom> atoms;
  const auto add = [&](const GroundAtom& from, const GroundAtom& to, bool negative) {
    const auto [entry, is_new] = reaches.try_emplace({from, to}, negative);
    const bool changed = is_new || (negative && !entry->second);
    entry->second |= negative;
    return changed;
  };
  for (const Dependency& edge : graph.dependencies()) {
    for (const Symbol value : values) {
      const GroundAtom from = instance(rulesheet.clauses[edge.clause].head, value);
      const GroundAtom to = instance(*edge.atom, value);
      atoms.insert(from);
      atoms.insert(to);
      add(from, to, edge.negative);
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [first, first_negative] : std::map(reaches)) {
      for (const GroundAtom& to : atoms) {
        const auto second = reaches.find({first.second, to});
        if (second == reaches.end()) continue;
        changed |= add(first.first, to, first_negative || second->second);
      }
    }
  }
  return std::any_of(atoms.begin(), atoms.end(), [&](const GroundAtom& atom) {
    const auto loop = reaches.find({atom, atom});
    return loop != reaches.end() && loop->second;
  });
}

struct StratificationCount {
  int stratified = 0;
  int only_locally = 0;
};

StratificationCount compare_stratification(bool ground) {
  StratificationCount count;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    Dice dice(seed);
    Rulesheet rulesheet = read_rulesheet(random_rules(dice, ground));
    const DependencyGraph graph(rulesheet);
    const std::vector<Symbol> values{rulesheet.symbols.intern("a"), rulesheet.symbols.intern("b")};
    const Strata strata = find_strata(rulesheet, graph);
    const bool cycle = has_negative_ground_cycle(rulesheet, graph, values);
    if (strata.violations.empty()) {
      EXPECT_FALSE(cycle) << rulesheet.source->text();
    } else if (ground) {
      EXPECT_TRUE(cycle) << rulesheet.source->text();
    }
    count.stratified += strata.violations.empty();
    count.only_locally += strata.violations.empty() && !strata.resolved.empty();
  }
  return count;
}

TEST(ValidityTwins, StratificationOfGroundRulesIsExact) {
  const StratificationCount count = compare_stratification(true);
  EXPECT_GT(count.only_locally, 50);
  EXPECT_LT(count.stratified, 1450);
}

TEST(ValidityTwins, StratificationOfRulesWithVariablesIsSound) {
  const StratificationCount count = compare_stratification(false);
  EXPECT_GT(count.only_locally, 50);
  EXPECT_LT(count.stratified, 1450);
}

bool may_be(const Term& atom, const Term& head) {
  const auto any = [](const Term& term) { return term.kind == Term::Kind::variable; };
  return atom.name == head.name && atom.arguments.size() == head.arguments.size() &&
         (atom.arguments.empty() || any(atom.arguments[0]) || any(head.arguments[0]) ||
          atom.arguments[0] == head.arguments[0]);
}

// The conditions of a clause are complete before it, or positive and in the same group.
TEST(ValidityTwins, GroupsAreInEvaluationOrder) {
  for (unsigned seed = 0; seed < 1500; ++seed) {
    Dice dice(seed);
    const Rulesheet rulesheet = read_rulesheet(random_rules(dice, false));
    const DependencyGraph graph(rulesheet);
    const Strata strata = find_strata(rulesheet, graph);
    std::map<std::uint32_t, std::size_t> group_of;
    for (std::size_t group = 0; group < strata.groups.size(); ++group) {
      for (const std::uint32_t clause : strata.groups[group]) group_of[clause] = group;
    }
    ASSERT_EQ(group_of.size(), rulesheet.clauses.size());
    for (const Dependency& edge : graph.dependencies()) {
      for (std::uint32_t clause = 0; clause < rulesheet.clauses.size(); ++clause) {
        if (!may_be(*edge.atom, rulesheet.clauses[clause].head)) continue;
        EXPECT_LE(group_of[clause], group_of[edge.clause]) << rulesheet.source->text();
        if (edge.negative && strata.violations.empty()) {
          EXPECT_LT(group_of[clause], group_of[edge.clause]) << rulesheet.source->text();
        }
      }
    }
  }
}

}  // namespace
}  // namespace zermelo::gdl
