// Rulesheets for tests, from text or files.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "gdl/parser.h"

namespace zermelo::testing {

// Throws if the text has syntax errors.
inline std::shared_ptr<const gdl::Rulesheet> rulesheet(base::Source source) {
  auto shared = std::make_shared<const base::Source>(std::move(source));
  gdl::ParseResult parsed = gdl::parse(shared);
  if (gdl::has_errors(parsed.diagnostics)) {
    throw std::runtime_error(gdl::format(parsed.diagnostics.front(), *shared));
  }
  return std::make_shared<const gdl::Rulesheet>(std::move(parsed.rulesheet));
}

inline std::shared_ptr<const gdl::Rulesheet> rulesheet(const std::string& text) {
  return rulesheet(base::Source("test", text));
}

inline std::shared_ptr<const gdl::Rulesheet> rulesheet_file(const std::string& path) {
  base::Result<base::Source> source = base::read_source(path);
  if (!source) throw std::runtime_error(source.error().message);
  return rulesheet(std::move(*source));
}

inline std::shared_ptr<const gdl::Rulesheet> shipped_rules(const std::string& name) {
  return rulesheet_file(ZERMELO_ROOT "/games/" + name + ".kif");
}

}  // namespace zermelo::testing
