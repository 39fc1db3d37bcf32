#include "search/planner/plan_search.h"

namespace zermelo::search::planner {

void offer_end(const machine::Cursor& cursor, const PlanSpace& space, const NodeTable& nodes,
               const LastMove& last, PlanRecord& record) {
  if (PlanSpace::reward(cursor) <= record.reward()) return;
  std::vector<Move> path = nodes.path(last.from);
  path.push_back(last.move);
  record.offer(space.replay(path));
}

}  // namespace zermelo::search::planner
