#include "translate/toss/read_toss.h"

#include "toss/parser.h"
#include "translate/toss/to_kif.h"

namespace zermelo::translate::toss {

bool is_toss(const base::Source& source) {
  return source.name().ends_with(".toss") || zermelo::toss::looks_like_toss(source);
}

base::Result<TossRules> read_toss(const base::Source& source) {
  zermelo::toss::ParseResult parsed = zermelo::toss::parse(source);
  if (base::has_errors(parsed.diagnostics)) return TossRules{"", std::move(parsed.diagnostics)};
  auto rules = to_kif(parsed.game, source);
  if (!rules) return tl::unexpected(rules.error());
  return TossRules{std::move(rules->rules), std::move(parsed.diagnostics)};
}

}  // namespace zermelo::translate::toss
