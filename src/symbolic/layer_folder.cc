#include "symbolic/layer_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <unordered_map>
#include <utility>

#include "dd/file.h"

namespace zermelo::symbolic {

namespace {

constexpr const char* heading = "zermelo layers 2";
constexpr const char* variables_heading = "zermelo variables 1";
constexpr const char* none_of_them = "-";

base::Error damaged(const std::filesystem::path& path) {
  return {base::ErrorKind::unreadable_input, "'" + path.string() + "' is damaged"};
}

base::Error unwritable(const std::filesystem::path& path) {
  return {base::ErrorKind::unwritable_output, "cannot write '" + path.string() + "'"};
}

base::Error of_others(const std::filesystem::path& folder) {
  return {base::ErrorKind::not_applicable,
          "'" + folder.string() + "' holds layers of other rules or another search"};
}

// Puts the text in the place of the file, whole or not at all.
base::Result<void> replace(const std::filesystem::path& path, const std::string& text) {
  const std::filesystem::path beside = path.string() + ".new";
  std::ofstream out(beside, std::ios::trunc);
  out << text << std::flush;
  out.close();
  std::error_code error;
  if (out) std::filesystem::rename(beside, path, error);
  if (!out || error) return tl::unexpected(unwritable(path));
  return {};
}

std::filesystem::path variables_file(const std::filesystem::path& folder) {
  return folder / "variables.txt";
}

// What an interrupted run left half written: a file of ours with one more ending.
bool is_part(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  return name == "layers.txt.new" || name == "variables.txt.new" ||
         (name.starts_with("layer-") && name.find(".zdd.part") != std::string::npos);
}

void remove_parts(const std::filesystem::path& folder) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (is_part(entry.path())) std::filesystem::remove(entry.path(), error);
  }
}

std::filesystem::path list_file(const std::filesystem::path& folder) {
  return folder / "layers.txt";
}

// Whether the folder holds something, and no search.
bool is_of_something_else(const std::filesystem::path& folder) {
  std::error_code error;
  if (std::filesystem::exists(variables_file(folder), error) ||
      std::filesystem::exists(list_file(folder), error)) {
    return false;
  }
  const std::filesystem::directory_iterator entries(folder, error);
  return std::any_of(begin(entries), end(entries),
                     [](const auto& entry) { return !is_part(entry.path()); });
}

base::Error of_something_else(const std::filesystem::path& folder) {
  return {base::ErrorKind::not_applicable,
          "'" + folder.string() + "' is neither empty nor a folder of layers"};
}

// A line names the values of a variable, separated by tabs.
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

}  // namespace

base::Result<std::optional<VariableList>> load_variables(const std::filesystem::path& folder,
                                                         const ground::Game& game) {
  std::ifstream in(variables_file(folder));
  if (!in && is_of_something_else(folder)) return tl::unexpected(of_something_else(folder));
  if (!in) return std::optional<VariableList>();
  auto fluents = game.fluents_by_name();  // that have no variable yet
  VariableList list;
  std::string line;
  if (!std::getline(in, line) || line != variables_heading || !std::getline(in, list.origin)) {
    return tl::unexpected(damaged(variables_file(folder)));
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

base::Result<void> save_variables(const std::filesystem::path& folder, const ground::Game& game,
                                  const VariableList& list) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  std::string text = fmt::format("{}\n{}\n", variables_heading, list.origin);
  for (const Variable& variable : list.variables) {
    std::vector<std::string> values;
    for (const ground::Atom fluent : variable.fluents) values.push_back(game.fluent_name(fluent));
    if (variable.may_be_none) values.emplace_back(none_of_them);
    text += fmt::format("{}\n", fmt::join(values, "\t"));
  }
  return replace(variables_file(folder), text);
}

std::string search_signature(const Model& model, const LayersOptions& options) {
  const ground::Game& game = model.machine().game();
  Signature signature;
  signature.add(options.only_new);
  signature.add(options.continue_past_terminal);
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

base::Result<LayerFolder> LayerFolder::open(std::filesystem::path path, std::string signature) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  LayerFolder folder(std::move(path), std::move(signature));
  if (!std::filesystem::is_directory(folder.path_, error)) {
    return tl::unexpected(unwritable(folder.path_));
  }
  if (is_of_something_else(folder.path_)) return tl::unexpected(of_something_else(folder.path_));
  if (std::filesystem::exists(folder.list(), error)) {
    if (auto read = folder.read_list(); !read) return tl::unexpected(read.error());
  }
  remove_parts(folder.path_);
  return folder;
}

std::filesystem::path LayerFolder::list() const { return list_file(path_); }

std::filesystem::path LayerFolder::file(std::size_t layer) const {
  return path_ / fmt::format("layer-{:04}.zdd", layer);
}

base::Result<void> LayerFolder::read_list() {
  std::ifstream in(list());
  std::string title, signature;
  std::size_t layers = 0;
  std::getline(in, title);
  if (title != heading || !(in >> signature >> is_graded_ >> is_complete_ >> layers)) {
    return tl::unexpected(damaged(list()));
  }
  if (signature != signature_) return tl::unexpected(of_others(path_));
  for (std::size_t k = 0; k < layers; ++k) {
    LayerStatistics& layer = layers_.emplace_back();
    std::size_t set_nodes = 0;
    if (!(in >> layer.layer >> layer.states >> layer.terminal_states >> layer.nodes >> set_nodes >>
          layer.bytes >> layer.seconds) ||
        layer.layer != k) {
      return tl::unexpected(damaged(list()));
    }
    if (set_nodes > 0) layer.set_nodes = set_nodes;
  }
  return {};
}

base::Result<void> LayerFolder::write_list() const {
  std::string text = fmt::format("{}\n{} {:d} {:d} {}\n", heading, signature_, is_graded_,
                                 is_complete_, layers_.size());
  for (const LayerStatistics& layer : layers_) {
    text += fmt::format("{} {} {} {} {} {} {}\n", layer.layer, layer.states.get_str(),
                        layer.terminal_states.get_str(), layer.nodes, layer.set_nodes.value_or(0),
                        layer.bytes, layer.seconds);
  }
  return replace(list(), text);
}

base::Result<dd::Diagram> LayerFolder::load(std::size_t layer, const dd::Options& options) const {
  return dd::load(file(layer), options);
}

base::Result<void> LayerFolder::add(const dd::Diagram& diagram, const LayerStatistics& statistics) {
  if (auto saved = dd::save(diagram, file(layers_.size())); !saved) return saved;
  layers_.push_back(statistics);
  return write_list();
}

base::Result<void> LayerFolder::complete() {
  is_complete_ = true;
  return write_list();
}

base::Result<void> LayerFolder::restart(bool is_graded) {
  layers_.clear();
  is_complete_ = false;
  is_graded_ = is_graded;
  return write_list();
}

}  // namespace zermelo::symbolic
