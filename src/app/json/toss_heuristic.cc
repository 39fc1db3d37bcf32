#include "app/toss_heuristic.h"

#include "app/json.h"
#include "app/json/values.h"

namespace zermelo::app {

std::string to_json(const TossHeuristic& heuristic) {
  Json terms = Json::array();
  for (const TossHeuristic::Term& term : heuristic.terms) {
    terms.push_back({{"location", term.location}, {"player", term.player}, {"term", term.term}});
  }
  return one_line({{"heuristic", heuristic.method},
                   {"terms", std::move(terms)},
                   {"seconds", heuristic.seconds}});
}

}  // namespace zermelo::app
