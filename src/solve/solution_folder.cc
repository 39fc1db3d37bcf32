#include "solve/solution_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/source.h"
#include "dd/file.h"
#include "gdl/parser.h"
#include "gdl/printer.h"
#include "gdl/validity.h"

namespace zermelo::solve {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using base::ErrorKind;

constexpr const char* format_name = "zermelo solution";
constexpr int format_version = 1;
constexpr const char* rules_name = "rules.kif";
constexpr const char* description_name = "description.json";
constexpr const char* manifest_name = "manifest.json";
constexpr const char* progress_name = "progress.json";

base::Error damaged(const fs::path& path, const std::string& what) {
  return {ErrorKind::unreadable_input, fmt::format("'{}' is damaged: {}", path.string(), what)};
}

std::string hexadecimal(std::uint64_t number) { return fmt::format("{:016x}", number); }

std::uint64_t from_hexadecimal(const Json& json) {
  return std::stoull(json.get<std::string>(), nullptr, 16);
}

std::string text_of(const Json& json) { return json.dump(1) + "\n"; }

std::uint64_t checksum_of(const Json& json) {
  const std::string text = text_of(json);
  return dd::checksum(text.data(), text.size());
}

std::string text_of(const Description& description) {
  Json outcomes = Json::array();
  for (const Rewards& rewards : description.outcomes) {
    outcomes.push_back(rewards.empty() ? Json(nullptr) : Json(rewards));
  }
  return text_of({{"format", format_name},
                  {"version", format_version},
                  {"roles", description.roles},
                  {"model", name_of(description.model)},
                  {"engine", description.engine},
                  {"algorithm", description.algorithm},
                  {"layers", description.layers == LayerKind::plies ? "plies" : "distances"},
                  {"distances", description.distances},
                  {"outcomes", outcomes},
                  {"variables", description.variables}});
}

Description description_of(const Json& json) {
  Description description;
  json.at("roles").get_to(description.roles);
  description.model = json.at("model") == "own" ? OpponentModel::own : OpponentModel::difference;
  json.at("engine").get_to(description.engine);
  json.at("algorithm").get_to(description.algorithm);
  description.layers = json.at("layers") == "plies" ? LayerKind::plies : LayerKind::distances;
  json.at("distances").get_to(description.distances);
  for (const Json& rewards : json.at("outcomes")) {
    description.outcomes.push_back(rewards.is_null() ? Rewards() : rewards.get<Rewards>());
  }
  json.at("variables").get_to(description.variables);
  return description;
}

Json json_of(const StoredLayer& layer) {
  Json json = {{"states", layer.states},
               {"terminal", layer.terminal},
               {"by_value", layer.by_value},
               {"nodes", layer.nodes},
               {"fixed", layer.fixed},
               {"states_checksum", hexadecimal(layer.states_checksum)},
               {"values_checksum", hexadecimal(layer.values_checksum)}};
  if (layer.distances_checksum) {
    json["distances_checksum"] = hexadecimal(*layer.distances_checksum);
  }
  return json;
}

StoredLayer layer_of(const Json& json) {
  StoredLayer layer;
  json.at("states").get_to(layer.states);
  json.at("terminal").get_to(layer.terminal);
  json.at("by_value").get_to(layer.by_value);
  json.at("nodes").get_to(layer.nodes);
  json.at("fixed").get_to(layer.fixed);
  layer.states_checksum = from_hexadecimal(json.at("states_checksum"));
  layer.values_checksum = from_hexadecimal(json.at("values_checksum"));
  if (json.contains("distances_checksum")) {
    layer.distances_checksum = from_hexadecimal(json.at("distances_checksum"));
  }
  return layer;
}

// A JSON file of this format. Other versions and what is no JSON are errors.
base::Result<Json> read_json(const fs::path& path) {
  const auto text = dd::read_text(path);
  if (!text) return tl::unexpected(text.error());
  const Json json = Json::parse(*text, nullptr, false);
  if (!json.is_object() || json.value("format", Json()) != format_name) {
    return tl::unexpected(damaged(path, "it is no description of a solution"));
  }
  if (json.value("version", Json()) != format_version) {
    return base::fail(ErrorKind::unreadable_input,
                      fmt::format("'{}' has another version; this program reads version {}",
                                  path.string(), format_version));
  }
  if (text_of(json) != *text) return tl::unexpected(damaged(path, "its layout is not ours"));
  return json;
}

bool is_ours(std::string_view name) {
  return name.starts_with("layer-") || name == rules_name || name == description_name ||
         name == manifest_name || name == progress_name;
}

}  // namespace

