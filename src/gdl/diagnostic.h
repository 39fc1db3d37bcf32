// Diagnostics of rulesheets have the form that those of all inputs have.
#pragma once

#include "base/diagnostic.h"

namespace zermelo::gdl {

using base::Diagnostic;
using base::format;
using base::has_errors;
using base::Severity;

}  // namespace zermelo::gdl
