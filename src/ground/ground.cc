#include "ground/ground.h"

#include "base/limited_steps.h"
#include "ground/assemble.h"
#include "ground/passes.h"

namespace zermelo::ground {

namespace {

// Passes run again because projection adds auxiliary predicates to evaluate and demand adds guards
// to project.
constexpr Pass* passes[] = {eliminate_equalities, split_functions,   evaluate_statics,
                            bound_numbers,        project_variables, evaluate_statics,
                            add_demand,           project_variables};

base::Result<Game> ground_within_limits(std::shared_ptr<const gdl::Rulesheet> rulesheet,
                                        const Options& options) {
  base::Result<Program> program = split_disjunctions(std::move(rulesheet), options.limits);
  if (!program) return tl::unexpected(program.error());
  Instantiation instantiation(options.limits);
  for (Pass* pass : passes) {
    if (auto done = pass(*program, instantiation); !done) return tl::unexpected(done.error());
  }
  auto done = instantiation.run(*program, program->rules, true);
  if (!done) return tl::unexpected(done.error());
  return assemble(*program, instantiation);
}

}  // namespace

// A program or library that computes functions can fail, too.
base::Result<Game> ground(std::shared_ptr<const gdl::Rulesheet> rulesheet, const Options& options) {
  try {
    return ground_within_limits(std::move(rulesheet), options);
  } catch (const base::LimitReached& reached) {
    return base::fail(reached.kind(), reached.what());
  }
}

}  // namespace zermelo::ground
