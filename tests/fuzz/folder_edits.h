// Edits of folders on disk, for readers that must survive any content: bytes say which files are
// changed and how. With `repair`, all checksums are made right again afterwards, so that readers
// see what checksums would hide from them.
//
// Three folders are edited: a finished solution, which is queried and verified, a solution that was
// interrupted, and the layers of a count, which are completed.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <sstream>
#include <stop_token>
#include <string>
#include <vector>

#include "app/count.h"
#include "app/query.h"
#include "app/solve.h"
#include "app/verify.h"
#include "dd/file.h"
#include "families/families.h"
#include "gdl/read_rules.h"

namespace zermelo::fuzz {

namespace fs = std::filesystem;

inline std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

inline void write_file(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

inline std::string sum_of(const std::string& text) {
  return fmt::format("{:016x}", dd::checksum(text.data(), text.size()));
}

// Takes numbers from the input; zeros after its end.
class EditReader {
 public:
  explicit EditReader(std::span<const std::uint8_t> data) : data_(data) {}

  bool at_end() const { return data_.empty(); }
  std::uint8_t byte() {
    if (data_.empty()) return 0;
    const std::uint8_t first = data_.front();
    data_ = data_.subspan(1);
    return first;
  }
  std::size_t number() { return byte() | std::size_t{byte()} << 8; }

 private:
  std::span<const std::uint8_t> data_;
};

// Changes a byte or a number, or removes, repeats or replaces a part of a file.
inline void edit(std::string& text, EditReader& input) {
  constexpr std::uint64_t large[] = {~std::uint64_t{0}, std::uint64_t{1} << 32, ~std::uint32_t{0}};
  const std::size_t at = text.empty() ? 0 : input.number() % text.size();
  switch (const std::uint8_t kind = input.byte(); kind % 6) {
    case 0:
      if (!text.empty()) text[at] = static_cast<char>(input.byte());
      break;
    case 1:
      for (std::size_t i = 0; i < 8 && at + i < text.size(); ++i)
        text[at + i] = static_cast<char>(large[kind / 6 % 3] >> (8 * i));
      break;
    case 2:
      text.resize(at);
      break;
    case 3:
      text.insert(at, text.substr(at, input.byte()));
      break;
    case 4:
      text.erase(at, input.byte());
      break;
    case 5:
      text.insert(at, 1, static_cast<char>(input.byte()));
      break;
  }
}

template <class Number>
Number number_at(const std::string& text, std::size_t at) {
  Number number;
  std::memcpy(&number, text.data() + at, sizeof number);
  return number;
}

inline void put_sum(std::string& text, std::size_t at, std::uint64_t sum) {
  std::memcpy(text.data() + at, &sum, sizeof sum);
}

// Repairs the checksums of a diagram file as far as its directory can be followed. Returns that of
// the directory.
inline std::uint64_t repair_diagram(std::string& text) {
  constexpr std::size_t header = 32, level = 16, block = 24;
  if (text.size() < header) return 0;
  const std::uint64_t variables = number_at<std::uint32_t>(text, 16);
  const auto blocks = number_at<std::uint64_t>(text, 24);
  if (variables > text.size() || blocks > text.size()) return 0;
  const std::size_t table = header + variables * level, end = table + blocks * block;
  if (end + 8 > text.size()) return 0;
  for (std::size_t at = table; at < end; at += block) {
    const auto offset = number_at<std::uint64_t>(text, at);
    const auto bytes = number_at<std::uint64_t>(text, at + 8);
    if (offset > text.size() || bytes > text.size() - offset) continue;
    put_sum(text, at + 16, dd::checksum(text.data() + offset, bytes));
  }
  const std::uint64_t sum = dd::checksum(text.data(), end);
  put_sum(text, end, sum);
  return sum;
}

inline bool is_diagram(const fs::path& path) {
  const std::string text = read_file(path);
  return text.size() >= 4 && text.compare(1, 3, "ZDD") == 0;
}

inline void repair_manifest(const fs::path& folder) {
  using Json = nlohmann::ordered_json;
  Json manifest = Json::parse(read_file(folder / "manifest.json"), nullptr, false);
  if (!manifest.is_object()) return;
  for (const char* name : {"rules.kif", "description.json"})
    manifest[std::string(name) + "_checksum"] = sum_of(read_file(folder / name));
  if (!manifest["layers"].is_array()) return;
  std::size_t number = 0;
  for (Json& layer : manifest["layers"]) {
    if (!layer.is_object()) return;
    Json directories = Json::array();
    for (const char* part : {"states", "values", "distances"}) {
      const fs::path path = folder / fmt::format("layer-{:04}.{}", number, part);
      const std::string key = std::string(part) + "_checksum";
      if (!layer.contains(key)) continue;
      std::string text = read_file(path);
      directories.push_back(fmt::format("{:016x}", repair_diagram(text)));
      layer[key] = sum_of(text);
    }
    layer["directory_checksums"] = directories;
    ++number;
  }
  manifest.erase("checksum");
  manifest["checksum"] = sum_of(manifest.dump(1) + "\n");
  write_file(folder / "manifest.json", manifest.dump(1) + "\n");
}

// Lists and progress files end with, or contain, a checksum of the rest.
inline void repair_list(const fs::path& path) {
  std::string text = read_file(path);
  constexpr std::size_t last_line = 17;
  if (text.size() < last_line) return;
  text.resize(text.size() - last_line);
  write_file(path, text + sum_of(text) + "\n");
}

inline void repair(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".txt") repair_list(entry.path());
    if (!is_diagram(entry.path())) continue;
    std::string text = read_file(entry.path());
    repair_diagram(text);
    write_file(entry.path(), text);
  }
  if (fs::exists(folder / "manifest.json")) repair_manifest(folder);
}

