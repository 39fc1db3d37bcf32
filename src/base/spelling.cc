#include "base/spelling.h"

#include <algorithm>

namespace zermelo::base {
namespace {

constexpr std::size_t min_candidate_length = 3;

char lower_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower_letter(x) == lower_letter(y); });
}

std::size_t common_prefix(std::string_view a, std::string_view b) {
  const std::size_t shorter = std::min(a.size(), b.size());
  std::size_t length = 0;
  while (length < shorter && same_letters(a.substr(length, 1), b.substr(length, 1))) ++length;
  return length;
}

// The texts have no common first letter.
bool starts_exchanged(std::string_view a, std::string_view b) {
  return a.size() >= 2 && a.size() == b.size() && same_letters(a.substr(0, 1), b.substr(1, 1)) &&
         same_letters(a.substr(1, 1), b.substr(0, 1)) && same_letters(a.substr(2), b.substr(2));
}

}  // namespace

bool one_edit_apart(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  const std::size_t same = common_prefix(a, b);
  a.remove_prefix(same);
  b.remove_prefix(same);
  if (b.empty()) return false;
  if (a.size() + 1 == b.size()) return same_letters(a, b.substr(1));
  if (a.size() != b.size()) return false;
  return same_letters(a.substr(1), b.substr(1)) || starts_exchanged(a, b);
}

std::optional<std::string> similar_name(std::string_view written,
                                        const std::vector<std::string>& candidates) {
  const auto found =
      std::find_if(candidates.begin(), candidates.end(), [&](const std::string& candidate) {
        return candidate.size() >= min_candidate_length && one_edit_apart(written, candidate);
      });
  if (found == candidates.end()) return std::nullopt;
  return *found;
}

std::string did_you_mean(std::string_view written, const std::vector<std::string>& candidates) {
  const auto name = similar_name(written, candidates);
  return name ? "; did you mean '" + *name + "'?" : "";
}

}  // namespace zermelo::base
