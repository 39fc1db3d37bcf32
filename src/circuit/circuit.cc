#include "circuit/circuit.h"

#include <algorithm>

namespace zermelo::circuit {

namespace {

std::uint64_t hash(std::span<const Wire> wires) {
  std::uint64_t h = wires.size();
  for (const Wire wire : wires) {
    h = (h ^ wire) * 0x9e3779b97f4a7c15u;
    h ^= h >> 32;
  }
  return h;
}

}  // namespace

Circuit::Circuit(const base::Limits& limits)
    : steps_(limits, "making the game's circuits"), first_{0, 0}, table_(1024, 0) {
  steps_.check(0);
}

Wire Circuit::add_input() {
  first_.push_back(wires_.size());
  return (size() - 1) * 2;
}

Wire Circuit::all_of(std::vector<Wire> wires) {
  count_steps(1 + wires.size());
  std::sort(wires.begin(), wires.end());
  wires.erase(std::unique(wires.begin(), wires.end()), wires.end());
  if (!wires.empty() && wires.front() == always_true) wires.erase(wires.begin());
  if (wires.empty()) return always_true;
  if (wires.front() == always_false) return always_false;
  for (std::size_t i = 1; i < wires.size(); ++i) {
    if (wires[i] == (wires[i - 1] ^ 1)) return always_false;
  }
  return wires.size() == 1 ? wires[0] : find_or_add(wires);
}

Wire Circuit::any_of(std::vector<Wire> wires) {
  for (Wire& wire : wires) wire ^= 1;
  return all_of(std::move(wires)) ^ 1;
}

Wire Circuit::find_or_add(const std::vector<Wire>& sorted) {
  if ((gates_ + 1) * 2 > table_.size()) grow();
  const std::size_t mask = table_.size() - 1;
  std::size_t slot = hash(sorted) & mask;
  for (; table_[slot] != 0; slot = (slot + 1) & mask) {
    if (std::ranges::equal(wires(table_[slot]), sorted)) return table_[slot] * 2;
  }
  const std::size_t needed = wires_.size() + sorted.size();
  if (needed > wires_.capacity()) steps_.check(2 * needed * sizeof(Wire));
  wires_.insert(wires_.end(), sorted.begin(), sorted.end());
  first_.push_back(wires_.size());
  table_[slot] = size() - 1;
  ++gates_;
  return table_[slot] * 2;
}

void Circuit::grow() {
  steps_.check(2 * table_.size() * sizeof(Node));
  table_.assign(table_.size() * 2, 0);
  const std::size_t mask = table_.size() - 1;
  for (Node node = 1; node < size(); ++node) {
    if (!is_gate(node)) continue;
    std::size_t slot = hash(wires(node)) & mask;
    while (table_[slot] != 0) slot = (slot + 1) & mask;
    table_[slot] = node;
  }
}

std::size_t Circuit::bytes() const {
  return first_.capacity() * sizeof(std::uint64_t) + wires_.capacity() * sizeof(Wire) +
         table_.capacity() * sizeof(Node);
}

}  // namespace zermelo::circuit
