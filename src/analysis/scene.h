// What the fluents of a game depict: boards, their coordinates and orientation, what stands in a
// cell, stacks, hands, counters, places joined by paths, and whose turn it is. Recognised from the
// rules and the values that the arguments of fluents can take; see docs/explanation/drawing.md.
//
//   const Scene scene = Scene::of(machine);
//   const Picture picture = scene.depict(stepper.fluent_names(state));
//   scene.cells_of_move("(move a 2 a 3)");  // {"b0:a,2", "b0:a,3"}
//
// A Scene is made once per game. It is immutable and may be shared by threads.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analysis/picture.h"
#include "base/limits.h"
#include "gdl/rulesheet.h"
#include "machine/machine.h"

namespace zermelo::analysis {

struct SceneModel;

class Scene {
 public:
  // Recognises the scene of a game. Plays a few random games, always the same. At a limit, fewer
  // things may be recognised; they are lists then.
  static Scene of(std::shared_ptr<const machine::Machine> machine, const base::Limits& limits = {});

  // What is known of a game that was not grounded.
  struct Material {
    std::vector<std::string> roles;
    // Some reachable states, the initial one first, by the canonical names of their fluents.
    std::vector<std::vector<std::string>> states;
    std::vector<std::string> moves = {};  // some moves, canonical
  };
  // The same from a part of the states. Fluents that do not occur in them are shown as a list.
  static Scene of(const gdl::Rulesheet& rulesheet, const Material& material,
                  const base::Limits& limits = {});

  // The picture of the state in which exactly these fluents hold, by their canonical names. The
  // same fluents always give the same picture, and the same cells have the same IDs in all
  // pictures.
  Picture depict(const std::vector<std::string>& fluents) const;

  // The IDs of the cells that a move names, in the order of its arguments: the source before the
  // target. `move` is a ground term in canonical layout. Empty for a move that names no cell, or
  // only a part of its coordinates, such as the column of a drop.
  std::vector<std::string> cells_of_move(const std::string& move) const;

 private:
  explicit Scene(std::shared_ptr<const SceneModel> model) : model_(std::move(model)) {}

  std::shared_ptr<const SceneModel> model_;
};

}  // namespace zermelo::analysis
