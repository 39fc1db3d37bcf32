// Errors as Python exceptions. Every kind of base::ErrorKind has a class, all derived from
// zermelo.Error and from the built-in exception that fits.
#pragma once

#include <pybind11/pybind11.h>

#include <exception>
#include <string>
#include <utility>

#include "base/result.h"

namespace zermelo::python {

// Carries an error to the boundary, where it becomes a Python exception.
class Failure : public std::exception {
 public:
  explicit Failure(base::Error error) : error_(std::move(error)) {}

  const base::Error& error() const { return error_; }
  const char* what() const noexcept override { return error_.message.c_str(); }

 private:
  base::Error error_;
};

template <class T>
T value_of(base::Result<T> result) {
  if (!result) throw Failure(std::move(result.error()));
  return std::move(*result);
}

inline void require(base::Result<void> result) {
  if (!result) throw Failure(std::move(result.error()));
}

[[noreturn]] inline void refuse(std::string message) {
  throw Failure({base::ErrorKind::invalid_request, std::move(message)});
}

// Sets Python's error.
void raise(const Failure& failure);

// Adds the exception classes to the module.
void define_errors(pybind11::module_& module);

}  // namespace zermelo::python
