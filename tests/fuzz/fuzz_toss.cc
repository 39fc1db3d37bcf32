// libFuzzer target: no bytes may crash the reader of .toss files, and what is read must survive
// printing. scripts/fuzz.sh runs it.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "fuzz/check_toss_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string failure =
      zermelo::toss::check_input(std::string(reinterpret_cast<const char*>(data), size));
  if (failure.empty()) return 0;
  std::fprintf(stderr, "%s\n", failure.c_str());
  std::abort();
}
