#include "translate/one_role.h"

#include <set>
#include <string>

namespace zermelo::translate {

base::Result<void> require_one_role(const gdl::Rulesheet& rulesheet) {
  std::set<gdl::Symbol> roles;
  std::string second;  // where it is declared
  for (const gdl::Clause& clause : rulesheet.clauses) {
    if (clause.head.name != gdl::keyword::role || clause.head.arguments.size() != 1) continue;
    const gdl::Symbol name = clause.head.arguments[0].name;
    if (!roles.insert(name).second || roles.size() != 2) continue;
    const base::Position place = rulesheet.source->position(clause.head.span.begin);
    second = std::to_string(place.line) + ":" + std::to_string(place.column) + " declares " +
             rulesheet.symbols.name(name);
  }
  if (roles.size() <= 1) return {};
  return base::fail(base::ErrorKind::not_applicable,
                    "planning needs a game of one role; this one has " +
                        std::to_string(roles.size()) + ": " + second);
}

}  // namespace zermelo::translate
