#include "app/rules_text.h"

#include "translate/gddl/description.h"
#include "translate/gddl/reader.h"

namespace zermelo::app {

base::Result<GdlSource> gdl_of(base::Result<base::Source> source) {
  if (!source) return tl::unexpected(source.error());
  if (!translate::gddl::is_gddl(*source))
    return GdlSource{std::make_shared<const base::Source>(std::move(*source))};
  auto rules = translate::gddl::to_kif(*source);
  if (!rules) return tl::unexpected(rules.error());
  return GdlSource{std::make_shared<const base::Source>(source->name(), std::move(*rules)), true};
}

base::Result<gdl::CheckedRules> check_gdl(const base::Result<GdlSource>& gdl,
                                          const base::Limits& limits) {
  if (!gdl) return tl::unexpected(gdl.error());
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
  const auto gdl = gdl_of(base::Source(name, text));
  if (!gdl) return tl::unexpected(gdl.error());
  return gdl::read_rules(gdl->source, limits);
}

}  // namespace zermelo::app
