#include "toss/query.h"

#include "toss/plan.h"

namespace zermelo::toss {

Evaluated::Evaluated() : tables_(std::make_shared<std::map<const Recursion*, TupleSet>>()) {}
void Evaluated::clear() { tables_->clear(); }

Theory::Theory(const Game& game, StablePart stable, EvaluationLimits limits)
    : game_(&game),
      stable_(std::move(stable)),
      limits_(std::move(limits)),
      shared_(std::make_shared<SharedRecursions>()) {}

Query::Query(const Theory& theory, const Formula& formula, std::vector<std::string> inputs,
             std::vector<std::string> outputs)
    : limits_(theory.limits()) {
  const std::size_t count = inputs.size();
  inputs.insert(inputs.end(), outputs.begin(), outputs.end());
  const Resolution resolution = resolve_formula(theory, formula, inputs);
  const auto middle = resolution.variables.begin() + static_cast<std::ptrdiff_t>(count);
  step_ = plan_formula(theory, *resolution.node, Variables(resolution.variables.begin(), middle),
                       Variables(middle, resolution.variables.end()));
  slots_ = resolution.slots;
}

TupleSet Query::answers(const Structure& structure, const TupleSet& inputs,
                        Evaluated* evaluated) const {
  Run run(structure, limits_, slots_, evaluated);
  return step_->run(run, inputs);
}

TermQuery::TermQuery(const Theory& theory, const Term& term) : limits_(theory.limits()) {
  const Resolution resolution = resolve_term(theory, term);
  step_ = plan_term(theory, *resolution.term, {});
  slots_ = resolution.slots;
}

double TermQuery::value(const Structure& structure, Evaluated* evaluated) const {
  Run run(structure, limits_, slots_, evaluated);
  return step_->run(run, TupleSet::unit())[0];
}

}  // namespace zermelo::toss
