// Names that were probably meant when another name was written.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace zermelo::base {

// True if one insertion, deletion, replacement or exchange of neighbours turns one text into the
// other, and the texts differ (distance 1 of Damerau, CACM 1964). Case is ignored.
bool one_edit_apart(std::string_view a, std::string_view b);

// Returns the first candidate that is one edit away from what was written. Candidates of fewer than
// three characters are ignored: most short names are one edit apart.
std::optional<std::string> similar_name(std::string_view written,
                                        const std::vector<std::string>& candidates);

// "; did you mean 'solve'?", or nothing if no candidate is similar.
std::string did_you_mean(std::string_view written, const std::vector<std::string>& candidates);

}  // namespace zermelo::base
