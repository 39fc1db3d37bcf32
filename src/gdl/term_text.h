// Reads terms in the output of other programs: moves, states, messages.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <unordered_map>
#include <vector>

namespace zermelo::gdl {

// Splits a text into words and lists, as written. Returns nullopt if there are more than `most` or
// a list is not closed.
std::optional<std::vector<std::string_view>> items_of(std::string_view text,
                                                      std::size_t most = ~std::size_t{0});

// Returns the text of one term in the layout of the printer: lower case, one space between words,
// no space after "(" or before ")". Returns nullopt if the text is not a term.
std::optional<std::string> canonical_term(std::string_view text);

// Returns the terms of a text that a person wrote, in the layout of canonical_term: prefix or infix
// syntax, any case, separated by blanks, commas or semicolons. On failure the error is the reason.
tl::expected<std::vector<std::string>, std::string> canonical_terms(std::string_view text);

using Dictionary = std::unordered_map<std::string, std::string>;

// Maps each word of a text, in lower case, to its first spelling in the text.
Dictionary spellings(std::string_view text);
// Returns the canonical term with its words replaced by their entries in the dictionary.
std::string translated(const std::string& term, const Dictionary& words);

}  // namespace zermelo::gdl
