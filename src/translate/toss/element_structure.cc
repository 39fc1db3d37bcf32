#include "translate/toss/element_structure.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/limited_steps.h"
#include "translate/toss/toss_names.h"

namespace zermelo::translate::toss {
namespace {

std::string joined(const Values& values) { return fmt::format("{}", fmt::join(values, " ")); }

std::string signature_of(const GdlTerm& term) {
  return fmt::format("{}/{}", term.name, term.arguments.size());
}

Values values_at(const Values& all, const std::vector<std::size_t>& positions) {
  Values result;
  for (const std::size_t position : positions) result.push_back(all[position]);
  return result;
}

// The ground state terms of one mask: their arguments and the mutex group of each.
struct MaskTerms {
  std::vector<Values> arguments;
  std::vector<std::size_t> group;  // no_group where it is in none
};

constexpr std::size_t no_group = ~std::size_t{0};

// Whether terms with the same values at these positions are in one group.
bool is_determining(const MaskTerms& terms, const std::set<std::size_t>& positions) {
  std::map<Values, std::pair<std::size_t, std::size_t>> seen;  // group, count
  for (std::size_t i = 0; i < terms.arguments.size(); ++i) {
    Values key;
    for (const std::size_t position : positions) key.push_back(terms.arguments[i][position]);
    const auto [at, inserted] = seen.emplace(std::move(key), std::pair(terms.group[i], 1));
    if (inserted) continue;
    if (terms.group[i] == no_group || at->second.first != terms.group[i]) return false;
  }
  return true;
}

std::vector<std::set<std::size_t>> determining_sets(const MaskTerms& terms, std::size_t arity) {
  std::vector<std::set<std::size_t>> result;
  if (arity > 8) return result;
  std::vector<std::uint32_t> subsets(std::size_t{1} << arity);
  std::iota(subsets.begin(), subsets.end(), 0);
  std::stable_sort(subsets.begin(), subsets.end(), [](std::uint32_t a, std::uint32_t b) {
    return __builtin_popcount(a) < __builtin_popcount(b);
  });
  for (const std::uint32_t subset : subsets) {
    std::set<std::size_t> positions;
    for (std::size_t i = 0; i < arity; ++i) {
      if (subset >> i & 1) positions.insert(i);
    }
    const bool is_larger =
        std::any_of(result.begin(), result.end(), [&](const std::set<std::size_t>& smaller) {
          return std::includes(positions.begin(), positions.end(), smaller.begin(), smaller.end());
        });
    if (!is_larger && is_determining(terms, positions)) result.push_back(std::move(positions));
  }
  return result;
}

}  // namespace

std::size_t ElementStructure::add_mask(Mask mask) {
  masks_.push_back(std::move(mask));
  return masks_.size() - 1;
}

std::size_t ElementStructure::add_element(std::size_t mask, const Values& key,
                                          const std::string& name) {
  const auto [at, inserted] = masks_[mask].elements.emplace(key, names_.size());
  if (!inserted) return at->second;
  Values values(masks_[mask].arity);
  for (std::size_t i = 0; i < key.size(); ++i) values[masks_[mask].keys[i]] = key[i];
  names_.push_back(unique_name(name, used_names_));
  values_.push_back(std::move(values));
  return at->second;
}

base::Result<ElementStructure> ElementStructure::make(const GdlClauses& rules,
                                                      const ground::Game& game,
                                                      const analysis::MutexGroups& groups,
                                                      const StaticFacts& facts,
                                                      const Options& options) {
  ElementStructure result;
  result.options_ = options;
  result.facts_ = &facts;
  std::vector<std::size_t> group_of(game.fluents.size(), no_group);
  for (std::size_t g = 0; g < groups.groups.size(); ++g) {
    for (const ground::Atom fluent : groups.groups[g].fluents) group_of[fluent] = g;
  }
  std::map<std::string, MaskTerms> terms;
  std::set<std::string> values = facts.terms();
  for (std::size_t f = 0; f < game.fluents.size(); ++f) {
    const GdlTerm term = from_gdl(game.fluents[f], game.rulesheet->symbols);
    Values arguments;
    for (const GdlTerm& argument : term.arguments) arguments.push_back(toss::print(argument));
    values.insert(arguments.begin(), arguments.end());
    MaskTerms& of_mask = terms[signature_of(term)];
    of_mask.arguments.push_back(std::move(arguments));
    of_mask.group.push_back(group_of[f]);
  }
  for (const auto& move : game.moves) {
    for (const gdl::Term& argument : move.term.arguments) {
      values.insert(toss::print(from_gdl(argument, game.rulesheet->symbols)));
    }
  }
  const std::set<Path> paths = toss::fluent_paths(expanded_next_clauses(rules), true);
  for (const auto& [signature, of_mask] : terms) {
    Mask mask;
    mask.functor = signature.substr(0, signature.rfind('/'));
    mask.arity = of_mask.arguments.front().size();
    mask.determining = determining_sets(of_mask, mask.arity);
    std::set<std::size_t> keys;
    std::set<Values> contents;
    for (std::size_t i = 0; i < mask.arity; ++i) {
      const bool is_content = paths.count({{mask.functor, i + 1}}) > 0;
      (is_content ? mask.contents : mask.keys).push_back(i);
      if (!is_content) keys.insert(i);
    }
    for (const Values& arguments : of_mask.arguments) {
      contents.insert(values_at(arguments, mask.contents));
    }
    // The paper's fluent predicates need contents that exclude each other, and not too many.
    if (contents.size() > options.max_contents || !is_determining(of_mask, keys)) {
      mask.contents.clear();
      mask.keys.resize(mask.arity);
      std::iota(mask.keys.begin(), mask.keys.end(), 0);
      contents = {{}};
    }
    mask.content_values.assign(contents.begin(), contents.end());
    const std::size_t index = result.add_mask(mask);
    result.by_functor_[signature] = index;
    std::map<Values, std::size_t> terms_of_key;
    for (const Values& arguments : of_mask.arguments) {
      const Values key = values_at(arguments, mask.keys);
      ++terms_of_key[key];
      result.add_element(index, key, mask.functor + " " + joined(key));
    }
    // All terms of an element make up a group of which exactly one holds.
    bool always = !mask.contents.empty();
    for (std::size_t i = 0; i < of_mask.arguments.size() && always; ++i) {
      const std::size_t group = of_mask.group[i];
      always = group != no_group && groups.groups[group].exactly_one &&
               groups.groups[group].fluents.size() ==
                   terms_of_key[values_at(of_mask.arguments[i], mask.keys)];
    }
    result.masks_[index].always_has_content = always;
    for (const Values& content : mask.content_values) {
      result.fluent_names_[{index, content}] = unique_name(
          content.empty() ? "True " + mask.functor : mask.functor + " " + joined(content),
          result.used_relations_);
      ++result.fluent_count_;
    }
  }
  Mask value;
  value.functor = "value";
  value.arity = 1;
  value.is_value = true;
  value.keys = {0};
  result.value_mask_ = result.add_mask(value);
  for (const std::string& term : values) {
    result.add_element(result.value_mask_, {term}, "v " + term);
  }
  if (result.names_.size() > options.max_elements) {
    return base::fail(base::ErrorKind::not_applicable,
                      fmt::format("the structure would have {} elements, more than {}",
                                  result.names_.size(), options.max_elements));
  }
  return result;
}

std::size_t ElementStructure::argument_mask(std::size_t number) {
  while (argument_masks_.size() <= number) {
    Mask copy = masks_[value_mask_];
    const auto elements = std::move(copy.elements);
    copy.elements.clear();
    copy.functor = fmt::format("argument {}", argument_masks_.size() + 1);
    const std::size_t mask = add_mask(std::move(copy));
    for (const auto& [key, element] : elements) {
      add_element(mask, key, fmt::format("m{} {}", argument_masks_.size() + 1, key[0]));
    }
    argument_masks_.push_back(mask);
  }
  return argument_masks_[number];
}

std::optional<std::size_t> ElementStructure::mask_of(const GdlTerm& term) const {
  const auto found = by_functor_.find(signature_of(term));
  if (found == by_functor_.end()) return std::nullopt;
  return found->second;
}

std::string ElementStructure::fluent(std::size_t mask, const Values& content) const {
  const auto found = fluent_names_.find({mask, content});
  return found == fluent_names_.end() ? "" : found->second;
}

std::vector<std::string> ElementStructure::fluents(std::size_t mask) const {
  std::vector<std::string> result;
  for (const Values& content : masks_[mask].content_values) result.push_back(fluent(mask, content));
  return result;
}

std::string ElementStructure::stable(const StableRelation& relation) {
  std::string text = fmt::format("{}", fmt::join(relation.masks, ","));
  std::string name;
  const auto place = [&](const KeyPlace& at) {
    return fmt::format("{} {}", masks_[relation.masks[at.column]].functor, at.position + 1);
  };
  const auto add_name = [&](const std::string& part) { name += (name.empty() ? "" : " ") + part; };
  for (const auto& [a, b] : relation.equal) {
    text += fmt::format("|{}.{}={}.{}", a.column, a.position, b.column, b.position);
    add_name(fmt::format("Eq {} {}", place(a), place(b)));
  }
  for (const auto& [at, value] : relation.constants) {
    text += fmt::format("|{}.{}={}", at.column, at.position, value);
    add_name(fmt::format("Anch {} {}", place(at), value));
  }
  for (const StableRelation::Fact& fact : relation.facts) {
    text += "|" + fact.text;
    std::string part = fact.body.front().term.name;
    for (const KeyPlace& at : fact.places) {
      text += fmt::format("@{}.{}", at.column, at.position);
      part += " " + place(at);
    }
    add_name(part);
  }
  if (name.empty()) name = "Mask " + masks_[relation.masks[0]].functor;
  if (name.size() > 40) name = name.substr(0, 32) + fmt::format(" J{}", stable_.size());
  const auto [at, inserted] = stable_names_.emplace(text, "");
  if (inserted) {
    at->second = unique_name(name, used_relations_);
    stable_.emplace_back(at->second, relation);
  }
  return at->second;
}

std::optional<ElementStructure::Tuple> ElementStructure::tuple_of(const GdlTerm& fluent) const {
  const auto mask = mask_of(fluent);
  if (!mask) return std::nullopt;
  Values arguments;
  for (const GdlTerm& argument : fluent.arguments) arguments.push_back(toss::print(argument));
  const auto element = masks_[*mask].elements.find(values_at(arguments, masks_[*mask].keys));
  if (element == masks_[*mask].elements.end()) return std::nullopt;
  return Tuple{this->fluent(*mask, values_at(arguments, masks_[*mask].contents)), element->second};
}

// Column by column; equalities and constants filter early, facts once their columns are known.
std::vector<std::vector<std::size_t>> ElementStructure::tuples_of(const StableRelation& relation) {
  base::LimitedSteps steps(options_.limits, "listing the tuples of stable relations");
  std::vector<std::set<Values>> answers;
  for (const StableRelation::Fact& fact : relation.facts) {
    answers.push_back(facts_->answers(fact.body, fact.outputs, options_.limits));
  }
  std::vector<std::vector<std::size_t>> partial = {{}};
  for (std::size_t column = 0; column < relation.masks.size(); ++column) {
    std::vector<std::vector<std::size_t>> longer;
    for (const std::vector<std::size_t>& tuple : partial) {
      for (const auto& [key, element] : masks_[relation.masks[column]].elements) {
        steps.take();
        const auto value = [&](const KeyPlace& at) -> const std::string& {
          return values_[at.column == column ? element : tuple[at.column]][at.position];
        };
        const bool fits =
            std::all_of(relation.constants.begin(), relation.constants.end(),
                        [&](const auto& c) {
                          return c.first.column != column || value(c.first) == c.second;
                        }) &&
            std::all_of(relation.equal.begin(), relation.equal.end(), [&](const auto& pair) {
              return std::max(pair.first.column, pair.second.column) != column ||
                     value(pair.first) == value(pair.second);
            });
        if (!fits) continue;
        std::size_t number = 0;
        bool holds = true;
        for (const StableRelation::Fact& fact : relation.facts) {
          const std::set<Values>& known = answers[number++];
          std::size_t last = 0;
          for (const KeyPlace& at : fact.places) last = std::max(last, at.column);
          if (last != column || !holds) continue;
          Values values;
          for (const KeyPlace& at : fact.places) values.push_back(value(at));
          holds = known.count(values) > 0;
        }
        if (!holds) continue;
        longer.push_back(tuple);
        longer.back().push_back(element);
        if (longer.size() > options_.max_tuples) {
          throw base::LimitReached(base::ErrorKind::memory_limit,
                                   "listing the tuples of stable relations");
        }
      }
    }
    partial = std::move(longer);
  }
  return partial;
}

std::string ElementStructure::print(const std::set<GdlTerm>& state) {
  std::string relations;
  const auto add = [&](const std::string& name, std::size_t arity,
                       const std::vector<std::vector<std::size_t>>& tuples) {
    if (!relations.empty()) relations += ";\n  ";
    if (tuples.empty()) {
      relations += fmt::format("{}:{} {{}}", name, arity);
      return;
    }
    relations += name + " {";
    for (std::size_t i = 0; i < tuples.size(); ++i) {
      relations += i > 0 ? "; (" : "(";
      for (std::size_t j = 0; j < tuples[i].size(); ++j) {
        relations += (j > 0 ? ", " : "") + names_[tuples[i][j]];
      }
      relations += ")";
    }
    relations += "}";
  };
  std::size_t total = 0;
  for (const auto& [name, relation] : stable_) {
    const auto tuples = tuples_of(relation);
    total += tuples.size();
    if (total > options_.max_tuples) {
      throw base::LimitReached(base::ErrorKind::memory_limit,
                               "listing the tuples of stable relations");
    }
    add(name, relation.masks.size(), tuples);
  }
  std::map<std::string, std::vector<std::vector<std::size_t>>> fluents;
  for (const auto& [key, name] : fluent_names_) fluents[name];
  for (const GdlTerm& term : state) {
    if (const auto tuple = tuple_of(term)) fluents[tuple->fluent].push_back({tuple->element});
  }
  for (const auto& [name, tuples] : fluents) add(name, 1, tuples);
  return fmt::format("[{}\n  |\n  {}\n  | -]", fmt::join(names_, ", "), relations);
}

}  // namespace zermelo::translate::toss
