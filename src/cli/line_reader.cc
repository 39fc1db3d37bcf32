#include "cli/line_reader.h"

#include <histedit.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <cstdio>
#include <iostream>

#include "cli/output.h"

namespace zermelo::cli {
namespace {

constexpr int remembered_lines = 1'000;

std::string trimmed(const std::string& line) {
  constexpr const char* blanks = " \t\r\n";
  const std::size_t begin = line.find_first_not_of(blanks);
  if (begin == std::string::npos) return "";
  return line.substr(begin, line.find_last_not_of(blanks) + 1 - begin);
}

// The editor writes an escape sequence together with the character after it, so the blanks at the
// end come after the last one. The marks tell it that the sequence has no width.
std::string bold_prompt(const std::string& prompt) {
  const std::size_t end = prompt.find_last_not_of(' ') + 1;
  return "\1\033[1m\1" + prompt.substr(0, end) + "\1\033[0m\1" + prompt.substr(end);
}

bool is_terminal() { return ::isatty(STDIN_FILENO) != 0 && ::isatty(STDOUT_FILENO) != 0; }

}  // namespace

std::string common_beginning(const std::vector<std::string>& texts) {
  if (texts.empty()) return "";
  std::string common = texts.front();
  for (const std::string& text : texts) {
    const auto [end, ignored] =
        std::mismatch(common.begin(), common.end(), text.begin(), text.end());
    common.erase(end, common.end());
  }
  return common;
}

struct LineReader::Editor {
  Editor(std::string& shown_prompt, Completions complete_with)
      : prompt(shown_prompt), completions(std::move(complete_with)) {
    std::setlocale(LC_CTYPE, "");  // the width of characters
    HistEvent event;
    ::history(history, &event, H_SETSIZE, remembered_lines);
    ::history(history, &event, H_SETUNIQUE, 1);
    ::el_set(line, EL_CLIENTDATA, this);
    ::el_set(line, EL_PROMPT_ESC, &prompt_of, '\1');
    ::el_set(line, EL_SIGNAL, 1);  // restores the terminal when a signal ends the program
    ::el_set(line, EL_EDITOR, "emacs");
    ::el_set(line, EL_HIST, ::history, history);
    ::el_set(line, EL_ADDFN, "complete-move", "Complete a move or command", &complete);
    ::el_set(line, EL_BIND, "^I", "complete-move", nullptr);
    // The prompt is written before the terminal leaves its line mode, in which an end of input
    // that arrives early becomes this character.
    ::el_set(line, EL_BIND, "^@", "em-delete-or-list", nullptr);
    ::el_source(line, nullptr);  // the settings of the user
  }
  ~Editor() {
    ::el_end(line);
    ::history_end(history);
  }
  Editor(const Editor&) = delete;
  Editor& operator=(const Editor&) = delete;

  static Editor& of(EditLine* line) {
    void* data = nullptr;
    ::el_get(line, EL_CLIENTDATA, &data);
    return *static_cast<Editor*>(data);
  }

  static char* prompt_of(EditLine* line) { return of(line).prompt.data(); }

  static unsigned char complete(EditLine* line, int) {
    const LineInfo* const info = ::el_line(line);
    const std::string typed(info->buffer, info->cursor);
    const auto found = of(line).completions(typed);
    const std::string common = common_beginning(found);
    if (common.size() > typed.size()) {
      ::el_insertstr(line, common.c_str() + typed.size());
      return CC_REFRESH;
    }
    if (found.size() < 2) return CC_ERROR;
    std::string list = "\n";
    for (const std::string& text : found) list += "  " + text + "\n";
    std::fputs(list.c_str(), stdout);
    return CC_REDISPLAY;
  }

  std::optional<std::string> next() {
    int length = 0;
    const char* const read = ::el_gets(line, &length);
    if (read == nullptr || length <= 0) return std::nullopt;
    const std::string text = trimmed(std::string(read, static_cast<std::size_t>(length)));
    HistEvent event;
    if (!text.empty()) ::history(history, &event, H_ENTER, text.c_str());
    return text;
  }

  std::string& prompt;
  Completions completions;
  History* history = ::history_init();
  EditLine* line = ::el_init("zermelo", stdin, stdout, stderr);
};

LineReader::LineReader(std::string prompt, bool bold, Completions completions)
    : prompt_(std::move(prompt)) {
  if (!is_terminal()) return;
  if (bold) prompt_ = bold_prompt(prompt_);
  editor_ = std::make_unique<Editor>(prompt_, std::move(completions));
}

LineReader::~LineReader() = default;

std::optional<std::string> LineReader::next() {
  flush_answer();
  if (editor_) {
    auto line = editor_->next();
    if (!line) write_answer("\n");
    return line;
  }
  write_answer(prompt_);
  flush_answer();
  std::string line;
  if (!std::getline(std::cin, line)) return std::nullopt;
  return trimmed(line);
}

}  // namespace zermelo::cli
