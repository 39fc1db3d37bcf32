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

// Functions that declare options without the header of the command line library, which takes long
// to compile. Variables and callbacks must live until the command line is parsed.
enum class Presence { required, optional };

void add_argument(CLI::App& app, const std::string& name, std::string& value, Presence presence,
                  const std::string& description);
void add_arguments(CLI::App& app, const std::string& name, std::vector<std::string>& values,
                   Presence presence, const std::string& description);
void add_flag(CLI::App& app, const std::string& name, bool& value, const std::string& description);
// Any text that is not empty. `type` is its placeholder in --help.
void add_text_option(CLI::App& app, const std::string& name, const std::string& type,
                     std::string& value, Presence presence, const std::string& description);
// Any text, possibly empty.
void add_text_option(CLI::App& app, const std::string& name, const std::string& type,
                     std::optional<std::string>& value, const std::string& description);
// An option that may be given several times, with one text each.
void add_texts_option(CLI::App& app, const std::string& name, const std::string& type,
                      std::vector<std::string>& values, Presence presence,
                      const std::string& description);
// An integer from 0 to `max`.
void add_number_option(CLI::App& app, const std::string& name, std::optional<std::uint64_t>& value,
                       std::uint64_t max, Presence presence, const std::string& description);
// An integer from 1 to `max`.
void add_count_option(CLI::App& app, const std::string& name, std::optional<std::uint64_t>& value,
                      std::uint64_t max, const std::string& description);
// A number above 0, at most 100; the value is a hundredth of it.
void add_percent_option(CLI::App& app, const std::string& name, std::optional<double>& value,
                        const std::string& description);
void add_duration_option(CLI::App& app, const std::string& name,
                         std::optional<std::chrono::duration<double>>& value,
                         const std::string& description);
// One of `choices`; `choose` receives its index.
void add_choice_option(CLI::App& app, const std::string& name, std::vector<std::string> choices,
                       std::function<void(std::size_t)> choose, const std::string& description);

void add_game_argument(CLI::App& app, std::string& path);
// --allow NAME=PATH, several times.
void add_allow_option(CLI::App& app, std::vector<std::string>& allow);
void add_json_option(CLI::App& app, bool& json);
void add_seed_option(CLI::App& app, std::uint64_t& seed);
void add_memory_option(CLI::App& app, LimitOptions& limits);
// --memory and --time, which counts from this call.
void add_limit_options(CLI::App& app, LimitOptions& limits);

}  // namespace zermelo::cli
