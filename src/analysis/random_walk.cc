#include "analysis/random_walk.h"

namespace zermelo::analysis {

RandomWalk::RandomWalk(std::shared_ptr<const machine::Machine> machine, const WalkOptions& options)
    : options_(options),
      cursor_(std::move(machine)),
      initial_(cursor_.state()),
      random_(options.seed) {}

bool RandomWalk::advance() {
  if (cursor_.depth() >= options_.max_depth) return false;
  if (!options_.past_terminal && cursor_.terminal()) return false;
  joint_.clear();
  for (std::size_t role = 0; role < cursor_.machine().roles().size(); ++role) {
    const std::span<const base::Move> legal = cursor_.legal(role);
    if (legal.empty()) return false;
    joint_.push_back(legal[random_.below(static_cast<std::uint32_t>(legal.size()))]);
  }
  cursor_.make(joint_);
  return true;
}

}  // namespace zermelo::analysis
