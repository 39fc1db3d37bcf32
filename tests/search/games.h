// Games for the tests of search, as engines.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "families/families.h"
#include "search/random_move.h"
#include "support/load.h"

namespace zermelo::search {

using EnginePointer = std::shared_ptr<const Engine>;

inline EnginePointer engine_of(std::shared_ptr<const gdl::Rulesheet> rulesheet,
                               const EngineOptions& options = {}) {
  auto engine = make_engine(std::move(rulesheet), options);
  if (!engine) throw std::runtime_error(engine.error().message);
  return *engine;
}

inline EnginePointer shipped(const std::string& name, const EngineOptions& options = {}) {
  return engine_of(testing::rulesheet_file(ZERMELO_ROOT "/games/" + name + ".kif"), options);
}

inline EnginePointer generated(const std::string& family, const std::vector<std::string>& sizes) {
  return engine_of(testing::rulesheet(families::generate(family, sizes).value()));
}

// The state after a random game was played so far; the last that is not terminal where it is over.
inline State random_state(const Engine& engine, std::size_t depth, base::Random& random) {
  const auto walker = engine.walker();
  walker->go_to(engine.initial());
  State state = walker->state();
  for (std::size_t i = 0; i < depth; ++i) {
    std::vector<Move> joint(engine.roles().size());
    choose_at_random(*walker, random, joint);
    walker->make(joint);
    if (walker->terminal()) break;
    state = walker->state();
  }
  return state;
}

}  // namespace zermelo::search
