#include "app/rules.h"

#include "app/rules_text.h"
#include "base/source.h"
#include "families/families.h"

namespace zermelo::app {
namespace {

base::Result<GdlSource> read_gdl(const std::string& path) {
  return gdl_of(base::read_source(path));
}

}  // namespace

CheckedFile check_file(const std::string& path, const base::Limits& limits) {
  return {path, check_gdl(read_gdl(path), limits), {}};
}

base::Result<Rules> read_rules(const std::string& path, const base::Limits& limits) {
  return valid_rules_of(read_gdl(path), limits);
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
