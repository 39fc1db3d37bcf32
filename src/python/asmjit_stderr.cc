// What the copy of libasmjit.a that is part of the module calls `stderr` (CMakeLists.txt).
#include <cstdio>

extern "C" {
extern std::FILE* zermelo_asmjit_stderr;
std::FILE* zermelo_asmjit_stderr = stderr;
}
