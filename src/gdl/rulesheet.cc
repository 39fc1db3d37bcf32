#include "gdl/rulesheet.h"

namespace zermelo::gdl {

bool operator==(const Term& a, const Term& b) {
  return a.kind == b.kind && a.name == b.name && a.arguments == b.arguments;
}

bool operator==(const Formula& a, const Formula& b) {
  return a.kind == b.kind && a.atom == b.atom && a.children == b.children;
}

bool operator==(const Clause& a, const Clause& b) { return a.head == b.head && a.body == b.body; }

Rulesheet copy(const Rulesheet& rulesheet) {
  return {rulesheet.source, rulesheet.syntax, rulesheet.symbols.copy(), rulesheet.clauses,
          rulesheet.external};
}

}  // namespace zermelo::gdl
