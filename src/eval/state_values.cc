#include "eval/state_values.h"

namespace zermelo::eval {

StateValues::~StateValues() = default;

std::optional<Distance> StateValues::distance(const machine::State&) const { return {}; }

std::optional<base::Error> StateValues::read_error() const { return {}; }

OpponentModel StateValues::model() const { return OpponentModel::own; }

std::optional<Worth> StateValues::worth(const machine::State& state) const {
  auto rewards = value(state);
  if (!rewards || rewards->empty()) return std::nullopt;
  return Worth{std::move(*rewards), distance(state).value_or(no_distance)};
}

}  // namespace zermelo::eval
