// Sizes, durations and numbers as text: "8G", "60s", "1,234".
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace zermelo::base {

// "8G", "512M", "100k", "4096": a number of bytes, units are powers of 1024.
// Returns nullopt for any other text.
std::optional<std::size_t> parse_size(const std::string& text);
// "60s", "1.5m", "2h", "250ms", "60" (seconds). Returns nullopt for any other text.
std::optional<std::chrono::duration<double>> parse_duration(const std::string& text);

// 1234567 as "1,234,567".
std::string grouped(unsigned long long number);
// A decimal number of any length with commas.
std::string with_commas(std::string digits);
// "1 error", "2 errors", "1,000 errors".
std::string counted(std::size_t number, std::string_view noun);

}  // namespace zermelo::base
