// The extensions of the predicates of a GDL game that depend neither on the state nor on moves.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "translate/toss/gdl_clauses.h"

namespace zermelo::translate::toss {

// Ground terms, printed.
using Values = std::vector<std::string>;

class StaticFacts {
 public:
  // Computes all extensions with the reference engine. Fails at a limit.
  static base::Result<StaticFacts> evaluate(const GdlClauses& rules, const base::Limits& limits);

  bool knows(const std::string& predicate) const { return extensions_.count(predicate) > 0; }
  const std::set<Values>& of(const std::string& predicate) const {
    return extensions_.at(predicate);
  }
  // All ground terms that occur in them.
  std::set<std::string> terms() const;

  // The values of the outputs for which the conjunction of static literals holds; every variable
  // must occur in a positive atom. Throws base::LimitReached.
  std::set<Values> answers(const GdlBody& body, const std::vector<std::string>& outputs,
                           const base::Limits& limits) const;
  // Whether the values at the known positions determine a tuple.
  bool determines(const std::string& predicate, const std::vector<bool>& known) const;
  // The same for the tuples of these domains, by position, that the predicate does not have.
  bool complement_determines(const std::string& predicate, const std::vector<bool>& known,
                             const std::vector<std::set<std::string>>& domains) const;

 private:
  std::map<std::string, std::set<Values>> extensions_;
};

}  // namespace zermelo::translate::toss
