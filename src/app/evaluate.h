// What an evaluator says of a position.
#pragma once

#include <string>
#include <vector>

#include "app/context.h"
#include "app/rules.h"
#include "eval/evaluator.h"

namespace zermelo::app {

struct EvaluateRequest {
  Rules rules;
  std::string evaluator = "distance";  // see search/make_evaluator.h
  std::string moves = {};              // that lead to the position; none: the initial one
  std::uint64_t seed = 1;
  ResourceLimits limits = {};
};

struct Evaluation {
  struct OfRole {
    std::string role;
    double value = 0;  // from 0 to 100
    std::vector<eval::EvaluationPart> parts = {};
  };

  std::string evaluator;
  std::vector<std::string> position;  // the names of the fluents that hold
  std::vector<OfRole> roles;
  double seconds = 0;  // to make the evaluator
};

// Fails with invalid_request for an unknown evaluator, with not_applicable for a move that is not
// legal and for games without this evaluator, and at a limit.
base::Result<Evaluation> evaluate(const EvaluateRequest& request, const Context& context = {});

}  // namespace zermelo::app
