// Proofs of forced wins in the nodes of a search tree, beside the playouts.
//
// After each batch of playouts it is asked in the nodes of the batch whether the role that decides
// there wins by force (proof_number.h). A win becomes the exact value of the node, so the role
// before it avoids the move, and the root is solved if it is won.
#pragma once

#include <chrono>

#include "search/backup.h"
#include "search/expansion.h"
#include "search/proof_number.h"

namespace zermelo::search {

// The effort grows with the visits of a node. If the time of the search is limited, the proofs get
// a share of it, half of it for the root. Otherwise the work depends on the visits alone, so that a
// seed determines the search.
struct ForcedWinRule {
  double share = 0.05;                  // of the time
  double expansions_per_visit = 0.002;  // of a node below the root
  double expansions_per_root_visit = 0.01;
};

// Used by one thread of the search.
class ForcedWins {
 public:
  // The tree and the expansion must outlive the object.
  ForcedWins(std::shared_ptr<const Simulator> simulator, Tree& tree, Expansion& expansion,
             const ForcedWinRule& rule, std::size_t table_bytes);

  // Begins a search, whose time may be limited.
  void begin(bool is_timed);
  // Asks in the nodes of the paths, except their leaves. The tree must not evict nodes meanwhile.
  // Returns the number of states expanded.
  std::uint64_t ask(std::span<const Path> paths, std::uint32_t now, const std::stop_token& stop);

 private:
  using Clock = std::chrono::steady_clock;

  std::uint64_t ask(Node& node, bool is_root, const std::stop_token& stop);
  std::uint64_t reserve(Node& node, bool is_root);
  bool has_time(bool is_root) const;
  void set_won(Node& node, std::size_t role, const ForcedWin& win);

  Tree& tree_;
  Expansion& expansion_;
  ForcedWinRule rule_;
  std::size_t roles_;
  ProofNumberSearch search_;
  bool is_timed_ = false;
  Clock::time_point start_;
  Clock::time_point time_;  // when the clock was last read, if the search is timed
  std::chrono::duration<double> used_[2] = {};  // below the root, at the root
  std::uint32_t now_ = 0;
};

}  // namespace zermelo::search
