// Options that several commands share.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/context.h"

namespace CLI {
class App;
}

namespace zermelo::cli {

// --memory and --time.
using LimitOptions = app::ResourceLimits;

// How to declare options without the command-line library's header, which takes long to compile.
// Variables and callbacks must live until the command line is parsed.
enum class Presence { required, optional };

void add_argument(CLI::App& app, const std::string& name, std::string& value, Presence presence,
                  const std::string& description);
void add_arguments(CLI::App& app, const std::string& name, std::vector<std::string>& values,
                   Presence presence, const std::string& description);
void add_flag(CLI::App& app, const std::string& name, bool& value, const std::string& description);
// Any text but an empty one; `type` says in --help what it stands for.
void add_text_option(CLI::App& app, const std::string& name, const std::string& type,
                     std::string& value, Presence presence, const std::string& description);
// Any text, an empty one as well.
void add_text_option(CLI::App& app, const std::string& name, const std::string& type,
                     std::optional<std::string>& value, const std::string& description);
// The same for an option that may be given several times, one text each.
void add_texts_option(CLI::App& app, const std::string& name, const std::string& type,
                      std::vector<std::string>& values, Presence presence,
                      const std::string& description);
// An integer from 0 to `max`.
void add_number_option(CLI::App& app, const std::string& name, std::optional<std::uint64_t>& value,
                       std::uint64_t max, Presence presence, const std::string& description);
// As many as that: at least one.
void add_count_option(CLI::App& app, const std::string& name, std::optional<std::uint64_t>& value,
                      std::uint64_t max, const std::string& description);
void add_duration_option(CLI::App& app, const std::string& name,
                         std::optional<std::chrono::duration<double>>& value,
                         const std::string& description);
// One of the given words; `choose` gets the number of the word.
void add_choice_option(CLI::App& app, const std::string& name, std::vector<std::string> choices,
                       std::function<void(std::size_t)> choose, const std::string& description);

void add_game_argument(CLI::App& app, std::string& path);
void add_json_option(CLI::App& app, bool& json);
void add_seed_option(CLI::App& app, std::uint64_t& seed);
void add_memory_option(CLI::App& app, LimitOptions& limits);
// --memory and --time, which counts from this call.
void add_limit_options(CLI::App& app, LimitOptions& limits);

}  // namespace zermelo::cli
