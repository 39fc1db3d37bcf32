#include "app/factor.h"

#include "app/json.h"
#include "app/json/values.h"

namespace zermelo::app {

std::string to_json(const FactorResult& result) {
  Json json = {{"grain", name_of(result.decomposition.grain)},
               {"decomposed", result.decomposition.is_decomposed()},
               {"parallel", result.decomposition.is_parallel},
               {"subgames", Json::array()},
               {"other_moves", result.other_moves},
               {"stages", Json::array()},
               {"constants", result.decomposition.constants.size()},
               {"files", result.files},
               {"seconds", result.seconds}};
  for (const NamedSubgame& subgame : result.subgames) {
    json["subgames"].push_back({{"fluents", subgame.fluents},
                                {"moves", subgame.moves},
                                {"action_independent", subgame.action_independent},
                                {"read", subgame.is_read},
                                {"kept", subgame.is_kept},
                                {"initial", subgame.initial}});
  }
  for (const NamedStage& stage : result.stages) {
    json["stages"].push_back({{"fluents", stage.fluents}, {"conditions", stage.conditions}});
  }
  return one_line(json);
}

}  // namespace zermelo::app
