#include "app/service/game_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>

#include "app/write_file.h"

namespace zermelo::app {
namespace {

constexpr const char* rules_suffix = ".kif";

std::uint64_t fnv_1a(std::string_view text, std::uint64_t hash) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

bool is_id(const std::string& id) {
  return !id.empty() && id.size() <= 64 && std::all_of(id.begin(), id.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_';
  });
}

base::Error unknown_game() { return {base::ErrorKind::invalid_request, "there is no such game"}; }

std::optional<std::string> contents(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

// Whether the line repeats the call of `generate`, such as "nim 1 3 5".
bool is_call(std::string_view line) {
  return line.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ.,") == line.npos;
}

}  // namespace

std::string fingerprint(std::string_view text) {
  return fmt::format("{:016x}{:016x}", fnv_1a(text, 0xcbf29ce484222325u),
                     fnv_1a(text, 0x9e3779b97f4a7c15u));
}

std::string title_of(const std::string& id) {
  std::string title = id;
  std::replace(title.begin(), title.end(), '_', ' ');
  if (!title.empty())
    title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
  return title;
}

std::string summary_of(std::string_view rules) {
  constexpr std::size_t long_enough = 200;
  std::string prose;
  while (rules.starts_with(';')) {
    const std::size_t end = std::min(rules.find('\n'), rules.size());
    std::string_view line = rules.substr(0, end);
    line.remove_prefix(std::min(line.find_first_not_of("; "), line.size()));
    if (line.empty() && !prose.empty()) break;
    if (!prose.empty() || !is_call(line)) prose.append(prose.empty() ? "" : " ").append(line);
    rules.remove_prefix(std::min(end + 1, rules.size()));
  }
  if (prose.size() <= long_enough) return prose;
  const std::size_t sentence = prose.rfind(". ", long_enough);
  if (sentence != prose.npos) return prose.substr(0, sentence + 1);
  return prose.substr(0, prose.rfind(' ', long_enough)) + " …";
}

GameLibrary::GameLibrary(std::filesystem::path folder, std::size_t max_bytes)
    : folder_(std::move(folder)), max_bytes_(max_bytes) {
  for (const EmbeddedFile& file : shipped_games()) {
    shipped_.emplace(std::filesystem::path(file.name).stem().string(), file.text);
  }
  if (folder_.empty()) return;
  std::error_code ignored;
  std::filesystem::create_directories(folder_, ignored);
  for (const auto& file : std::filesystem::directory_iterator(folder_, ignored)) {
    if (const auto size = file.file_size(ignored); !ignored) bytes_ += size;
  }
}

std::vector<LibraryEntry> GameLibrary::shipped() const {
  std::vector<LibraryEntry> entries;
  for (const auto& [id, text] : shipped_) entries.push_back({id, title_of(id), summary_of(text)});
  return entries;
}

base::Result<std::string> GameLibrary::add(const std::string& text) {
  for (const auto& [id, shipped] : shipped_) {
    if (shipped == text) return id;
  }
  const std::string id = "r" + fingerprint(text);
  const std::lock_guard lock(mutex_);
  if (added_.contains(id)) return id;
  if (!folder_.empty() && contents(file_of(id)) == text) return id;
  if (bytes_ + text.size() > max_bytes_) {
    return base::fail(base::ErrorKind::unwritable_output, "there is no room for more games");
  }
  if (folder_.empty()) {
    added_.emplace(id, text);
  } else if (const auto written = write_file(file_of(id).string(), text); !written) {
    return base::fail(base::ErrorKind::unwritable_output, "the rules cannot be stored");
  }
  bytes_ += text.size();
  return id;
}

base::Result<std::string> GameLibrary::text(const std::string& id) const {
  if (!is_id(id)) return tl::unexpected(unknown_game());
  if (const auto found = shipped_.find(id); found != shipped_.end()) return found->second;
  const std::lock_guard lock(mutex_);
  if (const auto found = added_.find(id); found != added_.end()) return found->second;
  if (folder_.empty()) return tl::unexpected(unknown_game());
  auto stored = contents(file_of(id));
  if (!stored) return tl::unexpected(unknown_game());
  return std::move(*stored);
}

base::Result<LibraryEntry> GameLibrary::entry(const std::string& id) const {
  const auto rules = text(id);
  if (!rules) return tl::unexpected(rules.error());
  const bool is_shipped = shipped_.contains(id);
  return LibraryEntry{id, is_shipped ? title_of(id) : "Your game", summary_of(*rules)};
}

std::filesystem::path GameLibrary::file_of(const std::string& id) const {
  return folder_ / (id + rules_suffix);
}

}  // namespace zermelo::app
