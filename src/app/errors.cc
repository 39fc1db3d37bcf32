#include "app/errors.h"

namespace zermelo::app {

base::Error with_limit_named(const base::Error& error) {
  if (!base::is_limit(error.kind)) return error;
  const char* limit = error.kind == base::ErrorKind::memory_limit ? "memory" : "time";
  return {error.kind, std::string(limit) + " limit reached, " + error.message};
}

}  // namespace zermelo::app
