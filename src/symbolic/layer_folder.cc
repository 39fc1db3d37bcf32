#include "symbolic/layer_folder.h"

#include <fmt/format.h>

#include <cassert>
#include <sstream>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "dd/file.h"

namespace zermelo::symbolic {

namespace {

namespace fs = std::filesystem;

constexpr const char* list_name = "layers.txt";  // of counted layers
constexpr const char* list_title = "zermelo layers ";
constexpr int list_version = 4;
constexpr const char* variables_name = "variables.txt";
constexpr const char* variables_heading = "zermelo variables 1";
constexpr const char* none_of_them = "-";

// A file without which the folder cannot be resumed.
base::Error unusable(const fs::path& path, const std::string& why) {
  return {base::ErrorKind::unreadable_input,
          fmt::format("'{}' {}; remove the folder '{}' to start from scratch", path.string(), why,
                      path.parent_path().string())};
}

base::Error of_others(const fs::path& folder) {
  return {base::ErrorKind::not_applicable,
          "'" + folder.string() + "' holds layers of other rules or another search"};
}

base::Error of_something_else(const fs::path& folder) {
  return {base::ErrorKind::not_applicable,
          "'" + folder.string() + "' is neither empty nor a folder of layers"};
}

// The error for layers that were stored with an option that does not permit solving.
base::Error unsuited(const fs::path& folder, const char* what) {
  return {
      base::ErrorKind::not_applicable,
      fmt::format("'{}' holds layers that `count` stored {}; solving cannot continue from them; "
                  "use another folder",
                  folder.string(), what)};
}

fs::path variables_file(const fs::path& folder) { return folder / variables_name; }

// Whether the folder holds files, but no search.
bool is_of_something_else(const fs::path& folder) {
  if (dd::is_there(variables_file(folder)) || holds_counted_layers(folder)) return false;
  return dd::holds_others(
      folder, [](std::string_view) { return false; }, is_counted_file);
}

std::string checksum_line(std::string_view text) {
  return fmt::format("{:016x}\n", dd::checksum(text.data(), text.size()));
}

// Whether the last line is the checksum of the text before it.
bool has_its_checksum(std::string_view text) {
  constexpr std::size_t length = 16 + 1;
  if (text.size() < length) return false;
  const std::string_view before = text.substr(0, text.size() - length);
  return text.substr(before.size()) == checksum_line(before);
}

std::string list_heading() { return fmt::format("{}{}\n", list_title, list_version); }

std::string text_of(const LayerList& list) {
  std::string text =
      fmt::format("{}{} {:016x} {:d} {:d} {:d} {:d} {:d} {}\n", list_heading(), list.signature,
                  list.variables_checksum, list.only_new, list.continue_past_terminal,
                  list.is_graded, list.has_left_out, list.is_complete, list.layers.size());
  for (std::size_t k = 0; k < list.layers.size(); ++k) {
    const auto& [layer, checksum, meaning] = list.layers[k];
    text += fmt::format("{} {} {} {} {} {} {} {:016x} {:016x}\n", k, layer.states.get_str(),
                        layer.terminal_states.get_str(), layer.nodes, layer.set_nodes.value_or(0),
                        layer.bytes, layer.seconds, checksum, meaning);
  }
  return text + checksum_line(text);
}

bool read_layer(std::istream& in, LayerList& list) {
  ListedLayer listed;
  LayerStatistics& layer = listed.statistics;
  std::size_t set_nodes = 0;
  in >> layer.layer >> layer.states >> layer.terminal_states >> layer.nodes >> set_nodes >>
      layer.bytes >> layer.seconds >> std::hex >> listed.checksum >> listed.meaning >> std::dec;
  if (!in || layer.layer != list.layers.size()) return false;
  if (set_nodes > 0) layer.set_nodes = set_nodes;
  list.layers.push_back(std::move(listed));
  return true;
}

std::optional<LayerList> list_of(const std::string& text) {
  std::istringstream in(text.substr(list_heading().size()));
  LayerList list;
  std::size_t layers = 0;
  in >> list.signature >> std::hex >> list.variables_checksum >> std::dec >> list.only_new >>
      list.continue_past_terminal >> list.is_graded >> list.has_left_out >> list.is_complete >>
      layers;
  for (std::size_t k = 0; in && k < layers; ++k) {
    if (!read_layer(in, list)) return std::nullopt;
  }
  return in ? std::optional(std::move(list)) : std::nullopt;
}

base::Result<LayerList> read_list(const fs::path& path) {
  const auto text = dd::read_text(path);
  if (!text) return tl::unexpected(text.error());
  if (text->starts_with(list_title) && !text->starts_with(list_heading())) {
    const auto other =
        fmt::format("has another version; this program reads version {}", list_version);
    return tl::unexpected(unusable(path, other));
  }
  if (!text->starts_with(list_heading()) || !has_its_checksum(*text)) {
    return tl::unexpected(unusable(path, "is damaged"));
  }
  auto list = list_of(*text);
  if (!list) return tl::unexpected(unusable(path, "is damaged"));
  return std::move(*list);
}

base::Result<void> check_variables(const fs::path& folder, const LayerList& list) {
  const fs::path path = variables_file(folder);
  if (dd::file_checksum(path).value_or(0) == list.variables_checksum) return {};
  if (!dd::is_there(path)) return tl::unexpected(unusable(path, "is missing"));
  return tl::unexpected(unusable(path, "is damaged: the layers have another checksum for it"));
}

// One line per variable, from the top level.
std::string lines_of(const std::vector<Variable>& variables, const ground::Game& game) {
  std::string text;
  for (const Variable& variable : variables) {
    std::vector<std::string> values;
    for (const ground::Atom fluent : variable.fluents) values.push_back(game.fluent_name(fluent));
    if (variable.may_be_none) values.emplace_back(none_of_them);
    text += fmt::format("{}\n", fmt::join(values, "\t"));
  }
  return text;
}

// A line has the values of a variable, separated by tabs.
std::optional<Variable> variable_of(const std::string& line,
                                    std::unordered_map<std::string, ground::Atom>& fluents) {
  Variable variable;
  std::istringstream values(line);
  for (std::string name; std::getline(values, name, '\t');) {
    if (name == none_of_them) {
      variable.may_be_none = true;
      continue;
    }
    const auto fluent = fluents.extract(name);
    if (fluent.empty()) return std::nullopt;
    variable.fluents.push_back(fluent.mapped());
  }
  return variable;
}

base::Result<VariableList> read_variables(const fs::path& folder, const ground::Game& game) {
  const auto text = dd::read_text(variables_file(folder));
  if (!text) return tl::unexpected(text.error());
  std::istringstream in(*text);
  auto fluents = game.fluents_by_name();  // those without a variable so far
  VariableList list;
  std::string line;
  if (!std::getline(in, line) || line != variables_heading || !std::getline(in, list.origin)) {
    return tl::unexpected(unusable(variables_file(folder), "is damaged"));
  }
  while (std::getline(in, line)) {
    auto variable = variable_of(line, fluents);
    if (!variable || variable->fluents.empty()) return tl::unexpected(of_others(folder));
    list.variables.push_back(std::move(*variable));
  }
  const Clock clock = find_clock(game);
  for (const ground::Atom fluent : clock.fluents) fluents.erase(game.fluent_name(fluent));
  if (!fluents.empty()) return tl::unexpected(of_others(folder));
  return list;
}

// FNV-1a, over the bytes of numbers.
class Signature {
 public:
  void add(std::uint64_t number) {
    for (int i = 0; i < 8; ++i, number >>= 8) {
      hash_ = (hash_ ^ (number & 255)) * 0x100000001b3u;
    }
  }
  template <class List>
  void add_all(const List& list) {
    add(list.size());
    for (const auto& number : list) add(number);
  }
  std::string text() const { return fmt::format("{:016x}", hash_); }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

// The signature of the rules and of the variables in their order.
std::string signature_of(const Model& model) {
  const ground::Game& game = model.machine().game();
  Signature signature;
  for (const Variable& variable : model.encoding().variables()) {
    signature.add_all(variable.fluents);
    signature.add(variable.may_be_none);
  }
  signature.add_all(model.encoding().clock().fluents);
  signature.add_all(game.initial);
  signature.add_all(game.next);
  signature.add_all(game.legal);
  signature.add(game.terminal);
  signature.add_all(game.first_rule_of);
  signature.add_all(game.first_literal_of);
  for (const ground::Literal literal : game.literals) {
    signature.add(literal.atom() * 2 + literal.negated());
  }
  return signature.text();
}

}  // namespace

bool holds_counted_layers(const fs::path& folder) { return dd::is_there(folder / list_name); }

bool is_counted_file(std::string_view name) {
  return name == list_name || name == variables_name ||
         (name.starts_with("layer-") && name.ends_with(".zdd"));
}

void remove_counted_files(const fs::path& folder) {
  std::error_code failed;
  fs::remove(folder / list_name, failed);
  dd::remove_files(folder, is_counted_file);
}

base::Result<std::optional<VariableList>> load_variables(
    const fs::path& folder, const ground::Game& game, std::shared_ptr<const dd::FolderLock> lock) {
  if (!lock) {
    auto taken = dd::FolderLock::take(folder);
    if (!taken) return tl::unexpected(taken.error());
    lock = std::move(*taken);
    if (is_of_something_else(folder)) return tl::unexpected(of_something_else(folder));
  }
  if (!holds_counted_layers(folder)) return std::optional<VariableList>();
  const auto list = read_list(folder / list_name);
  if (!list) return tl::unexpected(list.error());
  if (auto same = check_variables(folder, *list); !same) return tl::unexpected(same.error());
  auto variables = read_variables(folder, game);
  if (!variables) return tl::unexpected(variables.error());
  return std::optional(std::move(*variables));
}

base::Result<void> save_variables(const fs::path& folder, const ground::Game& game,
                                  const VariableList& list) {
  if (auto made = dd::make_folder(folder); !made) return made;
  const auto lock = dd::FolderLock::take(folder);
  if (!lock) return tl::unexpected(lock.error());
  if (holds_counted_layers(folder)) return tl::unexpected(dd::written_by_another(folder));
  return dd::write_text(
      variables_file(folder),
      fmt::format("{}\n{}\n{}", variables_heading, list.origin, lines_of(list.variables, game)));
}

base::Result<LayerFolder> LayerFolder::open(fs::path path, const Model& model,
                                            const LayersOptions& options,
                                            const LayerLabels& labels) {
  LayerFiles files = options.files;
  if (!files.lock) {
    if (auto made = dd::make_folder(path); !made) return tl::unexpected(made.error());
    auto lock = dd::FolderLock::take(path);
    if (!lock) return tl::unexpected(lock.error());
    if (is_of_something_else(path)) return tl::unexpected(of_something_else(path));
    files.lock = std::move(*lock);
  }
  LayerFolder folder(std::move(path), std::move(files), model.encoding().domains(), labels);
  folder.list_.signature = signature_of(model);
  folder.list_.only_new = options.only_new;
  folder.list_.continue_past_terminal = options.continue_past_terminal;
  auto listed = dd::is_there(folder.list_file()) ? folder.read_list(model, options)
                                                 : folder.begin_list(model);
  if (!listed) return tl::unexpected(listed.error());
  dd::remove_parts(folder.path_, is_counted_file);
  return folder;
}

base::Result<std::optional<LayerFolder>> LayerFolder::open_counted(
    fs::path path, std::shared_ptr<const dd::FolderLock> lock, const Model& model,
    const base::Limits& limits) {
  static const TerminalLabels labels;
  if (!holds_counted_layers(path)) return std::optional<LayerFolder>();
  auto list = symbolic::read_list(path / list_name);
  if (!list) return tl::unexpected(list.error());
  if (list->signature != signature_of(model)) return tl::unexpected(of_others(path));
  if (list->continue_past_terminal) {
    return tl::unexpected(unsuited(path, "with --continue-past-terminal"));
  }
  if (list->has_left_out) {
    return tl::unexpected(
        unsuited(path, "without the states of earlier layers (see --no-duplicate-detection)"));
  }
  LayerFiles files;
  files.lock = std::move(lock);
  LayerFolder folder(std::move(path), std::move(files), model.encoding().domains(), labels);
  folder.list_ = std::move(*list);
  if (auto done = folder.forget_damaged_layers(limits); !done) return tl::unexpected(done.error());
  return std::optional(std::move(folder));
}

std::vector<LayerStatistics> LayerFolder::layers() const {
  std::vector<LayerStatistics> layers;
  for (const ListedLayer& listed : list_.layers) layers.push_back(listed.statistics);
  return layers;
}

std::vector<std::uint64_t> LayerFolder::checksums() const {
  std::vector<std::uint64_t> checksums;
  for (const ListedLayer& listed : list_.layers) checksums.push_back(listed.checksum);
  return checksums;
}

// A concurrent run may have replaced our variables by its own.
base::Result<void> LayerFolder::begin_list(const Model& model) {
  if (!files_.has_variables) return {};
  const auto text = dd::read_text(variables_file(path_));
  if (!text) return {};
  const std::string ours = lines_of(model.encoding().variables(), model.machine().game());
  if (!text->ends_with("\n" + ours)) return tl::unexpected(dd::written_by_another(path_));
  list_.variables_checksum = dd::checksum(text->data(), text->size());
  return {};
}

base::Result<void> LayerFolder::read_list(const Model& model, const LayersOptions& options) {
  auto list = symbolic::read_list(list_file());
  if (!list && files_.durability == dd::Durability::cached) return begin_list(model);
  if (!list) return tl::unexpected(list.error());
  if (list->signature != list_.signature || list->only_new != options.only_new ||
      list->continue_past_terminal != options.continue_past_terminal) {
    return tl::unexpected(of_others(path_));
  }
  if (files_.has_variables) {
    if (auto same = check_variables(path_, *list); !same) return same;
  }
  list_ = std::move(*list);
  return forget_damaged_layers(options.diagrams.limits);
}

fs::path LayerFolder::file(std::size_t layer) const {
  return path_ / fmt::format("layer-{:04}.{}", layer, files_.extension);
}

fs::path LayerFolder::list_file() const { return path_ / files_.list; }

// The checksum is that of the file that was written. Its content is checked too, because diagrams
// of other variables or constants break the operations that use them.
base::Result<bool> LayerFolder::is_whole(std::size_t layer) {
  std::error_code absent;
  const auto size = fs::file_size(file(layer), absent);
  if (absent || size == 0) return false;
  const auto checksum = dd::file_checksum(file(layer));
  if (!checksum) return tl::unexpected(checksum.error());
  const ListedLayer& listed = list_.layers[layer];
  if (*checksum != listed.checksum) return false;
  const auto diagram = dd::DiagramFile::open(file(layer));
  if (!diagram || diagram->domains() != domains_ ||
      labels_->meaning(diagram->constants()) != listed.meaning) {
    return false;
  }
  constants_ = diagram->constants();
  return true;
}

// Stops at a limit. The search then ends before it uses unchecked layers, and the numbers are those
// of the list.
base::Result<void> LayerFolder::forget_damaged_layers(const base::Limits& limits) {
  for (std::size_t layer = 0; layer < list_.layers.size() && !limits.exceeded(); ++layer) {
    const auto whole = is_whole(layer);
    if (!whole) return tl::unexpected(whole.error());
    if (*whole) continue;
    list_.layers.resize(layer);
    list_.is_complete = false;
  }
  return {};
}

base::Result<void> LayerFolder::write_list() const {
  return dd::write_text(list_file(), text_of(list_), files_.durability);
}

base::Result<dd::Diagram> LayerFolder::load(std::size_t layer, const dd::Options& options) const {
  return dd::load(file(layer), domains_, options);
}

base::Result<void> LayerFolder::add(const dd::Diagram& diagram, const LayerStatistics& statistics) {
  const fs::path path = file(list_.layers.size());
  if (auto saved = dd::save_layer(diagram, path); !saved) return saved;
  if (files_.durability == dd::Durability::synced) {
    if (auto synced = dd::sync(path); !synced) return synced;
  }
  const auto checksum = dd::file_checksum(path);
  if (!checksum) return tl::unexpected(checksum.error());
  const auto meaning = labels_->meaning(diagram.constants());
  assert(meaning);
  list_.layers.push_back({statistics, *checksum, *meaning});
  constants_ = diagram.constants();
  return write_list();
}

base::Result<void> LayerFolder::complete() {
  list_.is_complete = true;
  return write_list();
}

}  // namespace zermelo::symbolic
