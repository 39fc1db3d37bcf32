// Terms in texts that other programs wrote, which are not rules: moves, states, messages.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace zermelo::gdl {

// The words and lists that follow each other in the text, as they are written there. Nothing where
// they are more than `most` or a list is not whole.
std::optional<std::vector<std::string_view>> items_of(std::string_view text,
                                                      std::size_t most = ~std::size_t{0});

// One term as the printer writes it: small letters, one space between words, none inside
// parentheses. Nothing where the text is none.
std::optional<std::string> canonical_term(std::string_view text);

using Dictionary = std::unordered_map<std::string, std::string>;

// The words of a text in small letters, and how each is written where it comes first.
Dictionary spellings(std::string_view text);
// The canonical term with the words that the dictionary has for its own.
std::string translated(const std::string& term, const Dictionary& words);

}  // namespace zermelo::gdl
