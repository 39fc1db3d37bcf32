#include "translate/glossary.h"

namespace zermelo::translate {

gdl::Term instantiate(const Pattern& pattern, std::span<const gdl::Term> arguments) {
  if (pattern.kind == gdl::Term::Kind::variable)
    return arguments[static_cast<std::size_t>(pattern.name)];
  gdl::Term result = pattern;
  for (gdl::Term& argument : result.arguments) argument = instantiate(argument, arguments);
  return result;
}

}  // namespace zermelo::translate
