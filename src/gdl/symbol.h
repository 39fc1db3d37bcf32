// Interned names. GDL is case-insensitive, so names are stored in lower case. The validity checks
// compare spellings in the source text.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace zermelo::gdl {

enum class Symbol : std::uint32_t {};

// The keywords of GDL. Every SymbolTable interns them first, so these symbols are constants.
namespace keyword {
inline constexpr Symbol role{0}, init{1}, true_{2}, does{3}, next{4}, legal{5}, goal{6},
    terminal{7}, distinct{8}, or_{9}, and_{10}, not_{11}, implied_by{12}, base{13}, input{14},
    sees{15}, random{16};
}  // namespace keyword

class SymbolTable {
 public:
  SymbolTable();
  SymbolTable(const SymbolTable&) = delete;  // see copy()
  SymbolTable& operator=(const SymbolTable&) = delete;
  SymbolTable(SymbolTable&&) = default;
  SymbolTable& operator=(SymbolTable&&) = default;

  // Returns the symbol of a name. Case is ignored.
  Symbol intern(std::string_view name);
  // The name in lower case.
  const std::string& name(Symbol symbol) const { return names_[static_cast<std::size_t>(symbol)]; }
  std::size_t size() const { return names_.size(); }
  // Returns a table with the same symbols.
  SymbolTable copy() const;

 private:
  std::deque<std::string> names_;  // stable addresses: the map's keys point into it
  std::unordered_map<std::string_view, Symbol> symbols_;
};

}  // namespace zermelo::gdl
