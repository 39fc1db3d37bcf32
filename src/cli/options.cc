#include "cli/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <limits>

#include "base/quantities.h"
#include "base/spelling.h"

namespace zermelo::cli {
namespace {

std::optional<std::uint64_t> parse_number(const std::string& text, std::uint64_t max) {
  std::uint64_t number = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (error != std::errc{} || end != last || number > max) return std::nullopt;
  return number;
}

// An option whose text is passed to `accept`, which returns false if it is not valid.
CLI::Option* add_parsed_option(CLI::App& app, const std::string& name, const std::string& type,
                               std::function<bool(const std::string&)> accept,
                               const std::string& expected, const std::string& description,
                               const std::vector<std::string>& choices = {}) {
  const auto read = [=](const std::string& text) {
    if (!accept(text)) {
      throw CLI::ValidationError(name, fmt::format("expected {}, got \"{}\"{}", expected, text,
                                                   base::did_you_mean(text, choices)));
    }
  };
  return app.add_option_function<std::string>(name, read, description)->type_name(type);
}

CLI::Option* add_integer_option(CLI::App& app, const std::string& name,
                                std::optional<std::uint64_t>& value, std::uint64_t min,
                                std::uint64_t max, const std::string& description) {
  return add_parsed_option(
      app, name, "N",
      [&value, min, max](const std::string& text) {
        value = parse_number(text, max);
        return value && *value >= min;
      },
      fmt::format("an integer from {} to {}", min, max), description);
}

}  // namespace

void add_argument(CLI::App& app, const std::string& name, std::string& value, Presence presence,
                  const std::string& description) {
  app.add_option(name, value, description)->required(presence == Presence::required)->type_name("");
}

void add_arguments(CLI::App& app, const std::string& name, std::vector<std::string>& values,
                   Presence presence, const std::string& description) {
  app.add_option(name, values, description)
      ->required(presence == Presence::required)
      ->type_name("");
}

void add_flag(CLI::App& app, const std::string& name, bool& value, const std::string& description) {
  app.add_flag(name, value, description);
}

void add_text_option(CLI::App& app, const std::string& name, const std::string& type,
                     std::string& value, Presence presence, const std::string& description) {
  const auto accept = [&value](const std::string& text) {
    value = text;
    return !text.empty();
  };
  add_parsed_option(app, name, type, accept, type, description)
      ->required(presence == Presence::required);
}

void add_text_option(CLI::App& app, const std::string& name, const std::string& type,
                     std::optional<std::string>& value, const std::string& description) {
  app.add_option(name, value, description)->type_name(type);
}

void add_texts_option(CLI::App& app, const std::string& name, const std::string& type,
                      std::vector<std::string>& values, Presence presence,
                      const std::string& description) {
  app.add_option(name, values, description)
      ->required(presence == Presence::required)
      ->type_name(type)
      ->allow_extra_args(false);
}

void add_number_option(CLI::App& app, const std::string& name, std::optional<std::uint64_t>& value,
                       std::uint64_t max, Presence presence, const std::string& description) {
  add_integer_option(app, name, value, 0, max, description)
      ->required(presence == Presence::required);
}

void add_count_option(CLI::App& app, const std::string& name, std::optional<std::uint64_t>& value,
                      std::uint64_t max, const std::string& description) {
  add_integer_option(app, name, value, 1, max, description);
}

void add_percent_option(CLI::App& app, const std::string& name, std::optional<double>& value,
                        const std::string& description) {
  add_parsed_option(
      app, name, "PERCENT",
      [&value](const std::string& text) {
        double percent = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), percent);
        value = percent / 100;
        return error == std::errc() && end == text.data() + text.size() && percent > 0 &&
               percent <= 100;
      },
      "a number above 0, at most 100", description);
}

void add_duration_option(CLI::App& app, const std::string& name,
                         std::optional<std::chrono::duration<double>>& value,
                         const std::string& description) {
  add_parsed_option(
      app, name, "TIME",
      [&value](const std::string& text) {
        value = base::parse_duration(text);
        return value.has_value();
      },
      "a duration such as 60s, 2m or 250ms", description);
}

void add_choice_option(CLI::App& app, const std::string& name, std::vector<std::string> choices,
                       std::function<void(std::size_t)> choose, const std::string& description) {
  const std::string words = fmt::format("{}", fmt::join(choices, "|"));
  add_parsed_option(
      app, name, words,
      [=](const std::string& text) {
        const auto found = std::find(choices.begin(), choices.end(), text);
        if (found == choices.end()) return false;
        choose(static_cast<std::size_t>(found - choices.begin()));
        return true;
      },
      words, description, choices);
}

void add_game_argument(CLI::App& app, std::string& path) {
  add_argument(app, "GAME", path, Presence::required,
               "Rule file in GDL, GDDL or Toss; - reads standard input");
}

void add_allow_option(CLI::App& app, std::vector<std::string>& allow) {
  add_texts_option(app, "--allow", "NAME=PATH", allow, Presence::optional,
                   "Let this program or library compute the module NAME (repeatable)");
}

void add_json_option(CLI::App& app, bool& json) {
  add_flag(app, "--json", json, "Print one JSON object instead of text");
}

void add_seed_option(CLI::App& app, std::uint64_t& seed) {
  add_parsed_option(
      app, "--seed", "N",
      [&seed](const std::string& text) {
        const auto number = parse_number(text, std::numeric_limits<std::uint64_t>::max());
        seed = number.value_or(seed);
        return number.has_value();
      },
      "a non-negative integer", "Seed of the random numbers (default: 1)");
}

void add_memory_option(CLI::App& app, LimitOptions& limits) {
  add_parsed_option(
      app, "--memory", "SIZE",
      [&limits](const std::string& text) {
        limits.memory_bytes = base::parse_size(text);
        return limits.memory_bytes.has_value();
      },
      "a size such as 8G or 512M",
      "Memory limit, such as 8G (default: three quarters of the memory)");
}

void add_limit_options(CLI::App& app, LimitOptions& limits) {
  limits.since = base::Limits::Clock::now();
  add_memory_option(app, limits);
  add_duration_option(app, "--time", limits.time, "Time limit, such as 60s or 2m (default: none)");
}

}  // namespace zermelo::cli
