// What the program writes: its answer on standard output, messages on standard error.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/quantities.h"
#include "base/result.h"
#include "cli/exit_code.h"

namespace zermelo::cli {

// Thrown when standard output cannot be written. `run` then ends the program, without a message if
// the reader closed the pipe.
struct OutputError {
  int error_number;
};

void write_answer(std::string_view text);
// Control characters, such as those of file names, are escaped, except line breaks and tabs.
void write_message(std::string_view text);
// Writes the message of a usage error.
ExitCode usage_error(std::string_view message);
// Erases the line of the terminal behind standard error.
void erase_line();

void flush_answer();
// From now on, nothing is written.
void silence();

using base::counted;
using base::grouped;
using base::with_commas;

// Lines of a name and a value, with the values aligned. Long values are wrapped at 100 columns.
std::string name_value_lines(const std::vector<std::pair<std::string, std::string>>& lines);

// Right-aligned columns below their titles.
std::string columns(const std::vector<std::string>& titles,
                    const std::vector<std::vector<std::string>>& rows);

}  // namespace zermelo::cli