fs::path SolutionFolder::file(Part part, std::size_t layer) const {
  constexpr const char* names[] = {"states", "values", "distances"};
  return path_ / fmt::format("layer-{:04}.{}", layer, names[static_cast<int>(part)]);
}

base::Result<void> SolutionFolder::write_once(const char* name, const std::string& text) const {
  const auto present = dd::read_text(path_ / name);
  if (!present) return dd::write_text(path_ / name, text);
  if (*present == text) return {};
  return base::fail(ErrorKind::not_applicable,
                    fmt::format("'{}' holds the solution of another game, or of this one with "
                                "other options: {} differs",
                                path_.string(), name));
}

base::Result<void> SolutionFolder::lock() const {
  if (lock_) return {};
  auto taken = dd::FolderLock::take(path_);
  if (!taken) return tl::unexpected(taken.error());
  lock_ = std::move(*taken);
  return {};
}

base::Result<void> SolutionFolder::begin(const gdl::Rulesheet& rules,
                                         const Description& description) const {
  if (auto made = dd::make_folder(path_); !made) return made;
  if (auto locked = lock(); !locked) return locked;
  std::error_code failed;
  if (!dd::is_there(path_ / rules_name) && !fs::is_empty(path_, failed)) {
    return base::fail(ErrorKind::not_applicable,
                      fmt::format("'{}' is neither empty nor a solution", path_.string()));
  }
  dd::remove_parts(path_, is_ours);
  auto written = write_once(rules_name, gdl::print(rules, gdl::Syntax::prefix));
  if (!written) return written;
  return write_once(description_name, text_of(description));
}

base::Result<void> SolutionFolder::describe(const Description& description) const {
  return dd::write_text(path_ / description_name, text_of(description));
}

base::Result<void> SolutionFolder::note(const Progress& progress) const {
  Json json = {{"format", format_name}, {"version", format_version}};
  json["all_found"] = progress.all_found;
  json["layers"] = Json::array();
  for (const StoredLayer& layer : progress.layers) json["layers"].push_back(json_of(layer));
  return dd::write_text(path_ / progress_name, text_of(json), dd::Durability::cached);
}

