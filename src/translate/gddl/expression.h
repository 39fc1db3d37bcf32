// The parentheses of a PDDL or GDDL file.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/source.h"

namespace zermelo::translate::gddl {

// A word, in small letters, or a list.
struct Expression {
  bool is_list = false;
  std::string word;
  std::vector<Expression> items;
  base::Span span;

  // Whether it is a list that begins with the word.
  bool is(std::string_view first) const {
    return is_list && !items.empty() && items[0].word == first;
  }
};

// The error that names a place in the source: "game.gddl:3:5: expected a number".
base::Error error_at(const base::Source& source, base::Span span, const std::string& message);

// All expressions of the source. Fails with invalid_rules where parentheses do not match or nest
// too deeply.
base::Result<std::vector<Expression>> read_expressions(const base::Source& source);

}  // namespace zermelo::translate::gddl