class FolderEdits {
 public:
  explicit FolderEdits(fs::path root) : root_(std::move(root)) {
    fs::remove_all(root_);
    fs::create_directories(root_);
    rules_ = gdl::read_rules(std::make_shared<const base::Source>(
                                 "nim", families::generate("nim", {"2", "3"}).value()))
                 .value();
    solved_ = text_of(app::solve(solve_request(root_ / "solution")));
    counted_ = text_of(app::count(count_request(root_ / "count")));
    interrupt(root_ / "progress");
    answer_ = answer_of(root_ / "solution");
  }
  ~FolderEdits() { fs::remove_all(root_); }

  // Returns what is wrong with the answers to an edited folder; empty if nothing is.
  std::string check(std::span<const std::uint8_t> data) {
    EditReader input(data);
    const std::uint8_t kind = input.byte();
    const char* names[] = {"solution", "progress", "count"};
    const std::string name = names[kind % 3];
    const bool repaired = kind / 3 % 2 == 1;
    const fs::path folder = root_ / "edited";
    fs::remove_all(folder);
    fs::copy(root_ / name, folder);
    apply(folder, input);
    if (repaired) repair(folder);
    if (name == "count")
      return compare(text_of(app::count(count_request(folder))), counted_, repaired);
    if (name == "progress")
      return compare(text_of(app::solve(solve_request(folder))), solved_, repaired);
    (void)app::verify({.folder = folder.string(), .limits = limits()});
    return compare(answer_of(folder), answer_, repaired);
  }

  // What the folders say before they are edited.
  std::vector<std::string> answers() const { return {answer_, solved_, counted_}; }

 private:
  static app::ResourceLimits limits() {
    return {.memory_bytes = std::size_t{1} << 30, .time = std::chrono::seconds(5)};
  }

  app::SolveRequest solve_request(const fs::path& folder) const {
    return {.rules = rules_,
            .folder = folder.string(),
            .engine = solve::Engine::symbolic,
            .threads = 1,
            .limits = limits()};
  }

  app::CountRequest count_request(const fs::path& folder) const {
    return {.rules = rules_,
            .engine = solve::Engine::symbolic,
            .folder = folder.string(),
            .threads = 1,
            .limits = limits()};
  }

  // Stops a solution on its way back.
  void interrupt(const fs::path& folder) const {
    std::stop_source source;
    int reports = 0;
    const auto progress = [&](const std::string&) {
      if (++reports == 6) source.request_stop();
    };
    (void)app::solve(solve_request(folder), {progress, source.get_token()});
  }

  static void apply(const fs::path& folder, EditReader& input) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    while (!input.at_end() && !files.empty()) {
      const fs::path& path = files[input.byte() % files.size()];
      std::string text = read_file(path);
      edit(text, input);
      write_file(path, text);
    }
  }

  // The value of the initial position and of its moves; empty for an error.
  static std::string answer_of(const fs::path& folder) {
    const auto found = app::query({.folder = folder.string(), .limits = limits()});
    if (!found) return "";
    std::string answer = fmt::format("{}", fmt::join(found->rewards, " "));
    for (const auto& move : found->moves)
      answer += fmt::format("; {} {}", move.name, fmt::join(move.rewards, " "));
    return answer;
  }

  static std::string text_of(const base::Result<app::CountResult>& result) {
    return result && !result->stopped ? result->states : "";
  }

  static std::string text_of(const base::Result<app::SolveResult>& result) {
    if (!result) return "";
    return fmt::format("{}, {} states", fmt::join(result->summary.value, " "),
                       result->summary.states);
  }

  // With right checksums an edited folder may be a consistent one with another answer.
  static std::string compare(const std::string& answer, const std::string& right, bool repaired) {
    return repaired || answer.empty() || answer == right ? "" : "wrong answer: " + answer;
  }

  const fs::path root_;
  std::shared_ptr<const gdl::Rulesheet> rules_;
  std::string answer_, solved_, counted_;  // before the edits; empty for an error
};

}  // namespace zermelo::fuzz
