// The states of a stage that is over are replaced by one with the same conditions
// (decomposition/stage_reduction.h), so that the second game is searched once per result of the
// first, and not once per final state of it. A node is the representative of its class. The moves
// that lead to it are moves of the real game: equivalent states have the same legal moves, so the
// path of a node can be made from the root, and offer_end replays it.
#include "search/planner/stage_search.h"

#include "search/decomposition/stage_reduction.h"

namespace zermelo::search::planner {
namespace {

class StageSearch : public PlanSearch {
 public:
  StageSearch(const PlanSpace& space, PlanRecord& record,
              const std::vector<analysis::SerialStage>& stages)
      : space_(space),
        record_(record),
        reduction_(space.machine(), stages),
        cursor_(space.machine()),
        nodes_(space.words()),
        state_(space.root()) {
    reduction_.reduce(state_);
    nodes_.insert(state_.words(), {});
  }

  SearchEnd run(const Pause& pause) override {
    while (!record_.is_optimal()) {
      if (next_ == nodes_.size()) {
        record_.prove();
        return SearchEnd::exhausted;
      }
      if (nodes_.is_full()) return SearchEnd::exhausted;
      expand(next_++);
      if (pause.is_due()) return SearchEnd::paused;
    }
    return SearchEnd::optimal;
  }

 private:
  void expand(NodeIndex node) {
    const Words words = nodes_.state(node);
    std::copy(words.begin(), words.end(), state_.words().begin());
    cursor_.reset(state_);
    if (cursor_.terminal()) return;
    const std::span<const Move> legal = cursor_.legal(0);
    const std::vector<Move> moves(legal.begin(), legal.end());
    const std::uint32_t depth = nodes_[node].depth + 1;
    for (const Move move : moves) {
      cursor_.make(std::span(&move, 1));
      if (cursor_.terminal()) {
        offer_end(cursor_, space_, nodes_, {node, move}, record_);
      } else {
        state_ = cursor_.state();
        reduction_.reduce(state_);
        nodes_.insert(state_.words(), {node, move, depth});
      }
      cursor_.unmake();
    }
  }

  const PlanSpace& space_;
  PlanRecord& record_;
  decomposition::StageReduction reduction_;
  machine::Cursor cursor_;
  NodeTable nodes_;
  State state_;
  NodeIndex next_ = 0;
};

}  // namespace

std::unique_ptr<PlanSearch> make_stage_search(const PlanSpace& space, PlanRecord& record,
                                              const std::vector<analysis::SerialStage>& stages) {
  return std::make_unique<StageSearch>(space, record, stages);
}

}  // namespace zermelo::search::planner
