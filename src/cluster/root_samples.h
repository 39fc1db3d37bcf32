// Root parallel search: the samples at the root that the trees of several ranks exchange.
#pragma once

#include <cstddef>
#include <vector>

#include "cluster/requests.h"
#include "search/uct.h"

namespace zermelo::cluster {

// The part of one tree. The search must outlive it, and must not run during a call.
class RootSamples {
 public:
  RootSamples(search::Uct& search, std::size_t role) : search_(search), role_(role) { take(); }

  // The samples since the last call that are of this tree.
  Samples take();
  // Adds samples of other trees to the root, where selection takes them into account.
  void add(const Samples& samples);

 private:
  Samples now() const;

  search::Uct& search_;
  std::size_t role_;
  Samples known_;  // when samples were last taken or added
};

// The budget of a search, in slices between which samples are exchanged.
class Slices {
 public:
  explicit Slices(const search::Budget& budget);

  // Returns the budget of the next slice; nullopt if nothing is left.
  std::optional<search::Budget> next() const;
  void used(const search::SearchReport& report);

 private:
  search::Budget left_;
  std::uint64_t slice_simulations_ = 0;
};

}  // namespace zermelo::cluster
