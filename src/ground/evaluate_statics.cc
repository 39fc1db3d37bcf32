// Evaluates predicates that do not change during a game.
//
// A predicate that depends neither directly nor indirectly on true or does has the same atoms in
// every state: successor relations, boards, the roles, the initial state. Such predicates are
// evaluated here, component by component in the order of their dependencies, so that negated
// relations are always complete. Then their rules are dropped. In the remaining rules, their
// literals only restrict the instances.
#include <algorithm>

#include "base/components.h"
#include "ground/passes.h"

namespace zermelo::ground {

namespace {

namespace keyword = gdl::keyword;
using LiteralKind = BodyLiteral::Kind;

// The keywords whose atoms are always part of the ground game.
bool is_observed(Symbol word) {
  constexpr Symbol words[] = {keyword::true_, keyword::does, keyword::next,    keyword::legal,
                              keyword::goal,  keyword::sees, keyword::terminal};
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

base::Components dependency_components(const Program& program) {
  const auto count = static_cast<std::uint32_t>(program.predicates.size());
  std::vector<std::vector<PredicateId>> depends_on(count);
  for (const Rule& rule : program.rules) {
    for (const BodyLiteral& literal : rule.body) {
      if (literal.has_predicate()) depends_on[rule.head].push_back(literal.predicate);
    }
  }
  return base::strongly_connected_components(count, [&](std::uint32_t p, std::uint64_t i) {
    return i < depends_on[p].size() ? depends_on[p][i] : base::no_node;
  });
}

// A predicate defined by the negation of its own atoms (allowed if no atom depends on itself)
// cannot be evaluated as a whole. Grounding handles its atoms one by one.
bool negates_own_component(const Rule& rule, const base::Components& components) {
  return std::any_of(rule.body.begin(), rule.body.end(), [&](const BodyLiteral& literal) {
    return literal.kind == LiteralKind::negative &&
           components.component_of[literal.predicate] == components.component_of[rule.head];
  });
}

std::vector<bool> find_dynamic(const Program& program, const base::Components& components) {
  std::vector<bool> dynamic(program.predicates.size());
  for (std::size_t p = 0; p < dynamic.size(); ++p) {
    dynamic[p] = is_observed(program.predicates[p].keyword);
  }
  for (const Rule& rule : program.rules) {
    if (negates_own_component(rule, components)) dynamic[rule.head] = true;
  }
  bool changed = true;
  while (changed) {
    changed = false;
    for (const Rule& rule : program.rules) {
      if (dynamic[rule.head]) continue;
      dynamic[rule.head] =
          std::any_of(rule.body.begin(), rule.body.end(), [&](const BodyLiteral& literal) {
            return literal.has_predicate() && dynamic[literal.predicate];
          });
      changed |= dynamic[rule.head];
    }
  }
  return dynamic;
}

}  // namespace

base::Result<void> evaluate_statics(Program& program, Instantiation& instantiation) {
  const base::Components components = dependency_components(program);
  const std::vector<bool> dynamic = find_dynamic(program, components);
  std::vector<std::vector<Rule>> rules_of(components.count);
  std::vector<Rule> remaining;
  for (Rule& rule : program.rules) {
    if (dynamic[rule.head]) {
      remaining.push_back(std::move(rule));
    } else {
      rules_of[components.component_of[rule.head]].push_back(std::move(rule));
    }
  }
  program.rules = std::move(remaining);
  for (const std::vector<Rule>& rules : rules_of) {
    if (rules.empty()) continue;
    if (auto done = instantiation.run(program, rules, false); !done) return done;
  }
  return {};
}

}  // namespace zermelo::ground
