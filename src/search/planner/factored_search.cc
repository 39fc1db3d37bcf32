#include "search/planner/factored_search.h"

#include <utility>

#include "search/decomposition/concept_search.h"

namespace zermelo::search::planner {
namespace {

class FactoredSearch : public PlanSearch {
 public:
  FactoredSearch(std::unique_ptr<decomposition::FactoredGame> game, PlanRecord& record)
      : game_(std::move(game)), search_(*game_), record_(record) {}

  SearchEnd run(const Pause& pause) override {
    const bool is_over = search_.run([&] { return pause.is_due(); });
    if (const auto& best = search_.best()) record_.offer(Line{best->reward, best->moves});
    if (search_.is_optimal()) record_.prove();
    if (record_.is_optimal()) return SearchEnd::optimal;
    return is_over ? SearchEnd::exhausted : SearchEnd::paused;
  }

 private:
  std::unique_ptr<decomposition::FactoredGame> game_;
  decomposition::ConceptSearch search_;
  PlanRecord& record_;
};

}  // namespace

std::unique_ptr<PlanSearch> make_factored_search(const PlanSpace& space, PlanRecord& record,
                                                 const analysis::Decomposition& subgames) {
  auto game = decomposition::FactoredGame::make(space.machine(), subgames, space.root());
  if (!game) return nullptr;
  return std::make_unique<FactoredSearch>(std::move(*game), record);
}

}  // namespace zermelo::search::planner
