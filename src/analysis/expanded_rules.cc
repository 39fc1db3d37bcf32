#include "analysis/expanded_rules.h"

#include <algorithm>
#include <utility>

namespace zermelo::analysis {

namespace {

using ground::Atom;
using ground::Literal;
using ground::RuleIndex;

// Maximum number of expanded rules per fluent, and of implied literals added to a rule.
constexpr std::size_t max_parts = 1'000;
constexpr std::size_t max_implied = 16;
// Maximum number of literals and moves in the expanded rules of all fluents; beyond, no further
// fluent is considered.
constexpr std::size_t max_written = 32'000'000;

ExpandedRules::Literals sorted(ExpandedRules::Literals literals) {
  std::sort(literals.begin(), literals.end());
  return literals;
}

}  // namespace

ExpandedRules::ExpandedRules(const StepRules& rules, const ProofLimits& limits)
    : limits_(limits),
      rules_(rules),
      game_(rules.game),
      rules_of_(game_.fluents.size()),
      is_made_(game_.fluents.size(), false) {
  for (const Literals& literals : rules.required) required_.push_back(sorted(literals));
  for (const Literals& literals : rules.required_by_kind)
    required_by_kind_.push_back(sorted(literals));
}

const std::optional<std::vector<ExpandedRules::Rules>>& ExpandedRules::of(Atom fluent) {
  if (is_made_[fluent]) return rules_of_[fluent];
  is_made_[fluent] = true;
  std::vector<Rules> rules;
  const Atom next = game_.next[fluent];
  if (next != ground::no_atom) add_rules(next, {}, rules);
  if (written_ <= max_written) rules_of_[fluent] = std::move(rules);
  return rules_of_[fluent];
}

// Adds the rules of an atom, with conditions on moves expanded.
void ExpandedRules::add_rules(Atom atom, const Literals& context, std::vector<Rules>& out) {
  if (written_ > max_written) return;
  for (FactoredRules& part : factor_rules(game_, rules_.sets, atom)) {
    part.rest.insert(part.rest.end(), context.begin(), context.end());
    const auto on_moves = std::find_if(part.rest.begin(), part.rest.end(), [&](Literal l) {
      return !l.negated() && l.atom() >= game_.first_after_does && l.atom() < atom;
    });
    if (part.moves.empty() && on_moves != part.rest.end() && out.size() < max_parts) {
      const Atom condition = on_moves->atom();
      part.rest.erase(on_moves);
      add_rules(condition, part.rest, out);
      continue;
    }
    Rules rules{{}, std::move(part.moves), forbidden_by(part.rest), {}};
    rules.rest = sorted(with_implied(std::move(part.rest)));
    rules.kinds = kinds_of(rules.moves);
    written_ += 1 + rules.rest.size() + rules.moves.size() + rules.forbidden.size();
    if (limits_.exceeded()) written_ = max_written + 1;
    out.push_back(std::move(rules));
  }
}

std::vector<ExpandedRules::Kind> ExpandedRules::kinds_of(const Moves& moves) const {
  std::vector<Kind> kinds;
  if (game_.roles.size() == 1) return kinds;
  for (const std::uint32_t move : moves)
    kinds.push_back({game_.moves[move].role, rules_.kind_of[move]});
  std::sort(kinds.begin(), kinds.end());
  kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
  return kinds;
}

ExpandedRules::Moves ExpandedRules::forbidden_by(const Literals& literals) const {
  Moves moves;
  for (const Literal literal : literals) {
    const auto set = rules_.sets.moves(literal.atom());
    if (literal.negated() && set) moves.insert(moves.end(), set->begin(), set->end());
  }
  std::sort(moves.begin(), moves.end());
  return moves;
}

// Adds what is implied by the literals: what the bodies of their rules have in common.
ExpandedRules::Literals ExpandedRules::with_implied(Literals literals) const {
  for (std::size_t i = 0; i < literals.size() && literals.size() < max_implied; ++i) {
    if (literals[i].negated() || literals[i].atom() < game_.first_derived) continue;
    const Literals common = common_literals(literals[i].atom());
    literals.insert(literals.end(), common.begin(), common.end());
  }
  return literals;
}

ExpandedRules::Literals ExpandedRules::common_literals(Atom atom) const {
  const auto first = game_.body(game_.rules_begin(atom));
  Literals common(first.begin(), first.end());
  for (RuleIndex rule = game_.rules_begin(atom); rule < game_.rules_end(atom); ++rule) {
    const auto body = game_.body(rule);
    std::erase_if(common, [&](Literal literal) {
      return std::find(body.begin(), body.end(), literal) == body.end();
    });
    if (common.empty()) break;
  }
  return common;
}

}  // namespace zermelo::analysis
