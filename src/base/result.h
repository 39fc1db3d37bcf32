// Errors as values. A library function that can fail for a reason outside the program returns
// Result<T>; a broken invariant is an assertion instead.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace zermelo::base {

// The classes of errors a caller can act on. The command line maps each to one exit code.
enum class ErrorKind {
  unreadable_input,  // the file is missing, too large or not a regular file
  invalid_request,   // the request itself is wrong, e.g. an unknown player or contradicting options
  invalid_rules,     // the text is not valid GDL
  not_applicable,    // the rules are valid, but the game lacks a required property
  memory_limit,
  time_limit,
  unwritable_output,  // the file cannot be written, e.g. no permission or a full disk
};

struct Error {
  ErrorKind kind;
  std::string message;
};

template <class T>
using Result = tl::expected<T, Error>;

// True if the operation hit a limit and could finish with more time or memory.
inline bool is_limit(ErrorKind kind) {
  return kind == ErrorKind::time_limit || kind == ErrorKind::memory_limit;
}

inline tl::unexpected<Error> fail(ErrorKind kind, std::string message) {
  return tl::unexpected<Error>(Error{kind, std::move(message)});
}

}  // namespace zermelo::base
