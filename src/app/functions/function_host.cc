// The process of a library: it loads the shared object and passes the questions on. It runs in the
// sandbox, like a program.
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "app/functions/external_functions.h"

namespace zermelo::app {
namespace {

// int zermelo_call(const char* function, const char* const* inputs, unsigned count, char* result,
//                  unsigned size)
// writes a text that ends with a zero to `result`, at most `size` bytes, and returns 1 if it is the
// result, 0 if there is none, and a negative number if it is the description of an error.
using LibraryCall = int (*)(const char*, const char* const*, unsigned, char*, unsigned);

constexpr const char* call_name = "zermelo_call";

// Words and parenthesised terms.
std::vector<std::string> parts_of(const std::string& question) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : question) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ' ' && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::string answer_to(LibraryCall call, const std::string& question) {
  std::vector<std::string> parts = parts_of(question);
  parts.resize(std::max<std::size_t>(parts.size(), 2));  // the number and the function
  std::vector<const char*> inputs;
  for (std::size_t i = 2; i < parts.size(); ++i) inputs.push_back(parts[i].c_str());
  std::array<char, 1024> result{};
  const int outcome = call(parts[1].c_str(), inputs.data(), static_cast<unsigned>(inputs.size()),
                           result.data(), static_cast<unsigned>(result.size()));
  result.back() = 0;
  if (outcome == 0) return parts[0] + " none";
  return parts[0] + (outcome > 0 ? " = " : " error ") + std::string(result.data());
}

}  // namespace

int run_function_host(const std::string& path) {
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* symbol = library == nullptr ? nullptr : ::dlsym(library, call_name);
  if (symbol == nullptr) {
    std::cerr << ::dlerror() << '\n';
    return 1;
  }
  const auto call = reinterpret_cast<LibraryCall>(symbol);
  for (std::string question; std::getline(std::cin, question);) {
    std::cout << answer_to(call, question) << std::endl;
  }
  return 0;
}

}  // namespace zermelo::app
