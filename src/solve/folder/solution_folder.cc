#include "solve/folder/solution_folder.h"

#include <fmt/format.h>
#include <gmpxx.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "base/error_name.h"
#include "base/source.h"
#include "dd/file.h"
#include "gdl/printer.h"
#include "gdl/read_rules.h"
#include "solve/folder/equilibrium_file.h"
#include "symbolic/layer_folder.h"

namespace zermelo::solve {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using base::ErrorKind;

constexpr const char* format_name = "zermelo solution";
constexpr int format_version = 3;
constexpr int equilibria_version = 4;  // with a solution concept
constexpr const char* rules_name = "rules.kif";
constexpr const char* description_name = "description.json";
constexpr const char* manifest_name = "manifest.json";
constexpr const char* states_list_name = "states.txt";
constexpr const char* progress_name = "progress.json";

base::Error damaged(const fs::path& path, const std::string& what) {
  return {ErrorKind::unreadable_input, fmt::format("'{}' is damaged: {}", path.string(), what)};
}

std::string hexadecimal(std::uint64_t number) { return fmt::format("{:016x}", number); }

std::uint64_t from_hexadecimal(const Json& json) {
  const std::string text = json.get<std::string>();
  const std::uint64_t number = std::stoull(text, nullptr, 16);
  if (hexadecimal(number) != text) throw std::invalid_argument("a checksum has no 16 digits");
  return number;
}

std::string text_of(const Json& json) { return json.dump(1) + "\n"; }

std::uint64_t checksum_of(const std::string& text) {
  return dd::checksum(text.data(), text.size());
}

void add_checksum(Json& json) { json["checksum"] = hexadecimal(checksum_of(text_of(json))); }

// Removes the checksum. Returns whether it was correct.
bool take_checksum(Json& json) {
  const Json found = json.value("checksum", Json());
  json.erase("checksum");
  return found == hexadecimal(checksum_of(text_of(json)));
}

int version_of(const Description& description) {
  return description.solution_concept ? equilibria_version : format_version;
}

std::string text_of(const Description& description) {
  Json outcomes = Json::array();
  for (const Rewards& rewards : description.outcomes) {
    outcomes.push_back(rewards.empty() ? Json(nullptr) : Json(rewards));
  }
  Json json = {{"format", format_name},
               {"version", version_of(description)},
               {"roles", description.roles},
               {"model", name_of(description.model)},
               {"engine", name_of(description.engine)},
               {"algorithm", name_of(description.algorithm)},
               {"layers", description.layers == LayerKind::plies ? "plies" : "distances"},
               {"distances", description.distances},
               {"outcomes", outcomes},
               {"variables", description.variables}};
  if (description.solution_concept) json["concept"] = name_of(*description.solution_concept);
  return text_of(json);
}

Description description_of(const Json& json) {
  Description description;
  json.at("roles").get_to(description.roles);
  description.model = json.at("model") == "own" ? OpponentModel::own : OpponentModel::difference;
  const auto engine = engine_named(json.at("engine").get<std::string>());
  description.engine = engine.value_or(Engine::automatic);
  const auto algorithm = algorithm_named(json.at("algorithm").get<std::string>());
  description.algorithm = algorithm.value_or(Algorithm::automatic);
  description.layers = json.at("layers") == "plies" ? LayerKind::plies : LayerKind::distances;
  json.at("distances").get_to(description.distances);
  for (const Json& rewards : json.at("outcomes")) {
    description.outcomes.push_back(rewards.is_null() ? Rewards() : rewards.get<Rewards>());
  }
  json.at("variables").get_to(description.variables);
  if (json.contains("concept")) {
    description.solution_concept = solution_concept_named(json.at("concept").get<std::string>());
  }
  return description;
}

// Checks what readers rely on.
bool has_form(const Description& description) {
  return !description.roles.empty() && description.engine != Engine::automatic &&
         description.algorithm != Algorithm::automatic &&
         std::all_of(description.outcomes.begin(), description.outcomes.end(),
                     [&](const Rewards& rewards) {
                       return rewards.empty() || rewards.size() == description.roles.size();
                     }) &&
         std::none_of(description.variables.begin(), description.variables.end(),
                      [](const auto& values) { return values.empty(); });
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
  if (layer.equilibria_checksum) {
    json["equilibria_checksum"] = hexadecimal(*layer.equilibria_checksum);
  }
  for (const std::uint64_t sum : layer.directory_checksums) {
    json["directory_checksums"].push_back(hexadecimal(sum));
  }
  if (layer.new_states) {
    json["new_states"] = layer.new_states->states;
    json["new_terminal"] = layer.new_states->terminal;
    json["new_by_value"] = layer.new_states->by_value;
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
  if (json.contains("equilibria_checksum")) {
    layer.equilibria_checksum = from_hexadecimal(json.at("equilibria_checksum"));
  }
  const Json& directories = json.at("directory_checksums");
  for (std::size_t part = 0; part < layer.directory_checksums.size(); ++part) {
    layer.directory_checksums[part] = from_hexadecimal(directories.at(part));
  }
  if (json.contains("new_states")) {
    layer.new_states.emplace();
    json.at("new_states").get_to(layer.new_states->states);
    json.at("new_terminal").get_to(layer.new_states->terminal);
    json.at("new_by_value").get_to(layer.new_states->by_value);
  }
  return layer;
}

std::vector<StoredLayer> layers_of(const Json& json) {
  std::vector<StoredLayer> layers;
  for (const Json& layer : json) layers.push_back(layer_of(layer));
  return layers;
}

Json json_of(const std::vector<StoredLayer>& layers) {
  Json json = Json::array();
  for (const StoredLayer& layer : layers) json.push_back(json_of(layer));
  return json;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

// Whether counts are numbers, one for each outcome. `Counts` is StoredLayer or NewStates.
template <class Counts>
bool are_counts(const Counts& counts, std::size_t outcomes) {
  return is_number(counts.states) && is_number(counts.terminal) &&
         counts.by_value.size() == outcomes &&
         std::all_of(counts.by_value.begin(), counts.by_value.end(), is_number);
}

bool has_form(const StoredLayer& layer, std::size_t outcomes) {
  return are_counts(layer, outcomes) &&
         (!layer.new_states || are_counts(*layer.new_states, outcomes));
}

bool has_form(const Manifest& manifest, const Description& description) {
  const bool has_equilibria = description.solution_concept.has_value();
  const std::size_t outcomes = has_equilibria ? 0 : description.outcomes.size();
  return !manifest.layers.empty() &&
         std::all_of(manifest.layers.begin(), manifest.layers.end(), [&](const StoredLayer& layer) {
           return has_form(layer, outcomes) &&
                  layer.distances_checksum.has_value() == description.distances &&
                  layer.equilibria_checksum.has_value() == has_equilibria;
         });
}

bool has_form(const Progress& progress, std::size_t outcomes) {
  return !progress.layers.empty() &&
         std::all_of(progress.layers.begin(), progress.layers.end(),
                     [&](const StoredLayer& layer) { return has_form(layer, outcomes); });
}

// Reads a JSON file of this format. Fails for other versions and if it is not JSON.
base::Result<Json> read_json(const fs::path& path) {
  const auto text = dd::read_text(path);
  if (!text) return tl::unexpected(text.error());
  const Json json = Json::parse(*text, nullptr, false);
  if (!json.is_object() || json.value("format", Json()) != format_name) {
    return tl::unexpected(damaged(path, "it does not describe a solution"));
  }
  const Json version = json.value("version", Json());
  if (version != format_version && version != equilibria_version) {
    return base::fail(ErrorKind::unreadable_input,
                      fmt::format("'{}' has another version of the format; this program reads "
                                  "versions {} and {}",
                                  path.string(), format_version, equilibria_version));
  }
  if (text_of(json) != *text) return tl::unexpected(damaged(path, "unexpected layout"));
  return json;
}

constexpr const char* part_names[] = {"states", "values", "distances", "equilibria"};

// Whether SolutionFolder::file returns such a name.
bool is_layer(std::string_view name) {
  constexpr std::string_view before = "layer-";
  const std::size_t dot = name.find('.');
  if (!name.starts_with(before) || dot == std::string_view::npos) return false;
  return is_number(std::string(name.substr(before.size(), dot - before.size()))) &&
         std::find(std::begin(part_names), std::end(part_names), name.substr(dot + 1)) !=
             std::end(part_names);
}

bool is_ours(std::string_view name) {
  return is_layer(name) || name == rules_name || name == description_name ||
         name == manifest_name || name == states_list_name || name == progress_name;
}

// Whether the folder holds something that is neither a solution nor counted layers.
bool is_of_something_else(const fs::path& folder) {
  return !dd::is_there(folder / rules_name) &&
         dd::holds_others(folder, symbolic::is_counted_file, is_ours);
}

base::Error of_others(const fs::path& folder, const char* name) {
  return {ErrorKind::not_applicable,
          fmt::format("'{}' holds the solution of another game, or of this one with "
                      "other options: {} differs",
                      folder.string(), name)};
}

// Whether the manifest was written for these files.
base::Result<void> check_texts(const fs::path& folder, const Json& manifest) {
  for (const char* name : {rules_name, description_name}) {
    const auto found = dd::file_checksum(folder / name);
    if (!found) return tl::unexpected(found.error());
    if (*found != from_hexadecimal(manifest.at(std::string(name) + "_checksum"))) {
      return tl::unexpected(damaged(folder / name, "its checksum is wrong"));
    }
  }
  return {};
}

}  // namespace

base::Result<StoredLayer> count_states(const Description& description, const dd::Diagram& states,
                                       const dd::Options& options) {
  const auto counts = states.counts(options);
  if (!counts) return tl::unexpected(counts.error());
  mpz_class all = 0, terminal = 0;
  for (dd::NodeId c = 1; c < counts->size(); ++c) {
    all += (*counts)[c];
    if (description.is_terminal(c)) terminal += (*counts)[c];
  }
  StoredLayer layer;
  layer.states = all.get_str();
  layer.terminal = terminal.get_str();
  return layer;
}

std::uint64_t meaning_of_states(Description description, std::size_t outcomes) {
  description.outcomes.resize(outcomes);
  description.distances = false;
  return checksum_of(text_of(description));
}

fs::path SolutionFolder::file(Part part, std::size_t layer) const {
  return path_ / fmt::format("layer-{:04}.{}", layer, part_names[static_cast<int>(part)]);
}

base::Result<void> SolutionFolder::take_lock() const {
  if (lock_) return {};
  auto taken = dd::FolderLock::take(path_);
  if (!taken) return tl::unexpected(taken.error());
  lock_ = std::move(*taken);
  return {};
}

base::Result<void> SolutionFolder::check_rules(const gdl::Rulesheet& rules) const {
  if (!dd::is_there(path_ / rules_name)) return {};
  const auto present = dd::read_text(path_ / rules_name);
  if (!present) return tl::unexpected(present.error());
  if (*present == gdl::print(rules, gdl::Syntax::prefix)) return {};
  return tl::unexpected(of_others(path_, rules_name));
}

base::Result<std::optional<Description>> SolutionFolder::claim(const gdl::Rulesheet& rules) const {
  if (auto made = dd::make_folder(path_); !made) return tl::unexpected(made.error());
  if (auto locked = take_lock(); !locked) return tl::unexpected(locked.error());
  if (is_of_something_else(path_)) {
    return base::fail(ErrorKind::not_applicable,
                      fmt::format("'{}' is neither empty nor a solution", path_.string()));
  }
  dd::remove_parts(path_, is_ours);
  if (auto same = check_rules(rules); !same) return tl::unexpected(same.error());
  if (finished()) remove_notes();
  if (!finished() && !dd::is_there(path_ / description_name)) return std::optional<Description>();
  auto begun = description();
  if (!begun) return tl::unexpected(begun.error());
  return std::optional(std::move(*begun));
}

// Layers without a description remain from a run that was killed while it cleared the folder.
base::Result<void> SolutionFolder::begin(const gdl::Rulesheet& rules,
                                         const Description& description) const {
  const auto begun = claim(rules);
  if (!begun) return tl::unexpected(begun.error());
  if (*begun && **begun == description) return {};
  if (*begun) return tl::unexpected(of_others(path_, description_name));
  if (holds_counted_layers() && description.algorithm != Algorithm::layered) {
    return base::fail(ErrorKind::not_applicable,
                      fmt::format("'{}' holds layers that `count` stored; only the symbolic "
                                  "algorithm layered continues from them",
                                  path_.string()));
  }
  clear();
  auto written = dd::write_text(path_ / rules_name, gdl::print(rules, gdl::Syntax::prefix));
  return written ? describe(description) : written;
}

// Removes the rules last: without them, the folder would be taken for something else.
void SolutionFolder::clear() const {
  assert(lock_);
  dd::remove_files(path_,
                   [](std::string_view name) { return is_ours(name) && name != rules_name; });
  ::unlink((path_ / rules_name).c_str());
}

bool SolutionFolder::holds_counted_layers() const { return symbolic::holds_counted_layers(path_); }

symbolic::LayerFiles SolutionFolder::layer_files() const {
  assert(lock_);
  symbolic::LayerFiles files;
  files.list = states_list_name;
  files.extension = part_names[static_cast<int>(Part::states)];
  files.has_variables = false;
  files.lock = lock_;
  files.durability = dd::Durability::cached;
  return files;
}

// Removes the files that are needed only until the solution is finished.
void SolutionFolder::remove_notes() const {
  for (const char* name : {states_list_name, progress_name}) ::unlink((path_ / name).c_str());
  symbolic::remove_counted_files(path_);
}

base::Result<void> SolutionFolder::describe(const Description& description) const {
  return dd::write_text(path_ / description_name, text_of(description));
}

base::Result<void> SolutionFolder::note(const Description& description,
                                        const Progress& progress) const {
  const std::uint64_t meaning = meaning_of_states(description, description.outcomes.size());
  Json json = {{"format", format_name},
               {"version", format_version},
               {"description_checksum", hexadecimal(meaning)},
               {"first", progress.first},
               {"layers", json_of(progress.layers)}};
  add_checksum(json);
  return dd::write_text(path_ / progress_name, text_of(json), dd::Durability::cached);
}

std::optional<Progress> SolutionFolder::progress(const Description& description) const {
  auto json = read_json(path_ / progress_name);
  if (!json || !take_checksum(*json)) return std::nullopt;
  try {
    Progress progress;
    json->at("first").get_to(progress.first);
    progress.layers = layers_of(json->at("layers"));
    const std::size_t outcomes = description.outcomes.size();
    const std::uint64_t meaning = from_hexadecimal(json->at("description_checksum"));
    const bool fits = meaning == meaning_of_states(description, outcomes);
    return fits && has_form(progress, outcomes) ? std::optional(progress) : std::nullopt;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

bool SolutionFolder::finished() const { return dd::is_there(path_ / manifest_name); }

base::Result<std::uint64_t> SolutionFolder::checksum(Part part, std::size_t layer) const {
  return dd::file_checksum(file(part, layer));
}

base::Result<void> SolutionFolder::secure(Part part, std::size_t layer,
                                          std::uint64_t& checksum) const {
  if (auto synced = dd::sync(file(part, layer)); !synced) return synced;
  if (checksum != 0) return {};
  const auto found = this->checksum(part, layer);
  if (!found) return tl::unexpected(found.error());
  checksum = *found;
  return {};
}

base::Result<void> SolutionFolder::secure(std::size_t layer, const Description& description,
                                          StoredLayer& stored) const {
  const bool distances = description.distances;
  auto done = secure(Part::states, layer, stored.states_checksum);
  if (done) done = secure(Part::values, layer, stored.values_checksum);
  if (done && description.solution_concept) {
    stored.equilibria_checksum = 0;
    done = secure(Part::equilibria, layer, *stored.equilibria_checksum);
  }
  if (!distances) stored.distances_checksum.reset();
  if (!done || !distances) return done;
  if (!stored.distances_checksum) stored.distances_checksum = 0;
  return secure(Part::distances, layer, *stored.distances_checksum);
}

base::Result<void> SolutionFolder::note_directories(std::size_t layer, StoredLayer& stored) const {
  for (const Part part : {Part::states, Part::values, Part::distances}) {
    if (part == Part::distances && !stored.distances_checksum) continue;
    const auto opened = dd::DiagramFile::open(file(part, layer));
    if (!opened) return tl::unexpected(opened.error());
    stored.directory_checksums[static_cast<std::size_t>(part)] = opened->directory_checksum();
  }
  return {};
}

base::Result<dd::DiagramFile> SolutionFolder::open(Part part, std::size_t layer,
                                                   const StoredLayer& stored,
                                                   const dd::Domains& domains) const {
  auto opened = dd::DiagramFile::open(file(part, layer), domains);
  const std::uint64_t expected = stored.directory_checksums[static_cast<std::size_t>(part)];
  if (!opened || opened->directory_checksum() == expected) return opened;
  return tl::unexpected(damaged(file(part, layer), "it is not the file of the manifest"));
}

// Removes layers that remain from a killed run with other options.
void SolutionFolder::remove_layers_beside(const Manifest& manifest) const {
  std::set<std::string> wanted;
  for (std::size_t l = 0; l < manifest.layers.size(); ++l) {
    wanted.insert(file(Part::states, l).filename());
    wanted.insert(file(Part::values, l).filename());
    if (manifest.layers[l].distances_checksum) wanted.insert(file(Part::distances, l).filename());
    if (manifest.layers[l].equilibria_checksum) wanted.insert(file(Part::equilibria, l).filename());
  }
  dd::remove_files(path_, [&](std::string_view name) {
    return is_layer(name) && !wanted.contains(std::string(name));
  });
}

base::Result<void> SolutionFolder::finish(Manifest manifest, const base::Limits& limits) const {
  const auto described = description();
  if (!described) return tl::unexpected(described.error());
  Json json = {{"format", format_name}, {"version", version_of(*described)}};
  for (const char* name : {rules_name, description_name}) {
    const auto sum = dd::file_checksum(path_ / name);
    if (!sum) return tl::unexpected(sum.error());
    json[std::string(name) + "_checksum"] = hexadecimal(*sum);
  }
  for (std::size_t l = 0; l < manifest.layers.size(); ++l) {
    if (const auto limit = limits.exceeded()) {
      return tl::unexpected(base::limit_error(*limit, fmt::format("while writing layer {}", l)));
    }
    auto secured = secure(l, *described, manifest.layers[l]);
    if (secured) secured = note_directories(l, manifest.layers[l]);
    if (!secured) return secured;
  }
  json["cyclic"] = manifest.cyclic;
  json["layers"] = json_of(manifest.layers);
  add_checksum(json);
  remove_layers_beside(manifest);
  auto written = dd::write_text(path_ / manifest_name, text_of(json));
  if (!written) return written;
  remove_notes();
  return dd::sync(path_);
}

base::Result<void> SolutionFolder::save(Part part, std::size_t layer,
                                        const dd::Diagram& diagram) const {
  return dd::save_layer(diagram, file(part, layer));
}

base::Result<void> SolutionFolder::save_equilibria(
    std::size_t layer, const std::vector<Equilibrium>& equilibria) const {
  const std::size_t roles = equilibria.empty() ? 0 : equilibria.front().low.size();
  return dd::write_text(file(Part::equilibria, layer), bytes_of(equilibria, roles),
                        dd::Durability::cached);
}

base::Result<std::vector<Equilibrium>> SolutionFolder::equilibria(std::size_t layer,
                                                                  const StoredLayer& stored,
                                                                  std::size_t roles) const {
  const fs::path path = file(Part::equilibria, layer);
  const auto bytes = dd::read_text(path);
  if (!bytes) return tl::unexpected(bytes.error());
  if (checksum_of(*bytes) != stored.equilibria_checksum) {
    return tl::unexpected(damaged(path, "its checksum differs from the manifest"));
  }
  auto equilibria = equilibria_of(*bytes, roles);
  if (!equilibria) return tl::unexpected(damaged(path, equilibria.error().message));
  return equilibria;
}

base::Result<std::shared_ptr<const gdl::Rulesheet>> SolutionFolder::rules(
    const base::Limits& limits) const {
  const fs::path path = path_ / rules_name;
  auto text = dd::read_text(path);
  if (!text) return tl::unexpected(text.error());
  if (text->size() > base::max_source_bytes)
    return tl::unexpected(damaged(path, "it is too large"));
  auto rules = gdl::read_rules(
      std::make_shared<const base::Source>(path.string(), std::move(*text)), limits);
  if (!rules && base::is_limit(rules.error().kind)) return rules;
  if (!rules) return tl::unexpected(damaged(path, "it is not valid GDL"));
  return rules;
}

// The text must be exactly what this program would write.
base::Result<Description> SolutionFolder::description() const {
  const fs::path path = path_ / description_name;
  const auto json = read_json(path);
  if (!json) return tl::unexpected(json.error());
  try {
    Description description = description_of(*json);
    if (has_form(description) && text_of(description) == text_of(*json)) return description;
    return tl::unexpected(damaged(path, "unexpected contents"));
  } catch (const Json::exception& problem) {
    return tl::unexpected(damaged(path, problem.what()));
  }
}

std::optional<fs::path> SolutionFolder::lost_file(const Manifest& manifest) const {
  for (std::size_t l = 0; l < manifest.layers.size(); ++l) {
    for (const Part part : {Part::states, Part::values, Part::distances, Part::equilibria}) {
      const bool is_stored =
          part == Part::distances    ? manifest.layers[l].distances_checksum.has_value()
          : part == Part::equilibria ? manifest.layers[l].equilibria_checksum.has_value()
                                     : true;
      if (is_stored && !dd::is_there(file(part, l))) return file(part, l);
    }
  }
  return std::nullopt;
}

base::Result<Manifest> SolutionFolder::manifest() const {
  const fs::path path = path_ / manifest_name;
  if (!finished() && dd::is_there(path_ / description_name)) {
    return base::fail(
        ErrorKind::unreadable_input,
        fmt::format("the solution in '{}' is not finished; run the same `solve` again to resume",
                    path_.string()));
  }
  auto json = read_json(path);
  if (!json) return tl::unexpected(json.error());
  try {
    if (!take_checksum(*json)) return tl::unexpected(damaged(path, "its checksum is wrong"));
    if (auto right = check_texts(path_, *json); !right) return tl::unexpected(right.error());
    const auto described = description();
    if (!described) return tl::unexpected(described.error());
    Manifest manifest;
    json->at("cyclic").get_to(manifest.cyclic);
    manifest.layers = layers_of(json->at("layers"));
    if (!has_form(manifest, *described)) {
      return tl::unexpected(damaged(path, "it contradicts the description"));
    }
    if (const auto lost = lost_file(manifest)) {
      return base::fail(
          ErrorKind::unreadable_input,
          fmt::format("'{}' is missing; remove '{}' and run `solve` again to recompute it",
                      lost->string(), path.string()));
    }
    return manifest;
  } catch (const std::exception& problem) {
    return tl::unexpected(damaged(path, problem.what()));
  }
}

}  // namespace zermelo::solve
