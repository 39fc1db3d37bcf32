// libFuzzer target: no input may crash the parser or the validity checks, and rules that parse must
// round-trip through both syntaxes. scripts/fuzz.sh runs it.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "fuzz/check_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string failure =
      zermelo::gdl::check_input(std::string(reinterpret_cast<const char*>(data), size));
  if (failure.empty()) return 0;
  std::fprintf(stderr, "%s\n", failure.c_str());
  std::abort();
}
