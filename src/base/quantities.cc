#include "base/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

namespace zermelo::base {
namespace {

constexpr double longest_time = 1e9;  // seconds, 31 years; a deadline does not overflow
constexpr double largest_size = 1e18;

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return text;
}

// A nonnegative number and the text after it, in lower case.
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

std::string with_commas(std::string digits) {
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string grouped(unsigned long long number) { return with_commas(std::to_string(number)); }

std::string counted(std::size_t number, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(number), noun, number == 1 ? "" : "s");
}

}  // namespace zermelo::base
