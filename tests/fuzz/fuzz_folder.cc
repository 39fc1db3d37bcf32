// libFuzzer target: no content of a folder may crash a reader, or change an answer while checksums
// are wrong. scripts/fuzz.sh runs it.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "fuzz/folder_edits.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static zermelo::fuzz::FolderEdits edits("/dev/shm/zermelo_fuzz_" + std::to_string(::getpid()));
  const std::string failure = edits.check({data, size});
  if (failure.empty()) return 0;
  std::fprintf(stderr, "%s\n", failure.c_str());
  std::abort();
}
