#include "solve/solution_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
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

base::Error unwritable(const fs::path& path) {
  return {ErrorKind::unwritable_output,
          fmt::format("cannot write '{}': {}", path.string(), std::strerror(errno))};
}

base::Error damaged(const fs::path& path, const std::string& what) {
  return {ErrorKind::unreadable_input, fmt::format("'{}' is damaged: {}", path.string(), what)};
}

// Brings a file or folder to the disk. Layers wait for this until all are written: what a power
// failure tears before is found by its checksum.
bool sync(const fs::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool done = ::fsync(file) == 0;
  ::close(file);
  return done;
}

// Puts a whole file in the place of its name.
base::Result<void> put_in_place(const fs::path& whole, const fs::path& path) {
  if (::rename(whole.c_str(), path.c_str()) == 0) return {};
  const base::Error error = unwritable(path);
  ::unlink(whole.c_str());
  return tl::unexpected(error);
}

fs::path beside(const fs::path& path) {
  fs::path part = path;
  return part += ".part";
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

enum class Durability { synced, cached };

base::Result<void> write_text(const fs::path& path, const std::string& text,
                              Durability durability = Durability::synced) {
  const fs::path part = beside(path);
  const int file = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return tl::unexpected(unwritable(path));
  const bool written =
      write_all(file, text) && (durability == Durability::cached || ::fsync(file) == 0);
  const base::Error error = unwritable(path);
  ::close(file);
  if (written) return put_in_place(part, path);
  ::unlink(part.c_str());
  return tl::unexpected(error);
}

base::Result<std::string> read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (in) return text;
  return base::fail(ErrorKind::unreadable_input, fmt::format("cannot read '{}'", path.string()));
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

// What cannot be asked for is not there; reading it tells why.
bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// A JSON file of this format. Other versions and what is no JSON are errors.
base::Result<Json> read_json(const fs::path& path) {
  const auto text = read_text(path);
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

// What an interrupted run left half written: a file of ours with one more ending.
bool is_part(const std::string& name) {
  const auto ending = name.find(".part");
  if (ending == std::string::npos) return false;
  const std::string whole = name.substr(0, ending);
  return whole.starts_with("layer-") || whole == rules_name || whole == description_name ||
         whole == manifest_name || whole == progress_name;
}

void remove_parts(const fs::path& folder) {
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
    if (is_part(entry.path().filename().string())) fs::remove(entry.path(), failed);
  }
}

}  // namespace

// Held by one writer at a time. The system gives it back when a process ends, however it ends.
class SolutionFolder::Lock {
 public:
  explicit Lock(const fs::path& folder)
      : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)),
        is_taken_(::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {}
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  bool is_taken() const { return is_taken_; }  // by somebody else

 private:
  int descriptor_;
  bool is_taken_;
};

fs::path SolutionFolder::file(Part part, std::size_t layer) const {
  constexpr const char* names[] = {"states", "values", "distances"};
  return path_ / fmt::format("layer-{:04}.{}", layer, names[static_cast<int>(part)]);
}

base::Result<void> SolutionFolder::write_once(const char* name, const std::string& text) const {
  const auto present = read_text(path_ / name);
  if (!present) return write_text(path_ / name, text);
  if (*present == text) return {};
  return base::fail(ErrorKind::not_applicable,
                    fmt::format("'{}' holds the solution of another game, or of this one with "
                                "other options: {} differs",
                                path_.string(), name));
}

base::Result<void> SolutionFolder::begin(const gdl::Rulesheet& rules,
                                         const Description& description) const {
  std::error_code failed;
  if (!fs::create_directories(path_, failed) && failed) {
    return base::fail(ErrorKind::unwritable_output,
                      fmt::format("cannot write '{}': {}", path_.string(), failed.message()));
  }
  if (!lock_) lock_ = std::make_shared<const Lock>(path_);
  if (lock_->is_taken()) {
    lock_.reset();
    return base::fail(ErrorKind::not_applicable,
                      fmt::format("another run writes to '{}'", path_.string()));
  }
  if (!is_there(path_ / rules_name) && !fs::is_empty(path_, failed)) {
    return base::fail(ErrorKind::not_applicable,
                      fmt::format("'{}' is neither empty nor a solution", path_.string()));
  }
  remove_parts(path_);
  auto written = write_once(rules_name, gdl::print(rules, gdl::Syntax::prefix));
  if (!written) return written;
  return write_once(description_name, text_of(description));
}

base::Result<void> SolutionFolder::describe(const Description& description) const {
  return write_text(path_ / description_name, text_of(description));
}

base::Result<void> SolutionFolder::note(const Progress& progress) const {
  Json json = {{"format", format_name}, {"version", format_version}};
  json["all_found"] = progress.all_found;
  json["layers"] = Json::array();
  for (const StoredLayer& layer : progress.layers) json["layers"].push_back(json_of(layer));
  return write_text(path_ / progress_name, text_of(json), Durability::cached);
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

bool SolutionFolder::finished() const { return is_there(path_ / manifest_name); }

base::Result<std::uint64_t> SolutionFolder::secure(Part part, std::size_t layer) const {
  if (!sync(file(part, layer))) return tl::unexpected(unwritable(file(part, layer)));
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
  auto written = write_text(path_ / manifest_name, text_of(json));
  if (!written) return written;
  ::unlink((path_ / progress_name).c_str());
  if (!sync(path_)) return tl::unexpected(unwritable(path_));
  return {};
}

base::Result<void> SolutionFolder::save(Part part, std::size_t layer,
                                        const dd::Diagram& diagram) const {
  const fs::path path = file(part, layer), whole = beside(path);
  if (auto saved = dd::save(diagram, whole); !saved) {
    return base::fail(ErrorKind::unwritable_output,
                      fmt::format("cannot write '{}'; what is in the folder is kept, and the same "
                                  "command goes on from there",
                                  path.string()));
  }
  return put_in_place(whole, path);
}

bool SolutionFolder::has(Part part, std::size_t layer) const { return is_there(file(part, layer)); }

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
  if (!finished() && is_there(path_ / description_name)) {
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
