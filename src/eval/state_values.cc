#include "eval/state_values.h"

namespace zermelo::eval {

StateValues::~StateValues() = default;

}  // namespace zermelo::eval
