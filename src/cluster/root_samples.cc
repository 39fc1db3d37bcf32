#include "cluster/root_samples.h"

#include <algorithm>

namespace zermelo::cluster {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr Seconds slice_seconds{0.05};
constexpr std::uint64_t least_simulations = 256;

}  // namespace

Samples RootSamples::now() const {
  Samples samples;
  for (const search::MoveReport& move : search_.moves(role_)) {
    samples.visits.push_back(move.visits);
    samples.sums.push_back(move.value * static_cast<double>(move.visits));
  }
  return samples;
}

Samples RootSamples::take() {
  Samples all = now();
  Samples taken = all;
  for (std::size_t i = 0; i < known_.visits.size(); ++i) {
    taken.visits[i] -= std::min(known_.visits[i], taken.visits[i]);
    taken.sums[i] -= known_.sums[i];
  }
  known_ = std::move(all);
  return taken;
}

void RootSamples::add(const Samples& samples) {
  search_.add_samples(role_, samples.visits, samples.sums);
  known_.add(samples);
}

Slices::Slices(const search::Budget& budget) : left_(budget) {
  if (budget.simulations) {
    slice_simulations_ = std::max(*budget.simulations / 8, least_simulations);
  }
}

std::optional<search::Budget> Slices::next() const {
  search::Budget slice;
  if (left_.seconds) {
    if (*left_.seconds <= Seconds(0)) return std::nullopt;
    slice.seconds = std::min(*left_.seconds, slice_seconds);
  }
  if (left_.simulations) {
    if (*left_.simulations == 0) return std::nullopt;
    slice.simulations = std::min(*left_.simulations, slice_simulations_);
  }
  return slice;
}

void Slices::used(const search::SearchReport& report) {
  if (left_.seconds) *left_.seconds -= Seconds(report.seconds);
  if (left_.simulations) *left_.simulations -= std::min(*left_.simulations, report.simulations);
}

}  // namespace zermelo::cluster
