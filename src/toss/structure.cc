#include "toss/structure.h"

#include <algorithm>
#include <bit>

namespace zermelo::toss {
namespace {

Function::const_iterator find(const Function& function, Element element) {
  return std::lower_bound(function.begin(), function.end(), element,
                          [](const auto& pair, Element e) { return pair.first < e; });
}

// Reals are ordered as numbers; equal ones of different bits, 0 and -0, count as one.
std::strong_ordering compare(const Function& a, const Function& b) {
  if (const auto by_size = a.size() <=> b.size(); by_size != 0) return by_size;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (const auto by = a[i].first <=> b[i].first; by != 0) return by;
    if (a[i].second != b[i].second) {
      return a[i].second < b[i].second ? std::strong_ordering::less : std::strong_ordering::greater;
    }
  }
  return std::strong_ordering::equal;
}

}  // namespace

Structure::Structure(const Signature& signature)
    : functions_(signature.functions.size(), std::make_shared<const Function>()) {
  for (const RelationSymbol& symbol : signature.relations) {
    relations_.push_back(std::make_shared<const TupleSet>(symbol.arity));
  }
}

double Structure::value(std::size_t function, Element element) const {
  const Function& pairs = *functions_[function];
  const auto found = find(pairs, element);
  return found != pairs.end() && found->first == element ? found->second : 0;
}

bool Structure::has(Element element) const {
  return std::binary_search(universe_.begin(), universe_.end(), element);
}

void Structure::set_universe(std::vector<Element> universe) {
  std::sort(universe.begin(), universe.end());
  universe_ = std::move(universe);
}

void Structure::set_relation(std::size_t symbol, TupleSet tuples) {
  relations_[symbol] = std::make_shared<const TupleSet>(std::move(tuples));
}

void Structure::set_value(std::size_t function, Element element, double value) {
  Function pairs = *functions_[function];
  const auto at = pairs.begin() + (find(pairs, element) - pairs.cbegin());
  const bool present = at != pairs.end() && at->first == element;
  if (present && value == 0) {
    pairs.erase(at);
  } else if (present) {
    at->second = value;
  } else if (value != 0) {
    pairs.insert(at, {element, value});
  }
  set_function(function, std::move(pairs));
}

void Structure::set_function(std::size_t symbol, Function function) {
  functions_[symbol] = std::make_shared<const Function>(std::move(function));
}

std::size_t Structure::hash() const {
  std::uint64_t h = universe_.size();
  for (const auto& relation : relations_) h = h * 0x9e3779b97f4a7c15u + relation->hash();
  for (const auto& function : functions_) {
    for (const auto& [element, value] : *function) {
      h = (h ^ element ^ std::bit_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15u;
    }
  }
  return h;
}

std::strong_ordering Structure::operator<=>(const Structure& other) const {
  if (const auto by = universe_ <=> other.universe_; by != 0) return by;
  if (const auto by = relations_.size() <=> other.relations_.size(); by != 0) return by;
  for (std::size_t r = 0; r < relations_.size(); ++r) {
    if (relations_[r] == other.relations_[r]) continue;
    if (const auto by = *relations_[r] <=> *other.relations_[r]; by != 0) return by;
  }
  if (const auto by = functions_.size() <=> other.functions_.size(); by != 0) return by;
  for (std::size_t f = 0; f < functions_.size(); ++f) {
    if (const auto by = compare(*functions_[f], *other.functions_[f]); by != 0) return by;
  }
  return std::strong_ordering::equal;
}

}  // namespace zermelo::toss
