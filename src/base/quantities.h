// Parses sizes and durations such as "8G" and "60s".
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace zermelo::base {

// "8G", "512M", "100k", "4096": a number of bytes, units are powers of 1024.
// Returns nullopt for any other text.
std::optional<std::size_t> parse_size(const std::string& text);
// "60s", "1.5m", "2h", "250ms", "60" (seconds). Returns nullopt for any other text.
std::optional<std::chrono::duration<double>> parse_duration(const std::string& text);

}  // namespace zermelo::base
