#include "app/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/source.h"
#include "families/families.h"
#include "translate/gddl/description.h"
#include "translate/gddl/reader.h"
#include "translate/toss/read_toss.h"

namespace zermelo::app {
namespace {

using SourcePointer = std::shared_ptr<const base::Source>;

struct GdlSource {
  SourcePointer source;
  bool is_translated = false;  // from GDDL or Toss
  // Of a Toss file that is not valid.
  std::vector<base::Diagnostic> diagnostics = {};
};

base::Result<GdlSource> read_toss(const base::Source& source) {
  auto read = translate::toss::read_toss(source);
  if (!read) return tl::unexpected(read.error());
  if (base::has_errors(read->diagnostics)) {
    return GdlSource{std::make_shared<const base::Source>(source), true,
                     std::move(read->diagnostics)};
  }
  return GdlSource{std::make_shared<const base::Source>(source.name(), std::move(read->rules)),
                   true};
}

base::Result<GdlSource> read_gdl(const std::string& path) {
  auto source = base::read_source(path);
  if (!source) return tl::unexpected(source.error());
  if (translate::toss::is_toss(*source)) return read_toss(*source);
  if (!translate::gddl::is_gddl(*source))
    return GdlSource{std::make_shared<const base::Source>(std::move(*source))};
  auto rules = translate::gddl::to_kif(*source);
  if (!rules) return tl::unexpected(rules.error());
  return GdlSource{std::make_shared<const base::Source>(source->name(), std::move(*rules)), true};
}

// The problems of a file that could not be translated; there are no rules.
gdl::CheckedRules untranslated(const GdlSource& read) {
  gdl::Rulesheet nothing;
  nothing.source = read.source;
  return {std::make_shared<const gdl::Rulesheet>(std::move(nothing)), read.diagnostics};
}

base::Error first_error(const GdlSource& read) {
  const auto& all = read.diagnostics;
  const auto first = std::find_if(all.begin(), all.end(), [](const base::Diagnostic& diagnostic) {
    return diagnostic.severity == base::Severity::error;
  });
  const base::Position place = read.source->position(first->span.begin);
  return {base::ErrorKind::invalid_rules,
          fmt::format("{}:{}:{}: not valid as a Toss game: {}", read.source->name(), place.line,
                      place.column, first->message)};
}

// Warnings about rules that a translation made would be about text that nobody wrote.
void drop_warnings(gdl::CheckedRules& rules) {
  std::erase_if(rules.diagnostics, [](const gdl::Diagnostic& diagnostic) {
    return diagnostic.severity == gdl::Severity::warning;
  });
}

}  // namespace

CheckedFile check_file(const std::string& path, const base::Limits& limits) {
  const auto read = read_gdl(path);
  if (!read) return {path, tl::unexpected(read.error())};
  if (!read->diagnostics.empty()) return {path, untranslated(*read), "as a Toss game"};
  auto checked = gdl::check_rules_within(limits, read->source);
  if (checked && read->is_translated) drop_warnings(*checked);
  return {path, std::move(checked)};
}

base::Result<Rules> read_rules(const std::string& path) {
  const auto read = read_gdl(path);
  if (!read) return tl::unexpected(read.error());
  if (!read->diagnostics.empty()) return tl::unexpected(first_error(*read));
  return gdl::read_rules(read->source);
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
