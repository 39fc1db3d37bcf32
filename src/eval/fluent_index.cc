#include "eval/fluent_index.h"

#include "analysis/lifted_rules.h"
#include "gdl/printer.h"

namespace zermelo::eval {

FluentIndex::FluentIndex(const ground::Game& game) : game_(game) {
  for (ground::Atom fluent = 0; fluent < game.fluents.size(); ++fluent) {
    const gdl::Term& term = game.fluents[fluent];
    alike_[gdl::signature(term)].push_back(fluent);
    std::vector<std::string>& arguments = arguments_.emplace_back();
    for (const gdl::Term& argument : term.arguments) arguments.push_back(text(argument));
  }
}

std::string FluentIndex::text(const gdl::Term& term) const {
  return gdl::print(term, game_.rulesheet->symbols);
}

const std::vector<ground::Atom>& FluentIndex::alike(const gdl::Term& fluent) const {
  static const std::vector<ground::Atom> none;
  const auto found = alike_.find(gdl::signature(fluent));
  return found == alike_.end() ? none : found->second;
}

std::vector<ground::Atom> FluentIndex::matching(const gdl::Term& pattern) const {
  std::vector<ground::Atom> result;
  for (const ground::Atom fluent : alike(pattern)) {
    if (analysis::matches(pattern, game_.fluents[fluent])) result.push_back(fluent);
  }
  return result;
}

}  // namespace zermelo::eval
