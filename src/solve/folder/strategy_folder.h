// The solution of a game with hidden information on disk: the rules, what every player does in
// every situation that it can tell from others, and bounds on what comes of it.
// docs/reference/formats.md specifies the files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "dd/folder_files.h"
#include "gdl/rulesheet.h"
#include "solve/common/algorithm.h"
#include "solve/common/opponent_model.h"

namespace zermelo::solve {

// Of one player, its information sets as a tree: what it did and then saw, round by round, as far
// as this leads to decisions. Moves and percepts are names, as numbers of StoredStrategies::terms.
struct StoredStrategy {
  struct Choice {
    std::uint32_t move;
    double probability;
    bool operator==(const Choice&) const = default;
  };
  struct Node {
    std::uint32_t before = 0;  // the node of the round before; a smaller number
    std::uint32_t move = 0;
    std::vector<std::uint32_t> percepts;  // sorted by name
    std::vector<Choice> choices;          // of all legal moves, sorted by name; empty: no decision
    bool operator==(const Node&) const = default;
  };

  std::string role;
  std::vector<Node> nodes;  // the first is the beginning; its other fields mean nothing
  bool operator==(const StoredStrategy&) const = default;
};

struct StoredStrategies {
  std::vector<std::string> terms;       // different ones
  std::vector<StoredStrategy> players;  // one or two
  bool operator==(const StoredStrategies&) const = default;
};

struct StrategyDescription {
  std::vector<std::string> players;  // the roles without `random`
  OpponentModel model = OpponentModel::own;
  Algorithm algorithm = Algorithm::automatic;
  std::vector<double> low, high;  // by player, on the expected reward, or on the lead
  double exploitability = 0;
  std::uint64_t iterations = 0;  // of CFR+
  std::string exact_value = {};  // with one player, its expected reward as a fraction
  std::uint64_t rounds = 0, worlds = 0, terminal_worlds = 0;
  std::vector<std::uint64_t> decisions, sequences;  // by player
};

class StrategyFolder {
 public:
  explicit StrategyFolder(std::filesystem::path path) : path_(std::move(path)) {}

  const std::filesystem::path& path() const { return path_; }
  // Whether the folder holds a finished solution of this kind.
  bool finished() const;

  // Creates the folder and locks it as long as this object exists. Fails with not_applicable for a
  // folder with other files or with the solution of another game, and for one that another run
  // writes to.
  base::Result<void> claim(const gdl::Rulesheet& rules);
  // Writes the whole folder, instead of what it held. Requires that the folder is claimed.
  base::Result<void> save(const gdl::Rulesheet& rules, const StrategyDescription& description,
                          const StoredStrategies& strategies) const;

  // These fail with unreadable_input if something is missing or damaged.
  base::Result<std::shared_ptr<const gdl::Rulesheet>> rules(const base::Limits& limits = {}) const;
  base::Result<StrategyDescription> description() const;
  base::Result<StoredStrategies> strategies() const;

 private:
  std::filesystem::path path_;
  std::shared_ptr<const dd::FolderLock> lock_;  // if claimed
};

// The file of strategies, and what it says. Fails with unreadable_input if the text is not such a
// file: numbers must be in their range, and probabilities from 0 to 1.
std::string text_of(const StoredStrategies& strategies);
base::Result<StoredStrategies> strategies_of(const std::string& text);

}  // namespace zermelo::solve
