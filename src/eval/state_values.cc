#include "eval/state_values.h"

namespace zermelo::eval {

StateValues::~StateValues() = default;

std::optional<std::uint32_t> StateValues::distance(const machine::State&) const { return {}; }

}  // namespace zermelo::eval
