// What the commands that let players play have in common: the number of games, the records, and
// what they say of the result.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "cli/exit_code.h"
#include "play/match.h"

namespace CLI {
class App;
}

namespace zermelo::cli {

// The option's variable must live until the command line is parsed.
void add_games_option(CLI::App& app, std::optional<std::uint64_t>& games);

// Of a match that reached its limit.
inline constexpr const char* limit_message =
    "the time limit was reached before all games were over";

nlohmann::ordered_json match_json(const play::MatchResult& result);

// The mean goal of each player, and in each role as well, since roles are rarely equally good.
std::string match_text(const play::MatchResult& result);

// A folder with a file per game, named by the match. Every file is whole or not there.
class RecordFolder {
 public:
  // Makes the folder. Fails with unwritable_output where nothing can be written into it. With an
  // empty name there is no folder, and no record is written.
  static base::Result<RecordFolder> open(const std::string& name);

  // One call at a time. Keeps the first error, and tries again with the next record.
  void write(const play::MatchRecord& record);

  // How the command ends after its answer: as it would, unless a record could not be written. Says
  // so on standard error.
  ExitCode end(ExitCode otherwise) const;

 private:
  explicit RecordFolder(const std::string& name) : path_(name) {}

  std::filesystem::path path_;
  base::Result<void> written_;
};

}  // namespace zermelo::cli
