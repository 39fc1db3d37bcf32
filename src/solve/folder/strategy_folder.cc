#include "solve/folder/strategy_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error_name.h"
#include "base/source.h"
#include "dd/file.h"
#include "gdl/printer.h"
#include "gdl/read_rules.h"

namespace zermelo::solve {
namespace {

namespace fs = std::filesystem;
using StrategyJson = nlohmann::ordered_json;
using base::ErrorKind;

constexpr const char* strategies_format = "zermelo strategies";
constexpr int strategies_version = 1;
constexpr const char* strategy_rules_name = "rules.kif";
constexpr const char* strategies_name = "strategies.txt";
constexpr const char* strategy_manifest_name = "manifest.json";

bool is_strategy_file(std::string_view name) {
  return name == strategy_rules_name || name == strategies_name || name == strategy_manifest_name;
}

base::Error damaged_strategies(const fs::path& path, const std::string& what) {
  return {ErrorKind::unreadable_input, fmt::format("'{}' is damaged: {}", path.string(), what)};
}

std::string checksum_text(const std::string& text) {
  return fmt::format("{:016x}", dd::checksum(text.data(), text.size()));
}

std::string manifest_text(const StrategyDescription& description, const std::string& rules,
                          const std::string& strategies) {
  StrategyJson bounds = StrategyJson::array();
  for (std::size_t p = 0; p < description.low.size(); ++p)
    bounds.push_back({description.low[p], description.high[p]});
  StrategyJson json = {{"format", strategies_format},
                       {"version", strategies_version},
                       {"players", description.players},
                       {"model", name_of(description.model)},
                       {"algorithm", name_of(description.algorithm)},
                       {"bounds", bounds},
                       {"exploitability", description.exploitability},
                       {"iterations", description.iterations},
                       {"exact_value", description.exact_value},
                       {"rounds", description.rounds},
                       {"worlds", description.worlds},
                       {"terminal_worlds", description.terminal_worlds},
                       {"decisions", description.decisions},
                       {"sequences", description.sequences},
                       {"rules.kif_checksum", checksum_text(rules)},
                       {"strategies.txt_checksum", checksum_text(strategies)}};
  json["checksum"] = checksum_text(json.dump(1) + "\n");
  return json.dump(1) + "\n";
}

StrategyDescription description_of_strategies(const StrategyJson& json) {
  StrategyDescription description;
  json.at("players").get_to(description.players);
  description.model = json.at("model") == "own" ? OpponentModel::own : OpponentModel::difference;
  description.algorithm =
      algorithm_named(json.at("algorithm").get<std::string>()).value_or(Algorithm::automatic);
  for (const StrategyJson& bounds : json.at("bounds")) {
    description.low.push_back(bounds.at(0));
    description.high.push_back(bounds.at(1));
  }
  json.at("exploitability").get_to(description.exploitability);
  json.at("iterations").get_to(description.iterations);
  json.at("exact_value").get_to(description.exact_value);
  json.at("rounds").get_to(description.rounds);
  json.at("worlds").get_to(description.worlds);
  json.at("terminal_worlds").get_to(description.terminal_worlds);
  json.at("decisions").get_to(description.decisions);
  json.at("sequences").get_to(description.sequences);
  return description;
}

bool has_form(const StrategyDescription& description) {
  const std::size_t players = description.players.size();
  return (players == 1 || players == 2) && description.low.size() == players &&
         description.decisions.size() == players && description.sequences.size() == players &&
         description.algorithm != Algorithm::automatic;
}

// The manifest, if its checksum is right.
base::Result<StrategyJson> read_manifest(const fs::path& folder) {
  const fs::path path = folder / strategy_manifest_name;
  const auto text = dd::read_text(path);
  if (!text) return tl::unexpected(text.error());
  StrategyJson json = StrategyJson::parse(*text, nullptr, false);
  if (!json.is_object() || json.value("format", StrategyJson()) != strategies_format)
    return tl::unexpected(damaged_strategies(path, "it does not describe strategies"));
  if (json.value("version", StrategyJson()) != strategies_version) {
    return base::fail(ErrorKind::unreadable_input,
                      fmt::format("'{}' has another version of the format; this program reads "
                                  "version {}",
                                  path.string(), strategies_version));
  }
  const StrategyJson found = json.value("checksum", StrategyJson());
  json.erase("checksum");
  if (found != checksum_text(json.dump(1) + "\n"))
    return tl::unexpected(damaged_strategies(path, "its checksum is wrong"));
  return json;
}

// The text of a file that the manifest describes.
base::Result<std::string> read_described(const fs::path& folder, const char* name) {
  const auto manifest = read_manifest(folder);
  if (!manifest) return tl::unexpected(manifest.error());
  auto text = dd::read_text(folder / name);
  if (!text) return text;
  if (manifest->value(std::string(name) + "_checksum", StrategyJson()) == checksum_text(*text))
    return text;
  return tl::unexpected(damaged_strategies(folder / name, "its checksum is wrong"));
}

}  // namespace

bool StrategyFolder::finished() const {
  const auto text = dd::read_text(path_ / strategy_manifest_name);
  if (!text) return false;
  const StrategyJson json = StrategyJson::parse(*text, nullptr, false);
  return json.is_object() && json.value("format", StrategyJson()) == strategies_format;
}

base::Result<void> StrategyFolder::claim(const gdl::Rulesheet& rules) {
  if (auto made = dd::make_folder(path_); !made) return made;
  auto locked = dd::FolderLock::take(path_);
  if (!locked) return tl::unexpected(locked.error());
  lock_ = std::move(*locked);
  const bool is_other = dd::holds_others(path_, is_strategy_file, is_strategy_file) ||
                        (dd::is_there(path_ / strategy_manifest_name) && !finished());
  if (is_other) {
    return base::fail(
        ErrorKind::not_applicable,
        fmt::format("'{}' is neither empty nor a solution of this kind", path_.string()));
  }
  dd::remove_parts(path_, is_strategy_file);
  if (!dd::is_there(path_ / strategy_rules_name)) return {};
  const auto present = dd::read_text(path_ / strategy_rules_name);
  if (!present) return tl::unexpected(present.error());
  if (*present == gdl::print(rules, gdl::Syntax::prefix)) return {};
  return base::fail(ErrorKind::not_applicable,
                    fmt::format("'{}' holds the solution of another game", path_.string()));
}

base::Result<void> StrategyFolder::save(const gdl::Rulesheet& rules,
                                        const StrategyDescription& description,
                                        const StoredStrategies& strategies) const {
  ::unlink((path_ / strategy_manifest_name).c_str());
  const std::string rules_text = gdl::print(rules, gdl::Syntax::prefix);
  const std::string text = text_of(strategies);
  auto written = dd::write_text(path_ / strategy_rules_name, rules_text);
  if (written) written = dd::write_text(path_ / strategies_name, text);
  if (written) {
    written = dd::write_text(path_ / strategy_manifest_name,
                             manifest_text(description, rules_text, text));
  }
  return written ? dd::sync(path_) : written;
}

base::Result<std::shared_ptr<const gdl::Rulesheet>> StrategyFolder::rules(
    const base::Limits& limits) const {
  auto text = read_described(path_, strategy_rules_name);
  if (!text) return tl::unexpected(text.error());
  const fs::path path = path_ / strategy_rules_name;
  auto rules = gdl::read_rules(
      std::make_shared<const base::Source>(path.string(), std::move(*text)), limits);
  if (!rules && !base::is_limit(rules.error().kind))
    return tl::unexpected(damaged_strategies(path, "it is not valid GDL"));
  return rules;
}

base::Result<StrategyDescription> StrategyFolder::description() const {
  const auto json = read_manifest(path_);
  if (!json) return tl::unexpected(json.error());
  try {
    StrategyDescription description = description_of_strategies(*json);
    if (has_form(description)) return description;
  } catch (const StrategyJson::exception&) {
  }
  return tl::unexpected(damaged_strategies(path_ / strategy_manifest_name, "unexpected contents"));
}

base::Result<StoredStrategies> StrategyFolder::strategies() const {
  const auto text = read_described(path_, strategies_name);
  if (!text) return tl::unexpected(text.error());
  auto strategies = strategies_of(*text);
  if (!strategies) {
    return tl::unexpected(damaged_strategies(path_ / strategies_name, strategies.error().message));
  }
  return strategies;
}

}  // namespace zermelo::solve
