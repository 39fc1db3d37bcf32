#include "families/sizes.h"

#include <fmt/format.h>

#include <charconv>

namespace zermelo::families {
namespace {

std::string expected_sizes(std::span<const Bound> bounds, std::size_t optional) {
  std::string names;
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    const bool may_miss = i + optional >= bounds.size();
    names += may_miss ? fmt::format(" [{}]", bounds[i].name) : fmt::format(" {}", bounds[i].name);
  }
  return names;
}

}  // namespace

tl::unexpected<base::Error> wrong_sizes(std::string message) {
  return base::fail(base::ErrorKind::not_applicable, std::move(message));
}

bool take_last(Sizes& sizes, std::string_view word) {
  if (sizes.empty() || sizes.back() != word) return false;
  sizes.pop_back();
  return true;
}

base::Result<int> read_size(std::string_view text, const Bound& bound) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < bound.least ||
      value > bound.most) {
    return wrong_sizes(fmt::format("{} must be a number from {} to {}, not \"{}\"", bound.name,
                                   bound.least, bound.most, text));
  }
  return value;
}

base::Result<std::vector<int>> read_sizes(const Sizes& sizes, std::span<const Bound> bounds,
                                          std::size_t optional) {
  if (sizes.size() > bounds.size() || sizes.size() + optional < bounds.size()) {
    return wrong_sizes(fmt::format("expected{}, got {}", expected_sizes(bounds, optional),
                                   sizes.empty() ? "none" : std::to_string(sizes.size())));
  }
  std::vector<int> values;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const base::Result<int> value = read_size(sizes[i], bounds[i]);
    if (!value) return tl::unexpected(value.error());
    values.push_back(*value);
  }
  return values;
}

}  // namespace zermelo::families