std::optional<Progress> SolutionFolder::progress() const {
  const auto json = read_json(path_ / progress_name);
  if (!json) return std::nullopt;
  try {
    Progress progress;
    json->at("all_found").get_to(progress.all_found);
    for (const Json& layer : json->at("layers")) progress.layers.push_back(layer_of(layer));
    return progress;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

bool SolutionFolder::finished() const { return dd::is_there(path_ / manifest_name); }

base::Result<std::uint64_t> SolutionFolder::secure(Part part, std::size_t layer) const {
  if (auto synced = dd::sync(file(part, layer)); !synced) return tl::unexpected(synced.error());
  return dd::file_checksum(file(part, layer));
}

base::Result<void> SolutionFolder::secure(std::size_t l, StoredLayer& layer) const {
  const auto states = secure(Part::states, l), values = secure(Part::values, l);
  if (!states || !values) return tl::unexpected((states ? values : states).error());
  layer.states_checksum = *states;
  layer.values_checksum = *values;
  if (!has(Part::distances, l)) return {};
  const auto distances = secure(Part::distances, l);
  if (!distances) return tl::unexpected(distances.error());
  layer.distances_checksum = *distances;
  return {};
}

base::Result<void> SolutionFolder::finish(Manifest manifest) const {
  Json json = {{"format", format_name}, {"version", format_version}};
  for (const char* name : {rules_name, description_name}) {
    const auto sum = dd::file_checksum(path_ / name);
    if (!sum) return tl::unexpected(sum.error());
    json[std::string(name) + "_checksum"] = hexadecimal(*sum);
  }
  json["cyclic"] = manifest.cyclic;
  json["layers"] = Json::array();
  for (std::size_t l = 0; l < manifest.layers.size(); ++l) {
    if (auto secured = secure(l, manifest.layers[l]); !secured) return secured;
    json["layers"].push_back(json_of(manifest.layers[l]));
  }
  json["checksum"] = hexadecimal(checksum_of(json));
  auto written = dd::write_text(path_ / manifest_name, text_of(json));
  if (!written) return written;
  ::unlink((path_ / progress_name).c_str());
  return dd::sync(path_);
}

base::Result<void> SolutionFolder::save(Part part, std::size_t layer,
                                        const dd::Diagram& diagram) const {
  return dd::save_layer(diagram, file(part, layer));
}

bool SolutionFolder::has(Part part, std::size_t layer) const {
  return dd::is_there(file(part, layer));
}

base::Result<std::shared_ptr<const gdl::Rulesheet>> SolutionFolder::rules() const {
  auto source = base::read_source((path_ / rules_name).string());
  if (!source) return tl::unexpected(source.error());
  auto parsed = gdl::parse(std::make_shared<const base::Source>(std::move(*source)));
  if (gdl::has_errors(parsed.diagnostics) ||
      gdl::has_errors(gdl::check_validity(parsed.rulesheet))) {
    return tl::unexpected(damaged(path_ / rules_name, "it is not valid GDL"));
  }
  return std::make_shared<const gdl::Rulesheet>(std::move(parsed.rulesheet));
}

base::Result<Description> SolutionFolder::description() const {
  const fs::path path = path_ / description_name;
  const auto json = read_json(path);
  if (!json) return tl::unexpected(json.error());
  try {
    return description_of(*json);
  } catch (const Json::exception& problem) {
    return tl::unexpected(damaged(path, problem.what()));
  }
}

std::optional<fs::path> SolutionFolder::lost_file(const Manifest& manifest) const {
  for (std::size_t l = 0; l < manifest.layers.size(); ++l) {
    for (const Part part : {Part::states, Part::values, Part::distances}) {
      const bool is_stored = part != Part::distances || manifest.layers[l].distances_checksum;
      if (is_stored && !has(part, l)) return file(part, l);
    }
  }
  return std::nullopt;
}

base::Result<Manifest> SolutionFolder::manifest() const {
  const fs::path path = path_ / manifest_name;
  if (!finished() && dd::is_there(path_ / description_name)) {
    return base::fail(
        ErrorKind::unreadable_input,
        fmt::format("the solution in '{}' is not finished; the same `solve` completes it",
                    path_.string()));
  }
  auto json = read_json(path);
  if (!json) return tl::unexpected(json.error());
  try {
    const std::uint64_t sum = from_hexadecimal(json->at("checksum"));
    json->erase("checksum");
    if (checksum_of(*json) != sum) {
      return tl::unexpected(damaged(path, "its checksum is wrong"));
    }
    for (const char* name : {rules_name, description_name}) {
      const auto found = dd::file_checksum(path_ / name);
      if (!found) return tl::unexpected(found.error());
      if (*found != from_hexadecimal(json->at(std::string(name) + "_checksum"))) {
        return tl::unexpected(damaged(path_ / name, "its checksum is wrong"));
      }
    }
    Manifest manifest;
    json->at("cyclic").get_to(manifest.cyclic);
    for (const Json& layer : json->at("layers")) manifest.layers.push_back(layer_of(layer));
    if (const auto lost = lost_file(manifest)) {
      return base::fail(ErrorKind::unreadable_input,
                        fmt::format("'{}' is missing; without '{}', `solve` makes it anew",
                                    lost->string(), path.string()));
    }
    return manifest;
  } catch (const std::exception& problem) {
    return tl::unexpected(damaged(path, problem.what()));
  }
}

}  // namespace zermelo::solve
