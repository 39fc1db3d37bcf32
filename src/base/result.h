// Errors as values. A library function that can fail for a reason outside the program returns
// Result<T>; a broken invariant is an assertion instead.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace zermelo::base {

// What went wrong, in the classes a caller can act on. The command line maps each to one exit code.
enum class ErrorKind {
  unreadable_input,  // a file that is missing, not a file, or too large
  invalid_rules,     // text that is not valid GDL
  not_applicable,    // valid, but the game lacks a property the operation needs
  memory_limit,
  time_limit,
  unwritable_output,  // a file that cannot be written: no right to, or a full disk
};

struct Error {
  ErrorKind kind;
  std::string message;
};

template <class T>
using Result = tl::expected<T, Error>;

// Whether work ended before its time, and could go on with more of something.
inline bool is_limit(ErrorKind kind) {
  return kind == ErrorKind::time_limit || kind == ErrorKind::memory_limit;
}

inline tl::unexpected<Error> fail(ErrorKind kind, std::string message) {
  return tl::unexpected<Error>(Error{kind, std::move(message)});
}

}  // namespace zermelo::base
