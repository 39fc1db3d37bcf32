// Diagnostics of rulesheets have the form of all diagnostics. Their codes are listed in
// docs/reference/diagnostics.md.
#pragma once

#include "base/diagnostic.h"

namespace zermelo::gdl {

using base::Diagnostic;
using base::format;
using base::has_errors;
using base::Severity;

}  // namespace zermelo::gdl
