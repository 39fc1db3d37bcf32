// The games that a server offers: those shipped with the program, and those that visitors added.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "app/rules.h"
#include "base/limits.h"
#include "base/result.h"

namespace zermelo::app {

struct LibraryEntry {
  std::string id;       // a word of letters, digits and underscores
  std::string title;    // "Connect four"
  std::string summary;  // the first sentences of the comment that the rules begin with
};

// A file that is part of the program.
struct EmbeddedFile {
  std::string_view name, text;
};

// The files of games/, by name.
std::vector<EmbeddedFile> shipped_games();

// May be used by several threads.
class GameLibrary {
 public:
  // Added games are kept in the folder, at most `max_bytes` of them. With an empty name they are
  // kept in memory only.
  explicit GameLibrary(std::filesystem::path folder, std::size_t max_bytes = std::size_t{64} << 20);

  // The shipped games, by title.
  std::vector<LibraryEntry> shipped() const;
  // Keeps the rules and returns their id, which depends on the text alone. The text need not be
  // valid. Fails with unwritable_output if there is no room or the folder cannot be written.
  base::Result<std::string> add(const std::string& text);
  // The rules of a game. Fails with invalid_request for an id that is not known.
  base::Result<std::string> text(const std::string& id) const;
  // The id, title and summary of a game.
  base::Result<LibraryEntry> entry(const std::string& id) const;

 private:
  std::filesystem::path file_of(const std::string& id) const;

  std::filesystem::path folder_;
  std::size_t max_bytes_;
  std::map<std::string, std::string> shipped_;  // texts by id
  mutable std::mutex mutex_;                    // guards the members below
  std::map<std::string, std::string> added_;
  std::size_t bytes_ = 0;
};

// 32 hexadecimal digits that depend on the text alone.
std::string fingerprint(std::string_view text);

// "tic_tac_toe" as "Tic tac toe".
std::string title_of(const std::string& id);

// The first sentences of the comment at the beginning of rules, without the line that repeats the
// call of `generate`; at most about 200 characters.
std::string summary_of(std::string_view rules);

}  // namespace zermelo::app
