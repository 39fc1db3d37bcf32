#include "app/rules.h"

#include <utility>

#include "base/source.h"
#include "families/families.h"

namespace zermelo::app {

CheckedFile check_file(const std::string& path, const base::Limits& limits) {
  auto source = base::read_source(path);
  if (!source) return {path, tl::unexpected(source.error())};
  return {path, gdl::check_rules_within(limits,
                                        std::make_shared<const base::Source>(std::move(*source)))};
}

base::Result<Rules> read_rules(const std::string& path) {
  auto source = base::read_source(path);
  if (!source) return tl::unexpected(source.error());
  return gdl::read_rules(std::make_shared<const base::Source>(std::move(*source)));
}

std::string print_rules(const PrintRequest& request) {
  return gdl::print(*request.rules, request.syntax);
}

base::Result<std::string> generate(const GenerateRequest& request) {
  auto rules = families::generate(request.family, request.sizes);
  if (rules) return rules;
  return base::fail(base::ErrorKind::invalid_request, rules.error().message);
}

}  // namespace zermelo::app
