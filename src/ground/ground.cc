#include "ground/ground.h"

#include "gdl/validity.h"
#include "ground/assemble.h"
#include "ground/passes.h"

namespace zermelo::ground {

base::Result<Game> ground(std::shared_ptr<const gdl::Rulesheet> rulesheet, const Options& options) {
  if (gdl::uses_imperfect_information(*rulesheet)) {
    return base::fail(base::ErrorKind::not_applicable,
                      "the game has imperfect information (sees, or the role random), which is not "
                      "supported here");
  }
  Instantiation instantiation(options.limits);
  base::Result<Program> split = split_disjunctions(std::move(rulesheet), options.limits);
  if (!split) return tl::unexpected(split.error());
  Program& program = *split;
  eliminate_equalities(program);
  if (auto done = split_functions(program, options.limits); !done)
    return tl::unexpected(done.error());
  if (auto done = evaluate_statics(program, instantiation); !done)
    return tl::unexpected(done.error());
  project_variables(program, instantiation);
  if (auto done = evaluate_statics(program, instantiation); !done)
    return tl::unexpected(done.error());
  add_demand(program, instantiation);
  project_variables(program, instantiation);
  if (auto done = instantiation.run(program, program.rules, true); !done)
    return tl::unexpected(done.error());
  return assemble(program, instantiation);
}

}  // namespace zermelo::ground
