// A GDDL file: a PDDL domain and problem (PDDL 2.2, level 1) with gains.
//
//   (:gain ?player - role 100 (and (= ?player xplayer) (line x)))
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/source.h"
#include "translate/gddl/expression.h"

namespace zermelo::translate::gddl {

// A variable or an object. Without a type in the file it has the type "object".
struct TypedName {
  std::string name;
  std::string type;
  base::Span span;
};

struct DerivedPredicate {
  std::string name;
  std::vector<TypedName> parameters;
  Expression body;
};

struct ActionSchema {
  std::string name;
  std::vector<TypedName> parameters;
  Expression precondition;  // an empty list: none
  Expression effect;
  base::Span span;
};

struct Gain {
  std::vector<TypedName> parameters;
  int value = 0;
  Expression body;
};

struct Description {
  std::map<std::string, std::string> parent_of;  // by type
  std::vector<TypedName> objects;
  std::set<std::string> predicates;  // names of those that are declared; they need not be
  std::vector<DerivedPredicate> derived;
  std::vector<ActionSchema> actions;
  std::vector<Expression> initial;
  std::vector<Expression> goals;  // one
  std::vector<Gain> gains;
};

// Whether the text begins as a definition of PDDL.
bool is_gddl(const base::Source& source);

// Fails with invalid_rules and a place where the text is no domain and problem. Names and arities
// of predicates are not checked.
base::Result<Description> read_description(const base::Source& source);

// (?x ?y - row ?z): the words from `begin` to `end` of a list.
base::Result<std::vector<TypedName>> read_typed_list(const base::Source& source,
                                                     const std::vector<Expression>& words,
                                                     std::size_t begin, std::size_t end);

}  // namespace zermelo::translate::gddl
