// A game that is ready to be shown and played: its rules, its simulator, its scene, and its stored
// solution if there is one.
#pragma once

#include <filesystem>
#include <functional>
#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "analysis/scene.h"
#include "app/players.h"
#include "app/service/game_library.h"
#include "solve/folder/solution_reader.h"

namespace zermelo::app {

// May be used by several threads.
class OpenGame {
 public:
  // `solution` is the folder in which the solution of the game is, or will be. Fails with
  // invalid_rules, and at a limit.
  static base::Result<std::shared_ptr<OpenGame>> open(LibraryEntry entry, const std::string& text,
                                                      std::filesystem::path solution,
                                                      const ResourceLimits& limits,
                                                      const Context& context);

  const LibraryEntry& entry() const { return entry_; }
  const Rules& rules() const { return rules_; }
  const std::vector<std::string>& roles() const { return simulator_->roles(); }
  const Simulator& simulator() const { return simulator_; }
  const analysis::Scene& scene() const { return *scene_; }
  const std::filesystem::path& solution_folder() const { return solution_; }

  // Calls the function with the reader of the finished solution, which no other thread uses
  // meanwhile. Returns false if there is no finished solution, or it cannot be read.
  bool with_solution(const std::function<void(solve::SolutionReader&)>& use) const;
  bool is_solved() const {
    return with_solution([](const solve::SolutionReader&) {});
  }

 private:
  OpenGame() = default;

  LibraryEntry entry_;
  Rules rules_;
  Simulator simulator_;
  std::optional<analysis::Scene> scene_;
  std::filesystem::path solution_;
  mutable std::mutex mutex_;  // guards reader_
  mutable std::optional<solve::SolutionReader> reader_;
};

// Keeps the games that were used last. May be used by several threads; a game is made once, and
// those who ask for it meanwhile wait.
class OpenGames {
 public:
  using Pointer = std::shared_ptr<OpenGame>;

  // The library must outlive this. `solutions` is the folder of all solutions.
  OpenGames(const GameLibrary& library, std::filesystem::path solutions, std::size_t max_games,
            const ResourceLimits& limits)
      : library_(library),
        solutions_(std::move(solutions)),
        max_games_(max_games),
        limits_(limits) {}

  // Fails like GameLibrary::text and OpenGame::open.
  base::Result<Pointer> get(const std::string& id, const Context& context = {});
  // The folder of the solution of rules.
  std::filesystem::path solution_folder(const std::string& rules) const {
    return solutions_ / fingerprint(rules);
  }

 private:
  using Shared = std::shared_future<base::Result<Pointer>>;
  struct Entry {
    std::string id;
    Shared game;
  };

  base::Result<Pointer> make(const std::string& id, const Context& context) const;
  void forget(const std::string& id);

  const GameLibrary& library_;
  std::filesystem::path solutions_;
  std::size_t max_games_;
  ResourceLimits limits_;
  std::mutex mutex_;          // guards entries_
  std::list<Entry> entries_;  // the one that was used last first
};

}  // namespace zermelo::app
