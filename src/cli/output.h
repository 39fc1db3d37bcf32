// What the program writes: its answer on standard output, messages on standard error.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace zermelo::cli {

// Thrown when standard output takes no more: `run` ends the program, quietly if a reader left.
struct OutputError {
  int error_number;
};

void write_answer(std::string_view text);
void write_message(std::string_view text);

// Writes what is still buffered of the answer.
void flush_answer();

// 1234567 as "1,234,567".
std::string grouped(unsigned long long number);
// A decimal number of any length with commas.
std::string with_commas(std::string digits);

// "1 error", "2 errors", "1,000 errors".
std::string counted(std::size_t number, std::string_view noun);

// "time limit reached, " or "memory limit reached, ", else nothing.
std::string_view limit_reached(base::ErrorKind kind);

// Lines of a name and a value, values aligned; a long value continues on further lines of at most
// 100 columns, below the first.
std::string name_value_lines(const std::vector<std::pair<std::string, std::string>>& lines);

// Right-aligned columns below their titles.
std::string columns(const std::vector<std::string>& titles,
                    const std::vector<std::vector<std::string>>& rows);

}  // namespace zermelo::cli
