#include "cli/options.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

namespace zermelo::cli {
namespace {

constexpr double longest_time = 1e9;  // seconds: 31 years, and no overflow on the way to a deadline
constexpr double largest_size = 1e18;

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return text;
}

// A number that is not negative and the text behind it.
std::optional<std::pair<double, std::string>> number_and_unit(const std::string& text) {
  double number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc{} || !(number >= 0)) return std::nullopt;
  return std::pair(number, lower_case(std::string(end, text.data() + text.size())));
}

std::optional<double> size_factor(const std::string& unit) {
  if (unit.empty() || unit == "b") return 1;
  if (unit == "k" || unit == "kb" || unit == "kib") return 1024.0;
  if (unit == "m" || unit == "mb" || unit == "mib") return 1024.0 * 1024;
  if (unit == "g" || unit == "gb" || unit == "gib") return 1024.0 * 1024 * 1024;
  if (unit == "t" || unit == "tb" || unit == "tib") return 1024.0 * 1024 * 1024 * 1024;
  return std::nullopt;
}

std::optional<double> duration_factor(const std::string& unit) {
  if (unit == "ms") return 0.001;
  if (unit.empty() || unit == "s") return 1;
  if (unit == "m" || unit == "min") return 60;
  if (unit == "h") return 3600;
  return std::nullopt;
}

std::size_t default_memory_bytes() {
  const auto pages = static_cast<std::size_t>(std::max(::sysconf(_SC_PHYS_PAGES), 0L));
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) / 4 * 3;
}

}  // namespace

std::optional<std::size_t> parse_size(const std::string& text) {
  const auto parts = number_and_unit(text);
  const auto factor = parts ? size_factor(parts->second) : std::nullopt;
  if (!factor || parts->first * *factor > largest_size) return std::nullopt;
  return static_cast<std::size_t>(parts->first * *factor);
}

std::optional<std::chrono::duration<double>> parse_duration(const std::string& text) {
  const auto parts = number_and_unit(text);
  const auto factor = parts ? duration_factor(parts->second) : std::nullopt;
  if (!factor || parts->first * *factor > longest_time) return std::nullopt;
  return std::chrono::duration<double>(parts->first * *factor);
}

base::Limits LimitOptions::start() const {
  return base::Limits(time, memory_bytes.value_or(default_memory_bytes()));
}

void add_choice_option(CLI::App& app, const std::string& name, std::vector<std::string> choices,
                       std::function<void(std::size_t)> choose, const std::string& description) {
  const std::string words = CLI::detail::join(choices, "|");
  app.add_option_function<std::string>(
         name,
         [=](const std::string& text) {
           const auto found = std::find(choices.begin(), choices.end(), text);
           if (found == choices.end()) throw CLI::ValidationError(name, text + " is not " + words);
           choose(static_cast<std::size_t>(found - choices.begin()));
         },
         description)
      ->type_name(words);
}

void add_json_option(CLI::App& app, bool& json) {
  app.add_flag("--json", json, "Print one JSON object instead of text");
}

void add_seed_option(CLI::App& app, std::uint64_t& seed) {
  app.add_option("--seed", seed, "Seed of the random numbers; the same gives the same games")
      ->capture_default_str();
}

void add_limit_options(CLI::App& app, LimitOptions& limits) {
  app.add_option_function<std::string>(
         "--memory",
         [&limits](const std::string& text) {
           limits.memory_bytes = parse_size(text);
           if (!limits.memory_bytes) throw CLI::ValidationError("--memory", "not a size: " + text);
         },
         "Memory limit, such as 8G (default: three quarters of the machine's)")
      ->type_name("SIZE");
  app.add_option_function<std::string>(
         "--time",
         [&limits](const std::string& text) {
           limits.time = parse_duration(text);
           if (!limits.time) throw CLI::ValidationError("--time", "not a duration: " + text);
         },
         "Time limit, such as 60s or 2m (default: none)")
      ->type_name("TIME");
}

void add_game_argument(CLI::App& app, std::string& path) {
  app.add_option("GAME", path,
                 "File with the rules in prefix or infix syntax; - reads standard input")
      ->required()
      ->type_name("");
}

}  // namespace zermelo::cli
