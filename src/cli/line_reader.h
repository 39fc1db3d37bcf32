// Lines that a person types, with editing and history on a terminal (libedit). Elsewhere the lines
// of standard input.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace zermelo::cli {

// The texts that what was typed can be completed to.
using Completions = std::function<std::vector<std::string>(const std::string& typed)>;

class LineReader {
 public:
  // The Tab key asks for completions. `bold` is for the prompt on a terminal.
  LineReader(std::string prompt, bool bold, Completions completions);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  // Shows the prompt and returns the next line, without blanks around it; nullopt at the end of the
  // input.
  std::optional<std::string> next();

 private:
  struct Editor;

  std::string prompt_;              // with marks around escape sequences if there is an editor
  std::unique_ptr<Editor> editor_;  // null where input or output is no terminal
};

// The longest text that all begin with; empty if there are none.
std::string common_beginning(const std::vector<std::string>& texts);

}  // namespace zermelo::cli
