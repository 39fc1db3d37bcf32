#include "app/rules_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "translate/gddl/description.h"
#include "translate/gddl/reader.h"
#include "translate/toss/read_toss.h"

namespace zermelo::app {
namespace {

base::Result<GdlSource> gdl_of_toss(const base::Source& source) {
  auto read = translate::toss::read_toss(source);
  if (!read) return tl::unexpected(read.error());
  if (base::has_errors(read->diagnostics)) {
    return GdlSource{std::make_shared<const base::Source>(source), true,
                     std::move(read->diagnostics)};
  }
  return GdlSource{std::make_shared<const base::Source>(source.name(), std::move(read->rules)),
                   true};
}

// The problems of a file that was not translated; there are no rules.
gdl::CheckedRules untranslated(const GdlSource& gdl) {
  gdl::Rulesheet nothing;
  nothing.source = gdl.source;
  return {std::make_shared<const gdl::Rulesheet>(std::move(nothing)), gdl.toss_diagnostics};
}

base::Error first_error(const GdlSource& gdl) {
  const auto& all = gdl.toss_diagnostics;
  const auto first = std::find_if(all.begin(), all.end(), [](const base::Diagnostic& diagnostic) {
    return diagnostic.severity == base::Severity::error;
  });
  const base::Position place = gdl.source->position(first->span.begin);
  return {base::ErrorKind::invalid_rules,
          fmt::format("{}:{}:{}: not valid as a Toss game: {}", gdl.source->name(), place.line,
                      place.column, first->message)};
}

}  // namespace

base::Result<GdlSource> gdl_of(base::Result<base::Source> source) {
  if (!source) return tl::unexpected(source.error());
  if (translate::toss::is_toss(*source)) return gdl_of_toss(*source);
  if (!translate::gddl::is_gddl(*source))
    return GdlSource{std::make_shared<const base::Source>(std::move(*source))};
  auto rules = translate::gddl::to_kif(*source);
  if (!rules) return tl::unexpected(rules.error());
  return GdlSource{std::make_shared<const base::Source>(source->name(), std::move(*rules)), true};
}

base::Result<gdl::CheckedRules> check_gdl(const base::Result<GdlSource>& gdl,
                                          const base::Limits& limits) {
  if (!gdl) return tl::unexpected(gdl.error());
  if (!gdl->toss_diagnostics.empty()) return untranslated(*gdl);
  auto checked = gdl::check_rules_within(limits, gdl->source);
  if (checked && gdl->is_translated) {
    std::erase_if(checked->diagnostics, [](const gdl::Diagnostic& diagnostic) {
      return diagnostic.severity == gdl::Severity::warning;
    });
  }
  return checked;
}

CheckedFile check_text(const std::string& name, const std::string& text,
                       const base::Limits& limits) {
  return {name, check_gdl(gdl_of(base::Source(name, text)), limits)};
}

base::Result<Rules> rules_of_text(const std::string& name, const std::string& text,
                                  const base::Limits& limits) {
  return valid_rules_of(gdl_of(base::Source(name, text)), limits);
}

base::Result<Rules> valid_rules_of(const base::Result<GdlSource>& gdl, const base::Limits& limits) {
  if (!gdl) return tl::unexpected(gdl.error());
  if (!gdl->toss_diagnostics.empty()) return tl::unexpected(first_error(*gdl));
  return gdl::read_rules(gdl->source, limits);
}

}  // namespace zermelo::app
