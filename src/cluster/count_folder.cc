#include "cluster/count_folder.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "dd/file.h"

namespace zermelo::cluster {
namespace {

using Json = nlohmann::json;

constexpr const char* manifest_name = "count.json";
constexpr const char* format_name = "zermelo count 1";

bool is_states_file(std::string_view name) {
  return name.starts_with("states-") && name.ends_with(".bin");
}
bool is_ours(std::string_view name) { return name == manifest_name || is_states_file(name); }

tl::unexpected<base::Error> damaged(const std::filesystem::path& path) {
  return base::fail(base::ErrorKind::unreadable_input,
                    fmt::format("'{}' is damaged", path.string()));
}

}  // namespace

std::string to_text(const CountManifest& manifest) {
  Json json = {{"format", format_name},
               {"rules", manifest.rules},
               {"continue_past_terminal", manifest.continue_past_terminal},
               {"words", manifest.words},
               {"groups", Json::array()},
               {"layers", Json::array()},
               {"parts", Json::array()}};
  for (const analysis::MutexGroup& group : manifest.groups) {
    json["groups"].push_back({{"fluents", group.fluents}, {"exactly_one", group.exactly_one}});
  }
  for (const solve::LayerCount& layer : manifest.layers) {
    json["layers"].push_back({{"states", layer.states}, {"terminal", *layer.terminal}});
  }
  for (const auto& parts : manifest.parts) {
    Json& list = json["parts"].emplace_back(Json::array());
    for (const StoredPart& part : parts) {
      list.push_back({{"states", part.states}, {"checksum", part.checksum}});
    }
  }
  return json.dump(1) + "\n";
}

base::Result<CountManifest> manifest_from(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  try {
    if (json.at("format") != format_name) return damaged(manifest_name);
    CountManifest manifest;
    manifest.rules = json.at("rules");
    manifest.continue_past_terminal = json.at("continue_past_terminal");
    manifest.words = json.at("words");
    for (const Json& group : json.at("groups")) {
      manifest.groups.push_back({group.at("fluents"), group.at("exactly_one")});
    }
    for (const Json& layer : json.at("layers")) {
      manifest.layers.push_back({layer.at("states"), layer.at("terminal").get<std::uint64_t>(), 0});
    }
    for (const Json& list : json.at("parts")) {
      auto& parts = manifest.parts.emplace_back();
      for (const Json& part : list) parts.push_back({part.at("states"), part.at("checksum")});
      if (parts.size() != manifest.layers.size() + 1) return damaged(manifest_name);
    }
    if (manifest.parts.empty()) return damaged(manifest_name);
    return manifest;
  } catch (const Json::exception&) {
    return damaged(manifest_name);
  }
}

base::Result<std::string> CountFolder::claim() {
  if (auto made = dd::make_folder(path_); !made) return tl::unexpected(made.error());
  auto lock = dd::FolderLock::take(path_);
  if (!lock) return tl::unexpected(lock.error());
  lock_ = std::move(*lock);
  if (dd::holds_others(path_, is_ours, is_ours)) {
    return base::fail(base::ErrorKind::not_applicable,
                      fmt::format("'{}' holds files other than those of a count on several ranks",
                                  path_.string()));
  }
  if (!dd::is_there(path_ / manifest_name)) return std::string();
  return dd::read_text(path_ / manifest_name);
}

base::Result<void> CountFolder::store(const CountManifest& manifest) const {
  if (auto written = dd::write_text(path_ / manifest_name, to_text(manifest)); !written) {
    return written;
  }
  const std::string prefix = fmt::format("states-{}-", manifest.ranks());
  dd::remove_files(path_, [&](std::string_view name) {
    return is_states_file(name) && !name.starts_with(prefix);
  });
  return {};
}

std::filesystem::path CountFolder::file(std::size_t rank, std::size_t ranks) const {
  return path_ / fmt::format("states-{}-{}.bin", ranks, rank);
}

base::Result<void> CountFolder::append(std::size_t rank, std::size_t ranks, std::uint64_t before,
                                       const std::vector<std::uint64_t>& words) const {
  const std::filesystem::path path = file(rank, ranks);
  std::error_code failed;
  if (before > 0) {
    std::filesystem::resize_file(path, before, failed);
  } else {
    std::filesystem::remove(path, failed);
  }
  std::ofstream out(path, std::ios::binary | std::ios::app);
  out.write(reinterpret_cast<const char*>(words.data()),
            static_cast<std::streamsize>(words.size() * sizeof(std::uint64_t)));
  out.close();
  if (!failed && out) return {};
  return base::fail(base::ErrorKind::unwritable_output,
                    fmt::format("cannot write '{}'", path.string()));
}

base::Result<std::vector<std::uint64_t>> CountFolder::read(const CountManifest& manifest,
                                                           std::size_t rank,
                                                           std::size_t layer) const {
  const std::vector<StoredPart>& parts = manifest.parts[rank];
  std::uint64_t begin = 0;
  for (std::size_t l = 0; l < layer; ++l) begin += parts[l].states;
  const std::filesystem::path path = file(rank, manifest.ranks());
  std::error_code failed;
  const std::uint64_t bytes_per_state = manifest.words * sizeof(std::uint64_t);
  const std::uint64_t end = (begin + parts[layer].states) * bytes_per_state;
  const std::uint64_t size = std::filesystem::file_size(path, failed);
  if (end > 0 && (failed || size < end)) return damaged(path);
  std::vector<std::uint64_t> words(parts[layer].states * manifest.words);
  std::ifstream in(path, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(begin * bytes_per_state));
  in.read(reinterpret_cast<char*>(words.data()),
          static_cast<std::streamsize>(words.size() * sizeof(std::uint64_t)));
  if (!words.empty() && !in) return damaged(path);
  if (dd::checksum(words.data(), words.size() * sizeof(std::uint64_t)) != parts[layer].checksum) {
    return damaged(path);
  }
  return words;
}

}  // namespace zermelo::cluster
