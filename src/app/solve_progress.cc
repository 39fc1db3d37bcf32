#include "app/solve_progress.h"

#include <fmt/format.h>

#include "base/quantities.h"

namespace zermelo::app {
namespace {

std::string readable_bytes(double bytes) {
  constexpr const char* units[] = {"kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  for (bytes /= 1000; bytes >= 1000 && unit < 3; bytes /= 1000) ++unit;
  return fmt::format("{:.{}f} {}", bytes, bytes < 10 ? 1 : 0, units[unit]);
}

std::string readable_seconds(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  const auto minutes = static_cast<std::uint64_t>(seconds / 60 + 0.5);
  return minutes < 100 ? fmt::format("{} min", minutes)
                       : fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

std::string forecast(const solve::SymbolicProgress& progress) {
  const solve::Forecast& left = *progress.left;
  return fmt::format("; {}{} left: {}, {} on disk, {} of memory", progress.backward ? "" : "about ",
                     base::counted(left.layers, "layer"), readable_seconds(left.seconds),
                     readable_bytes(left.disk_bytes), readable_bytes(left.peak_bytes));
}

}  // namespace

std::string description_of(const solve::SymbolicProgress& progress) {
  const std::string text =
      fmt::format("{} layer {}, {} states", progress.backward ? "solved" : "found", progress.layer,
                  base::with_commas(progress.states));
  if (progress.left) return text + forecast(progress);
  return fmt::format("{}, {} nodes", text, base::grouped(progress.nodes));
}

}  // namespace zermelo::app
